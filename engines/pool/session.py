"""One session of the pool: a position, its search tree, and the evaluation or pondering under way.

Called by ``EnginePool`` only. Its lock guards everything but ``known`` and ``advance``, during which the session is
busy, and ``close``, which tells those who wait for an answer.
"""

import threading
from dataclasses import dataclass, field

from engines import Position, Search
from engines.book import Book
from engines.pool.job import UNLIMITED_BYTES, Evaluation, Job, Limits, Pondering, Priority
from engines.pool.lanes import Lane

BOOK = "book"
"""The source of an evaluation that stands in the opening book."""


@dataclass(eq=False)
class Session:
    """``lane`` works on the search; ``source`` names its evaluator. ``position`` is the session's own.

    A search ends when its tree takes ``max_bytes``.
    """

    position: Position
    search: Search
    lane: Lane
    source: str
    max_bytes: int = UNLIMITED_BYTES
    turn: threading.Lock = field(default_factory=threading.Lock)
    job: Job | None = None
    pondering: Pondering | None = None
    moving: bool = False

    @property
    def is_busy(self) -> bool:
        """Whether an evaluation or a move is under way. Pondering yields to everything and does not count."""
        return self.moving or (self.job is not None and not self.job.future.done())

    def new_job(self, limits: Limits, priority: Priority, lines: int) -> Job:
        """An evaluation, for the lane to work on."""
        self.stop_pondering()
        self.job = Job(self.search, limits, priority, self.source, lines, self.max_bytes, self.turn)
        return self.job

    def known(self, book: Book) -> Evaluation | None:
        """What the book says about the position."""
        found = book.find(self.position)
        if found is None:
            return None
        values = (found.value, -found.value)
        return Evaluation(values, found.move, lines=(), samples=0, inherited=0, source=BOOK)

    def ponder(self, samples: int) -> None:
        """Searches on while nobody asks anything, up to this many simulations more."""
        self.pondering = Pondering(
            self.search,
            Limits(samples=samples),
            Priority.PONDER,
            self.source,
            max_bytes=self.max_bytes,
            turn=self.turn,
        )
        self.lane.submit(self.pondering)

    def stop_pondering(self) -> None:
        """Stops within one turn of the lane."""
        if self.pondering is not None:
            self.pondering.future.cancel()
            self.pondering = None

    def prepare_to_move(self) -> None:
        """Busy from now on, until ``advance`` has come to its end."""
        self.stop_pondering()
        self.moving = True

    def advance(self, move: str) -> None:
        """Plays a recorded move; waits for the last turn of a cancelled job. RuleError: nothing was played."""
        try:
            with self.turn:
                self.search.advance(move)
            self.position.play(move)
        finally:
            self.moving = False

    def close(self) -> None:
        """Cancels whatever is under way."""
        self.stop_pondering()
        if self.job is not None:
            self.job.future.cancel()
