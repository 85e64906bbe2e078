"""What there is to see of a game's evaluations, and what one viewer has been shown of it. Pure."""

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

    def shows_more_than(self, before: "Sight") -> bool:
        """Whether there is something to tell whoever has seen ``before``: a move alone is nothing."""
        goes_on = self.line.moves[: len(before.line.moves)] == before.line.moves
        seen = (before.ready, before.failure, before.is_over)
        return not goes_on or seen != (self.ready, self.failure, self.is_over)


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
    """What one viewer has been shown, and therefore has to be told next."""

    def __init__(self) -> None:
        self.is_complete = False
        """Whether an entry has been shown for every position of the line last told."""
        self.has_failed = False
        self._is_announced = False
        """Whether the viewer knows that a history is coming, or has had one."""
        self._shown: tuple[str, ...] | None = None
        """The moves of which every position's entry has been shown; None: nothing that still holds."""

    def catch_up(self, sight: Sight) -> Sequence[Event]:
        """What brings the viewer to this sight."""
        moves = sight.line.moves
        voided = self._void_unless_prefix(moves)
        self.is_complete = sight.is_complete
        if self._shown is not None:
            news = sight.ready[len(self._shown) + 1 :]
            self._shown = moves[: max(len(self._shown), len(sight.ready) - 1)]
            return news
        if not self.is_complete:
            return [*voided, *self._announce(sight.line)]
        self._shown, self._is_announced = moves, True
        return [*voided, sight.history]

    def fail(self, failed: ev.AnalysisFailed) -> ev.AnalysisFailed:
        """The viewer is told that nothing more will come."""
        self.has_failed = True
        return failed

    def _void_unless_prefix(self, moves: tuple[str, ...]) -> list[Event]:
        if self._shown is None or moves[: len(self._shown)] == self._shown:
            return []
        self._shown = None
        return [ev.HistoryVoid()]

    def _announce(self, line: Line) -> list[Event]:
        if self._is_announced:
            return []
        self._is_announced = True
        return [ev.HistoryPending(len(line.moves))]
