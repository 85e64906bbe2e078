"""Metrics of the pool, counted by the lanes.

``EnginePool.statistics()`` collects them. Counts never decrease; ``sessions``, ``waiting`` and cache sizes are current
values. Independent of queues and lanes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from threading import Lock

from engines.pool.job import Priority


@dataclass(frozen=True)
class CacheStatistics:
    """The evaluation cache of one model."""

    hits: int
    """Leaves answered from the cache, or by an equal leaf in the same batch."""
    misses: int
    """Leaves evaluated by the model."""
    size: int
    """Current number of entries."""
    capacity: int
    """Maximum number of entries."""

    def plus(self, other: "CacheStatistics") -> "CacheStatistics":
        """Both caches together."""
        hits, misses = self.hits + other.hits, self.misses + other.misses
        return CacheStatistics(hits, misses, self.size + other.size, self.capacity + other.capacity)


@dataclass(frozen=True)
class EvaluatorStatistics:
    """One evaluator: the native one or a model."""

    name: str
    """The ``source`` of its evaluations: ``native``, or the model's name."""
    provider: str
    """Where it runs: ``core`` for the native evaluator, else the runtime's provider, such as ``cpu``."""
    batches: int
    """Calls of the model; for the native evaluator, turns of a worker."""
    rows: int
    """Rows evaluated by the model; for the native evaluator, simulations."""
    simulations: int
    evaluations: int
    """Finished evaluations, not counting cancelled and failed ones."""
    cache: CacheStatistics | None
    """``None`` if the evaluator has no cache."""

    def plus(self, other: "EvaluatorStatistics | None") -> "EvaluatorStatistics":
        """These counts and those of another evaluator of the same name, if there is one."""
        if other is None:
            return self
        caches = [each.cache for each in (self, other) if each.cache is not None]
        return EvaluatorStatistics(
            self.name,
            self.provider,
            self.batches + other.batches,
            self.rows + other.rows,
            self.simulations + other.simulations,
            self.evaluations + other.evaluations,
            caches[0].plus(caches[1]) if len(caches) == 2 else next(iter(caches), None),
        )

    def without_entries(self) -> "EvaluatorStatistics":
        """The same counts after the cache was freed."""
        cache = None if self.cache is None else replace(self.cache, size=0, capacity=0)
        return replace(self, cache=cache)


@dataclass(frozen=True)
class PoolStatistics:
    """The pool as a whole."""

    sessions: int
    capacity: int
    """Maximum number of sessions."""
    waiting: Mapping[Priority, int]
    """Jobs waiting for their next turn, per class."""
    evaluators: tuple[EvaluatorStatistics, ...]
    """The native evaluator comes first."""

    @property
    def evaluations(self) -> int:
        """Evaluations finished by all evaluators."""
        return sum(evaluator.evaluations for evaluator in self.evaluators)

    @property
    def simulations(self) -> int:
        """Simulations of all evaluators."""
        return sum(evaluator.simulations for evaluator in self.evaluators)


class Tally:
    """The counters of one lane. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._batches = self._rows = self._simulations = self._evaluations = 0

    def add_turn(self, rows: int, simulations: int) -> None:
        """Counts one batch of ``rows``, unless there were none, and the finished simulations."""
        with self._lock:
            self._batches += rows > 0
            self._rows += rows
            self._simulations += simulations

    def add_evaluation(self) -> None:
        """Counts one finished evaluation."""
        with self._lock:
            self._evaluations += 1

    def read(self, name: str, provider: str, cache: CacheStatistics | None) -> EvaluatorStatistics:
        """Returns the current counts."""
        with self._lock:
            return EvaluatorStatistics(
                name, provider, self._batches, self._rows, self._simulations, self._evaluations, cache
            )
