"""One evaluation of a session's position: limits, phases and result. Knows no queue and no lane.

An evaluation searches from the root, then, where a move is several actions, once more behind each action that it has
fixed, so that the later actions of the best move are searched as well as the first.
"""

import sys
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from enum import IntEnum
from threading import Lock

from engines import Line, Search

FIRST_PHASE_SHARE = 0.6
"""Share of a time limit that the first action of a move gets; the later ones share the rest, where there are any."""

UNLIMITED = 1 << 30
"""Simulations wanted where time alone is limited."""

UNLIMITED_BYTES = sys.maxsize

Cancelled = CancelledError


class Priority(IntEnum):
    """Classes of work, the most urgent first."""

    BOT_MOVE = 0
    EVAL_BAR = 1
    INTERACTIVE = 2
    BATCH = 3
    PONDER = 4
    """Searching on unasked: only while nothing else waits, and the first to be cancelled."""


@dataclass(frozen=True)
class Limits:
    """When a search has done enough: new simulations per action, milliseconds per move, or whichever comes first."""

    samples: int | None = 1000
    time_ms: float | None = None

    def __post_init__(self) -> None:
        if self.samples is None and self.time_ms is None:
            raise ValueError("an evaluation needs a limit: samples, time or both")
        if self.samples is not None and self.samples < 1:
            raise ValueError(f"samples is {self.samples}: at least 1 is needed")
        if self.time_ms is not None and self.time_ms <= 0:
            raise ValueError(f"timeMs is {self.time_ms}: more than 0 is needed")


@dataclass(frozen=True)
class Evaluation:
    """What a search says about a position."""

    values: tuple[float, ...]
    """Per seat, in [-1, 1]."""
    best_move: str
    """Canonical; empty in a finished position."""
    lines: tuple[Line, ...]
    samples: int
    """Simulations that stand behind it, inherited ones included."""
    inherited: int
    """Those that the position had before this evaluation, from the moves that led to it or an earlier evaluation."""
    source: str
    """Name of the model, or of the core's evaluator."""
    is_cut: bool = False
    """Whether the memory of a search was used up before its limits were reached."""


@dataclass(eq=False)
class Job:
    """An evaluation under way. Worked on by one lane thread at a time."""

    search: Search
    limits: Limits
    priority: Priority
    source: str
    line_count: int = 1
    max_bytes: int = UNLIMITED_BYTES
    """The search ends when its tree takes as much memory."""
    turn: Lock = field(default_factory=Lock)
    """Held while the search is worked on; shared by all jobs of one search, so that a cancelled job, which may be in
    the middle of its last turn, never meets its successor."""
    future: Future[Evaluation] = field(default_factory=Future)
    _left: int = 0
    """Simulations that this phase still wants, where their number is limited."""
    _focused: bool = False
    _inherited: int = 0
    _started_ms: float | None = None
    _is_cut: bool = False

    def begin(self, now_ms: float) -> None:
        """Starts the first phase, unless it has started."""
        if self._started_ms is not None:
            return
        self._started_ms = now_ms
        self.search.unfocus()
        self._inherited = self.search.visits
        self._left = self.limits.samples or 0

    def wanted(self, now_ms: float) -> int:
        """Simulations still wanted in this phase; 0 ends it. Without a sample limit: as many as a lane cares to run."""
        if self._out_of_time(now_ms) or self._out_of_memory():
            return 0
        return UNLIMITED if self.limits.samples is None else max(0, self._left)

    def count(self, simulations: int) -> None:
        """So many more were done."""
        self._left -= simulations

    def next_phase(self) -> bool:
        """Fixes the best action and turns to the one after it; ``False`` when the move is complete.

        Where the first action is the whole move, the later ones' share of the time is its own.
        """
        if not self.search.focus():
            return self._search_on()
        self._focused = True
        self._left = (self.limits.samples or 0) - self.search.focus_visits
        return True

    def _search_on(self) -> bool:
        """Goes on from the root if no later action was searched and there are simulations left to want."""
        enough = self.limits.samples is not None and self._left <= 0
        if self._focused or self.limits.time_ms is None or enough:
            return False
        self.search.unfocus()
        self._focused = True
        return True

    def finish(self) -> None:
        """Reads the result off the tree and hands it over."""
        report = self.search.report(self.line_count)
        self.search.unfocus()
        self.future.set_result(
            Evaluation(
                values=tuple(report.values),
                best_move=report.best_move or "",
                lines=tuple(report.lines),
                samples=report.visits,
                inherited=self._inherited,
                source=self.source,
                is_cut=self._is_cut,
            )
        )

    def _out_of_memory(self) -> bool:
        self._is_cut = self._is_cut or self.search.bytes >= self.max_bytes
        return self._is_cut

    def _out_of_time(self, now_ms: float) -> bool:
        if self.limits.time_ms is None or self._started_ms is None:
            return False
        share = 1.0 if self._focused else FIRST_PHASE_SHARE
        is_late = now_ms - self._started_ms >= share * self.limits.time_ms
        return is_late and self.search.visits > self._inherited  # without any search there is no move to give


class Pondering(Job):
    """A search that goes on while nobody asks: it fills the tree for later questions and has no result to read."""

    def next_phase(self) -> bool:
        """Never: which action comes second is only searched for an answer."""
        return False

    def finish(self) -> None:
        """Leaves the tree alone: the session may be searching for an answer already."""
