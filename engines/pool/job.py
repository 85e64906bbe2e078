"""One evaluation of a session's position: limits, phases and result. Independent of queues and lanes.

An evaluation searches from the root. If a move consists of several actions, it then fixes the best action and searches
again from the position after it, so that the later actions of the best move are searched as thoroughly as the
first one. If the moves that follow are known, the first of them is compared with the best one at the end
(``engines/comparison.py``), and the move before is looked at again if it seems worse (``engines/review.py``). A search
that can use it looks ahead first: the positions after the moves that follow are searched from the last to the first, so
that it knows what came of each.
"""

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from enum import IntEnum
from threading import Lock

from engines import Comparison, Evaluation, Position, Report, Search, hides_order
from engines.calibration import Calibration
from engines.comparison import RIVALS, Comparing
from engines.hindsight import WORK, look_ahead, samples_ahead
from engines.inference import Signature
from engines.joint_comparison import JOINT_LINES, ComparingParts, compared_parts
from engines.loss_units import loss_unit
from engines.review import Look, Review

FIRST_PHASE_SHARE = 0.6
"""Share of the time limit for the first action of a move; later actions share the rest."""

UNLIMITED = 1 << 30
"""Simulations wanted if there is only a time limit."""

UNLIMITED_BYTES = sys.maxsize

LOOKS_AT_PARTS, ENOUGH = 4, 8000
"""The searches after a part of a joint move have so many times the samples of an evaluation, up to ``ENOUGH``. With as
many as an evaluation of 2,000, half of the few moves of the strongest bot that seemed worse were not; see
docs/calibration.md."""

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


@dataclass(frozen=True, slots=True)
class AskedMove:
    """A legal move in the position of a search, as submitted."""

    position: Position
    move: str


@dataclass(frozen=True, slots=True)
class LastMove:
    """The move that led to the position of a search, with the evaluation before it."""

    asked: AskedMove
    before: Evaluation


@dataclass(eq=False)
class Job:
    """An evaluation in progress. One lane thread at a time works on it."""

    search: Search
    """What a lane runs next."""
    limits: Limits
    priority: Priority
    source: str
    shape: Signature | None = None
    """The shapes of a network's rows for this search; None with a native evaluator."""
    line_count: int = 1
    max_bytes: int = UNLIMITED_BYTES
    """The search ends early when its tree uses this much memory."""
    calibration: Calibration | None = None
    """What the evaluator's values are worth at this moment of the game, if that is known."""
    asked: AskedMove | None = None
    """A move to compare with the best one, in games where the evaluation after it does not tell what it lost."""
    following: Sequence[str] = ()
    """The moves that follow, as recorded, at which the search looks ahead; ``asked`` is the first of them."""
    last: LastMove | None = None
    """A move to look at again if it seems worse, in games where the evaluation after it tells what it lost."""
    turn: Lock = field(default_factory=Lock)
    """Held while a thread works on the search. All jobs of a search share it, so that a cancelled job can finish its
    last turn before the next job starts."""
    future: Future[Evaluation] = field(default_factory=Future)
    _left: int = 0
    """Simulations left in this phase, if their number is limited."""
    _ahead: Iterator[int] = field(default_factory=lambda: iter(()))
    """The positions to come after the moves that follow."""
    _is_ahead: bool = False
    """Whether it searches one of them."""
    _focused: bool = False
    _inherited: int = 0
    _started_ms: float | None = None
    _is_cut: bool = False
    _report: Report | None = None
    """Of the search, if it is over and the comparison has begun."""
    _comparing: Comparing | ComparingParts | Review | None = None
    _reviews: bool = False
    """Whether the comparison is of the last move."""

    def begin(self, now_ms: float) -> None:
        """Starts the first phase, unless already started."""
        if self._started_ms is not None:
            return
        self._started_ms = now_ms
        self.search.unfocus()
        self._ahead = look_ahead(self.search, self._known)
        self._next_ahead()

    def _next_ahead(self) -> None:
        """Starts the phase after the moves that follow, one fewer each time; after none, that of the first action."""
        samples = self.limits.samples or 0
        self._is_ahead = next(self._ahead, 0) > 0
        self._left = samples_ahead(samples) if self._is_ahead else samples
        self._inherited = self.search.visits

    def wanted(self, now_ms: float) -> int:
        """Simulations left in this phase; 0 ends it. Without a sample limit, a number larger than any lane runs."""
        if self._comparing is not None:
            return 0 if self.search.bytes >= self.max_bytes else max(0, self._left)
        if self._out_of_time(now_ms) or self._out_of_memory():
            return 0
        return UNLIMITED if self.limits.samples is None else max(0, self._left)

    def count(self, simulations: int) -> bool:
        """Counts finished simulations; if there were none, the phase ends. False if the evaluation is complete."""
        self._left -= simulations
        if simulations == 0 and self._is_ahead:
            self._left = 0
            return True
        return simulations > 0 or self._compare()

    def next_phase(self) -> bool:
        """Fixes the best action and starts the phase of the next one; ``False`` if the evaluation is complete.

        If the first action is the whole move, the search goes on from the root, using the time set aside for the
        later actions. After the last action comes the comparison.
        """
        if self._is_ahead:
            self._next_ahead()
            return True
        if self._comparing is not None or not self.search.focus():
            return self._search_on() or self._compare()
        self._focused = True
        self._left = (self.limits.samples or 0) - self.search.focus_visits
        return True

    def _search_on(self) -> bool:
        """Continues from the root, unless a later action was searched or the sample limit is reached."""
        enough = self.limits.samples is not None and self._left <= 0
        if self._focused or self.limits.time_ms is None or enough or self._comparing is not None:
            return False
        self.search.unfocus()
        self._focused = True
        return True

    def _compare(self) -> bool:
        """Begins or continues the comparison; False if there is none, or after its last search."""
        if self._comparing is None:
            self._comparing = self._comparison()
        if self._comparing is None or (search := self._comparing.next_search()) is None:
            return False
        self.search, self._left = search, self._comparing.samples
        return True

    def _comparison(self) -> Comparing | ComparingParts | Review | None:
        if self.asked is not None and len(self.asked.position.to_act) > 1:
            return self._comparison_of_parts(self.asked)
        return self._comparison_of_asked() or self._review()

    def _comparison_of_parts(self, asked: AskedMove) -> ComparingParts | None:
        self._read()
        pairs = self._evaluation(self.search.report(JOINT_LINES))
        best, played = (move.split("/") for move in (pairs.best_move, asked.move))
        compared = compared_parts(pairs.lines, best, played)
        if compared is None:
            return None
        samples = max(self._samples_of_looks(1), min(ENOUGH, self._samples_of_looks(LOOKS_AT_PARTS)))
        return ComparingParts(asked.position, best, compared, self.calibration, samples, self._evaluator)

    def _comparison_of_asked(self) -> Comparing | None:
        if self.asked is None:
            return None
        best, played = self._read().best_move, self.asked.move
        if best in (None, played) or not hides_order(self.asked.position):
            return None
        candidates = [line.move for line in self.search.report(RIVALS).lines]
        rivals = [move for move in dict.fromkeys((best, *candidates)) if move != played][:RIVALS]
        return Comparing(self.asked.position, rivals, played, self.calibration, evaluator=self._evaluator)

    def _review(self) -> Review | None:
        """Further looks at the last move, if it seems worse than the best one."""
        if self.last is None:
            return None
        asked, before, after = self.last.asked, self.last.before, self._evaluation(self._read())
        seat, *others = asked.position.to_act
        on_one_scale = (before.chances is None) is (after.chances is None)
        if (
            others
            or not loss_unit(asked.position).is_reviewed
            or not on_one_scale
            or asked.move == before.best_move
        ):
            return None
        loss = before.share(seat) - after.share(seat)
        if loss <= 0:
            return None
        self._reviews = True
        look = Look(max(1, self._samples_of_looks(1)), self._evaluator, self.calibration)
        return Review(asked.position, asked.move, self._known, loss, look)

    @property
    def _known(self) -> Sequence[str]:
        """The moves that follow; none if there may be no time or no memory left for the position itself."""
        samples = self.limits.samples
        if not self.following or samples is None or self.limits.time_ms is not None:
            return ()
        return self.following if self.search.bytes_for(round(WORK * samples)) <= self.max_bytes else ()

    @property
    def _evaluator(self) -> str:
        """What the searches of a comparison evaluate with, as ``Search`` calls it."""
        return "native" if self.shape is None else "planes"

    def _samples_of_looks(self, times: float) -> int:
        """So many ``times`` the samples that the search may have; at most as many as it has had in its time."""
        if self.limits.samples is None or self.limits.time_ms is not None:
            return round(min(times, 1) * (self._read().visits - self._inherited))
        return round(times * self.limits.samples)

    def _read(self) -> Report:
        """The report of the search, which is over."""
        if self._report is None:
            self._report = self.search.report(self.line_count)
            self.search.unfocus()
        return self._report

    def finish(self) -> None:
        """Reads the result from the search tree and sets it on the future."""
        found = None if self._comparing is None else self._comparing.results
        reviewed, comparisons = (found[0], None) if found and self._reviews else (None, found)
        self.future.set_result(self._evaluation(self._read(), comparisons, reviewed))

    def _evaluation(
        self,
        report: Report,
        comparisons: tuple[Comparison, ...] | None = None,
        reviewed: Comparison | None = None,
    ) -> Evaluation:
        return Evaluation.of_report(
            report,
            inherited=self._inherited,
            source=self.source,
            is_cut=self._is_cut,
            calibration=self.calibration,
            comparisons=comparisons,
            reviewed=reviewed,
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
