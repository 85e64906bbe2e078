"""One evaluation of a session's position: limits, phases and result. Independent of queues and lanes.

An evaluation searches from the root. If a move consists of several actions, it then fixes the best action and searches
again from the position after it, so that the later actions of the best move are searched as thoroughly as the
first one.
"""

import sys
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from enum import IntEnum
from threading import Lock

from engines import Evaluation, Search
from engines.calibration import Calibration
from engines.inference import Signature

FIRST_PHASE_SHARE = 0.6
"""Share of the time limit for the first action of a move; later actions share the rest."""

UNLIMITED = 1 << 30
"""Simulations wanted if there is only a time limit."""

UNLIMITED_BYTES = sys.maxsize

Cancelled = CancelledError


class Priority(IntEnum):
    """Classes of jobs, the most urgent first."""

    BOT_MOVE = 0
    EVAL_BAR = 1
    INTERACTIVE = 2
    BATCH = 3
    PONDER = 4
    """Unrequested searching: runs only if no other job is waiting, and is cancelled first."""


@dataclass(frozen=True)
class Limits:
    """When a search ends: after so many new simulations per action or milliseconds per move, whichever comes first."""

    samples: int | None = 1000
    time_ms: float | None = None

    def __post_init__(self) -> None:
        if self.samples is None and self.time_ms is None:
            raise ValueError("an evaluation needs a limit: samples, time or both")
        if self.samples is not None and self.samples < 1:
            raise ValueError(f"samples is {self.samples}: at least 1 is needed")
        if self.time_ms is not None and self.time_ms <= 0:
            raise ValueError(f"timeMs is {self.time_ms}: more than 0 is needed")

    @classmethod
    def given(cls, samples: int | None, time_ms: float | None, usual: "Limits | None") -> "Limits | None":
        """The limits that are given; ``usual`` if none is."""
        return usual if samples is None and time_ms is None else cls(samples, time_ms)

    def within(self, most_ms: float | None) -> "Limits":
        """Returns these limits with at most ``most_ms`` milliseconds per move; None: unchanged."""
        if most_ms is None or (self.time_ms is not None and self.time_ms <= most_ms):
            return self
        return Limits(self.samples, most_ms)


@dataclass(eq=False)
class Job:
    """An evaluation in progress. One lane thread at a time works on it."""

    search: Search
    limits: Limits
    priority: Priority
    source: str
    shape: Signature | None = None
    """The shapes of a network's rows for this search; None with a native evaluator."""
    line_count: int = 1
    max_bytes: int = UNLIMITED_BYTES
    """The search ends early when its tree uses this much memory."""
    calibration: Calibration | None = None
    """What the evaluator's values are worth in this game, if that is known."""
    turn: Lock = field(default_factory=Lock)
    """Held while a thread works on the search. All jobs of a search share it, so that a cancelled job can finish its
    last turn before the next job starts."""
    future: Future[Evaluation] = field(default_factory=Future)
    _left: int = 0
    """Simulations left in this phase, if their number is limited."""
    _focused: bool = False
    _inherited: int = 0
    _started_ms: float | None = None
    _is_cut: bool = False

    def begin(self, now_ms: float) -> None:
        """Starts the first phase, unless already started."""
        if self._started_ms is not None:
            return
        self._started_ms = now_ms
        self.search.unfocus()
        self._inherited = self.search.visits
        self._left = self.limits.samples or 0

    def wanted(self, now_ms: float) -> int:
        """Simulations left in this phase; 0 ends it. Without a sample limit, a number larger than any lane runs."""
        if self._out_of_time(now_ms) or self._out_of_memory():
            return 0
        return UNLIMITED if self.limits.samples is None else max(0, self._left)

    def count(self, simulations: int) -> None:
        """Counts finished simulations."""
        self._left -= simulations

    def next_phase(self) -> bool:
        """Fixes the best action and starts the phase of the next one; ``False`` if the evaluation is complete.

        If the first action is the whole move, the search goes on from the root, using the time set aside for the
        later actions.
        """
        if not self.search.focus():
            return self._search_on()
        self._focused = True
        self._left = (self.limits.samples or 0) - self.search.focus_visits
        return True

    def _search_on(self) -> bool:
        """Continues from the root, unless a later action was searched or the sample limit is reached."""
        enough = self.limits.samples is not None and self._left <= 0
        if self._focused or self.limits.time_ms is None or enough:
            return False
        self.search.unfocus()
        self._focused = True
        return True

    def finish(self) -> None:
        """Reads the result from the search tree and sets it on the future."""
        report = self.search.report(self.line_count)
        self.search.unfocus()
        self.future.set_result(
            Evaluation.of_report(
                report,
                inherited=self._inherited,
                source=self.source,
                is_cut=self._is_cut,
                calibration=self.calibration,
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
        # No complete move is known before.
        return is_late and self.search.visits > self._inherited and self.search.focus_visits > 0


class Pondering(Job):
    """A search that runs while the session is idle: it fills the tree for later evaluations and returns no result."""

    def next_phase(self) -> bool:
        """Returns False: only evaluations search the later actions of a move."""
        return False

    def finish(self) -> None:
        """Does nothing: the tree may already be in use by the next evaluation."""
