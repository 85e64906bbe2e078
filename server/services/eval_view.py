"""What there is to see of a game's evaluations, and what its viewers have been shown of it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from protocols.bgs.effects import Entry
from protocols.play import eval as ev
from protocols.session import Event
from server.services.bgs import Line


@dataclass(frozen=True)
class Sight:
    """What there is to see at one moment, made once for all viewers.

    ``ready`` has an entry for each position of the game's ``line`` from ply 0 on, as far as they are known.
    ``failure`` is why no more entries come; ``is_over`` says that the game is.
    """

    line: Line
    ready: tuple[ev.EntryReady, ...]
    failure: ev.AnalysisFailed | None = None
    is_over: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether there is an entry for every position."""
        return len(self.ready) == len(self.line.moves) + 1

    @cached_property
    def history(self) -> ev.HistoryComplete:
        """All its entries."""
        return ev.HistoryComplete(tuple(ready.entry for ready in self.ready))


def see(
    line: Line,
    entries: tuple[Entry, ...],
    before: Sight | None = None,
    *,
    failure: ev.AnalysisFailed | None = None,
    is_over: bool = False,
) -> Sight:
    """The sight of these entries; those that ``before`` has keep their events, and so their frames."""
    known = () if before is None else before.ready
    kept = 0
    while kept < min(len(known), len(entries)) and known[kept].entry is entries[kept]:
        kept += 1
    ready = (*known[:kept], *(ev.EntryReady(entry) for entry in entries[kept:]))
    return Sight(line, ready, failure, is_over)


class View:
    """What all viewers of a game have been shown, and therefore have to be told next."""

    def __init__(self) -> None:
        self._shown: tuple[str, ...] | None = None
        """The moves of which every position's entry has been shown; None: nothing that still holds."""

    @property
    def shown(self) -> int:
        """How many entries have been shown that still hold."""
        return 0 if self._shown is None else len(self._shown) + 1

    def catch_up(self, sight: Sight) -> Sequence[Event]:
        """What brings the viewers to this sight."""
        moves = sight.line.moves
        voided = self._void_unless_prefix(moves)
        if self._shown is not None:
            news = sight.ready[len(self._shown) + 1 :]
            self._shown = moves[: max(len(self._shown), len(sight.ready) - 1)]
            return news
        if not sight.is_complete:
            return voided
        self._shown = moves
        return [*voided, sight.history]

    def _void_unless_prefix(self, moves: tuple[str, ...]) -> list[Event]:
        if self._shown is None or moves[: len(self._shown)] == self._shown:
            return []
        self._shown = None
        return [ev.HistoryVoid()]
