"""One session of the pool: a position, its search tree, and the current evaluation or pondering.

Used by ``EnginePool`` only, whose lock guards every method but three: ``known`` and ``advance``, which run while the
session is busy, and ``close``, which wakes the callers that wait for a result.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from engines import Evaluation, Position, Search
from engines.book import Book
from engines.evaluation import BOOK
from engines.game_calibration import GameCalibration
from engines.inference import Signature
from engines.pool.job import UNLIMITED_BYTES, AskedMove, Job, LastMove, Limits, Pondering, Priority
from engines.pool.lanes import Lane


@dataclass(eq=False)
class SearchSession:
    """``lane`` runs the search; ``source`` names its evaluator. ``position`` belongs to the session.

    ``shape``: the shapes of a network's rows; None with a native evaluator. A search ends early when its tree uses
    ``max_bytes``.
    """

    position: Position
    search: Search
    lane: Lane
    source: str
    shape: Signature | None = None
    max_bytes: int = UNLIMITED_BYTES
    calibration: GameCalibration | None = None
    """Of the evaluator in this game."""
    turn: threading.Lock = field(default_factory=threading.Lock)
    job: Job | None = None
    pondering: Pondering | None = None
    moving: bool = False

    @property
    def is_busy(self) -> bool:
        """Whether an evaluation or a move is in progress. Pondering does not count: everything else interrupts it."""
        return self.moving or (self.job is not None and not self.job.future.done())

    def new_job(self, limits: Limits, priority: Priority, lines: int, following: Sequence[str]) -> Job:
        """Makes a job for the lane to run; stops pondering. ``following`` as in ``EnginePool.evaluate``."""
        self.stop_pondering()
        position = self.position
        asked = AskedMove(position.copy(), position.submitted(following[0])) if following else None
        last = self._last_move()
        self.job = Job(
            self.search,
            limits,
            priority,
            self.source,
            self.shape,
            lines,
            self.max_bytes,
            None if self.calibration is None else self.calibration.at(position.progress),
            asked,
            following,
            last,
            self.turn,
        )
        return self.job

    def _last_move(self) -> LastMove | None:
        """The move that was asked about in the position before, with what the search found there."""
        job = self.job
        if job is None or job.asked is None or not job.future.done() or job.future.cancelled():
            return None
        if job.future.exception() is not None or job.asked.position.ply + 1 != self.position.ply:
            return None
        return LastMove(job.asked, job.future.result())

    def known(self, book: Book) -> Evaluation | None:
        """The evaluation of the position in the book, or None."""
        found = book.find(self.position)
        if found is None:
            return None
        values = (found.value, -found.value)
        return Evaluation(values, found.move, source=BOOK)

    def ponder(self, samples: int) -> None:
        """Keeps searching while the session is idle, for up to ``samples`` more simulations."""
        self.pondering = Pondering(
            self.search,
            Limits(samples=samples),
            Priority.PONDER,
            self.source,
            self.shape,
            max_bytes=self.max_bytes,
            turn=self.turn,
        )
        self.lane.submit(self.pondering)

    def stop_pondering(self) -> None:
        """Stops pondering within one turn of the lane."""
        if self.pondering is not None:
            self.pondering.future.cancel()
            self.pondering = None

    def prepare_to_move(self) -> None:
        """Marks the session as busy until ``advance`` has finished."""
        self.stop_pondering()
        self.moving = True

    def advance(self, move: str) -> None:
        """Plays a recorded move after the last turn of a cancelled job. Raises RuleError, with nothing played."""
        try:
            with self.turn:
                self.search.advance(move)
            self.position.play(move)
        finally:
            self.moving = False

    def close(self) -> None:
        """Cancels the evaluation and pondering."""
        self.stop_pondering()
        if self.job is not None:
            self.job.future.cancel()
