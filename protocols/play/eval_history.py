"""The evaluations of a game, and which of them viewers have been sent: a complete history, then each new entry.

Used by the evaluations service, which sends what ``Shown.news`` returns through the sessions of ``eval_session``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from protocols.play.eval_session import EntryReady, HistoryComplete
from protocols.session import Event
from protocols.values import Entry, GameLine, moves_of


@dataclass(frozen=True)
class EvalHistory:
    """The known entries at one moment: those of the first positions of ``line``, from ply 0 on.

    ``hides_last``: the entry of the last position has only values, and is sent again once it may be shown as a whole.
    """

    line: GameLine
    ready: tuple[EntryReady, ...] = ()
    hides_last: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether every position has an entry."""
        return len(self.ready) == len(self.line.moves) + 1

    @property
    def plies(self) -> int:
        """Number of moves in the line."""
        return len(moves_of(self.line.moves))

    @cached_property
    def complete(self) -> HistoryComplete:
        """The event with one entry for each ply: the last one, where a seat left. Created and encoded only once."""
        by_ply = {ready.entry.ply: ready.entry for ready in self.ready}
        return HistoryComplete(tuple(by_ply.values()))

    def encode(self) -> None:
        """Encodes ``complete``, which takes long for a long game; its frame is ready then."""
        if self.is_complete:
            _ = self.complete.frame

    def updated(self, line: GameLine, entries: Sequence[Entry], *, hides_last: bool = False) -> "EvalHistory":
        """The history of ``line``. Entries shared with this history keep their events and so their encoded frames."""
        known, kept = self.ready, 0
        if hides_last and len(entries) == len(line.moves) + 1:
            entries = (*entries[:-1], _values_only(entries[-1]))
        while kept < min(len(known), len(entries)) and known[kept].entry is entries[kept]:
            kept += 1
        return EvalHistory(line, (*known[:kept], *map(EntryReady, entries[kept:])), hides_last)

    def is_partial(self, index: int) -> bool:
        """Whether the entry ``index`` has only values."""
        return self.hides_last and index == len(self.line.moves)


def _values_only(entry: Entry) -> Entry:
    evaluation = replace(entry.evaluation, best_move="", policies=None, lines=())
    return Entry(entry.ply, evaluation)


class Shown:
    """What viewers of a game have been sent: the entries of all positions of a line, or nothing that is still valid."""

    def __init__(self) -> None:
        self._moves: tuple[str, ...] | None = None
        self._lacks_last = False
        """Whether only the values of the last entry have been sent."""

    @property
    def is_empty(self) -> bool:
        """Whether the viewers have no valid entries."""
        return self._moves is None

    def is_same(self, other: "Shown") -> bool:
        """Whether the same viewers could have been sent both."""
        return (self._moves, self._lacks_last) == (other._moves, other._lacks_last)

    def take(self, other: "Shown") -> None:
        """Copy the state of ``other``: these viewers have been sent the same."""
        self._moves, self._lacks_last = other._moves, other._lacks_last

    def news(self, history: EvalHistory) -> Sequence[Event]:
        """Return what to send next, and count it as sent: the history once it is complete, then each new entry.

        An entry of which only the values were sent is sent again as soon as it may be shown as a whole.
        """
        moves = history.line.moves
        if self._moves is not None and moves[: len(self._moves)] == self._moves:
            last = len(self._moves)
            first = last if self._lacks_last and not history.is_partial(last) else last + 1
            news = history.ready[first:]
            if news:
                self._sent(history, moves[: first + len(news) - 1])
            return news
        self._sent(history, moves if history.is_complete else None)
        return [] if self._moves is None else [history.complete]

    def _sent(self, history: EvalHistory, moves: tuple[str, ...] | None) -> None:
        self._moves = moves
        self._lacks_last = moves is not None and history.is_partial(len(moves))
