"""What runs the searches of self-play: a teacher's evaluator, or a network.

Each thread or process calls its factory once and has buffers and caches of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from engines import Cache
from engines.inference import Model, Signature
from engines.pool.model_lane import BatchRunner
from engines.training.boards import TrainingBoard
from engines.training.self_play import BatchedEngine, Engine, NativeEngine

PARALLEL = 2
"""Leaves of one search evaluated at once in self-play."""

CACHED = 20_000
"""Evaluations that each thread keeps for each board."""

Engines = Callable[[TrainingBoard], Engine]


@dataclass(frozen=True)
class TeacherEngines:
    """Engines with a native evaluator."""

    evaluator: str

    def __call__(self) -> Engines:
        """Those of one thread: the same one for all boards."""
        teacher = NativeEngine(self.evaluator)
        return lambda board: teacher


@dataclass(frozen=True)
class NetworkEngines:
    """Engines with a network."""

    model: Model
    together: int
    """Searches of a thread that run at the same time on each board."""

    def __call__(self) -> Engines:
        """Those of one thread: a buffer for each size of boards."""

        @cache
        def engine(shape: Signature) -> BatchedEngine:
            rows = PARALLEL * self.together
            return BatchedEngine(BatchRunner(self.model, shape, Cache(CACHED), rows, PARALLEL))

        return lambda board: engine(self.model.signature.at(board.start(0)))
