"""The lane of a network: gathers leaves of all waiting searches, evaluates them at once and scatters the results.

The loop is greedy: it takes the waiting jobs, up to the batch size, without delaying for more. Each thread has its own
:class:`BatchRunner`, so that one batch is gathered while another is being evaluated.
"""

from collections.abc import Sequence
from contextlib import ExitStack

import numpy as np

from engines import Batch, Cache, Search
from engines.inference import Model, ModelError
from engines.pool.job import Job
from engines.pool.lanes import Lane, fail, now_ms, simulations_wanted, still_wanted
from engines.pool.statistics import CacheStatistics, EvaluatorStatistics


class BatchRunner:
    """A buffer of planes and the leaves in it; used by one thread. Bots with a network use it directly."""

    def __init__(self, model: Model, cache: Cache, capacity: int, parallel: int) -> None:
        shape = model.signature
        self._model = model
        self._parallel = parallel
        self._batch = Batch(shape.planes, shape.dim2, shape.dim3, shape.policy, shape.values, cache)
        self._planes = np.zeros((capacity, shape.planes, shape.dim2, shape.dim3), np.float32)
        self._nothing = np.zeros((0, shape.policy), np.float32), np.zeros((0, shape.values), np.float32)

    def gather(self, searches: Sequence[Search], wanted: Sequence[int]) -> int:
        """Advances each search until it needs the model; returns the number of rows to evaluate."""
        return self._batch.gather(searches, wanted, self._parallel, self._planes)

    def evaluate(self, rows: int) -> list[int]:
        """Evaluates the gathered rows; returns each search's simulations since ``gather``. Raises ModelError."""
        priors, values = self._model.evaluate(self._planes, rows) if rows else self._nothing
        try:
            return self._batch.scatter(priors, values)
        except ValueError as error:
            raise ModelError(f"model {self._model.name}: {error}") from None

    def run(self, search: Search, wanted: int) -> int:
        """Runs one batch of simulations of a search; returns the number done."""
        return self.evaluate(self.gather([search], [wanted]))[0]

    def cancel(self) -> None:
        """Discards the gathered leaves."""
        self._batch.cancel()


class ModelLane(Lane):
    """The threads that search with one model, with their shared queue and evaluation cache."""

    def __init__(self, model: Model, batch_size: int, parallel: int, cache_size: int) -> None:
        self.model = model
        self._cache = Cache(cache_size)
        self._capacity = model.capacity(batch_size)
        self._parallel = min(parallel, self._capacity)
        self._most_jobs = max(1, min(batch_size, self._capacity) // self._parallel)
        super().__init__(model.workers, model.name)

    def statistics(self) -> EvaluatorStatistics:
        """The counts of this lane and its cache."""
        cache = self._cache
        held = CacheStatistics(cache.hits, cache.misses, len(cache), cache.capacity)
        return self._tally.read(self.model.name, self.model.provider, held)

    def _work(self) -> None:
        runner = BatchRunner(self.model, self._cache, self._capacity, self._parallel)
        while self._serve(runner):  # a separate call, so that an idle thread keeps no tree alive
            pass

    def _serve(self, runner: BatchRunner) -> bool:
        """Waits for jobs and runs one batch of them; ``False`` if the inbox has stopped."""
        taken = self._inbox.take(self._most_jobs)
        if not taken:
            return False
        unfinished: list[Job] = []
        jobs = [job for job in taken if not job.future.cancelled()]
        try:
            unfinished = self._turn(jobs, runner)
        except BaseException as error:  # including a panic in the core: report it to the owners and continue
            runner.cancel()
            for job in jobs:
                fail(job, error)
        self._inbox.give_back(len(taken), unfinished)
        return True

    def _turn(self, jobs: list[Job], runner: BatchRunner) -> list[Job]:
        """Gathers, evaluates and scatters once; returns the unfinished jobs."""
        with ExitStack() as turns:
            # Sorted, so that two threads never wait for each other's turn.
            for job in sorted(jobs, key=lambda job: id(job.turn)):
                turns.enter_context(job.turn)
            now = now_ms()
            jobs = [job for job in jobs if still_wanted(job, now)]
            wanted = [simulations_wanted(job, now) for job in jobs]
            rows = runner.gather([job.search for job in jobs], wanted)
        ran = runner.evaluate(rows)
        if rows:
            self._tally.add_batch(rows)
        self._tally.add_simulations(sum(ran))
        for job, done in zip(jobs, ran, strict=True):
            job.count(done)
            if done == 0:
                self._finish(job)
        return [job for job, done in zip(jobs, ran, strict=True) if done > 0]
