"""What the pool has done since it started: figures for an operator, counted where the work is done.

``EnginePool.statistics()`` takes them together. Counts never fall; ``sessions``, ``waiting`` and the size of a cache
say how things stand at the moment. Knows no queue and no lane.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock

from engines.pool.job import Priority


@dataclass(frozen=True)
class CacheStatistics:
    """The evaluation cache of one model."""

    hits: int
    """Leaves answered from the cache, or together with an equal leaf of the same batch."""
    misses: int
    """Leaves that the model had to evaluate."""
    size: int
    """Entries held."""
    capacity: int
    """Most entries."""


@dataclass(frozen=True)
class EvaluatorStatistics:
    """One evaluator: the core's own, or a model."""

    name: str
    """As the ``source`` of its evaluations: ``native``, or the model's name."""
    provider: str
    """Where it computes: ``core`` for the native evaluator, else what the runtime reports, such as ``cpu``."""
    batches: int
    """Calls of the model; turns of a worker in the core."""
    rows: int
    """Rows that the model has evaluated; simulations in the core."""
    simulations: int
    evaluations: int
    """Evaluations finished, the ones that were cancelled or failed left out."""
    cache: CacheStatistics | None
    """``None`` where the evaluator has no cache."""


@dataclass(frozen=True)
class PoolStatistics:
    """The pool as a whole."""

    sessions: int
    capacity: int
    """Most sessions at once."""
    waiting: Mapping[Priority, int]
    """Evaluations that wait for their next turn, per class."""
    evaluators: tuple[EvaluatorStatistics, ...]
    """The native one first."""

    @property
    def evaluations(self) -> int:
        """Evaluations finished by all evaluators."""
        return sum(evaluator.evaluations for evaluator in self.evaluators)

    @property
    def simulations(self) -> int:
        """Simulations of all evaluators."""
        return sum(evaluator.simulations for evaluator in self.evaluators)


class Tally:
    """The counts of one lane. Its threads add, anybody reads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._batches = self._rows = self._simulations = self._evaluations = 0

    def add_batch(self, rows: int) -> None:
        """One batch was evaluated."""
        with self._lock:
            self._batches += 1
            self._rows += rows

    def add_simulations(self, simulations: int) -> None:
        """Simulations came to their end."""
        with self._lock:
            self._simulations += simulations

    def add_evaluation(self) -> None:
        """One evaluation was finished."""
        with self._lock:
            self._evaluations += 1

    def read(self, name: str, provider: str, cache: CacheStatistics | None) -> EvaluatorStatistics:
        """The counts now."""
        with self._lock:
            return EvaluatorStatistics(
                name, provider, self._batches, self._rows, self._simulations, self._evaluations, cache
            )
