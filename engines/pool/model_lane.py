"""The lane of a network: gathers leaves of all waiting searches, evaluates them at once and scatters the results.

The loop is greedy: it takes the waiting jobs, up to the batch size, without delaying for more. Each thread has
:class:`BatchRunner` objects of its own, so that one batch is gathered while another is being evaluated; it has one for
each shape of rows, since a network may evaluate boards at their own sizes. The threads and the cache are the model's.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence

import numpy as np

from engines import Batch, Cache, Search
from engines.inference import Model, ModelError, Signature
from engines.pool.job import Job
from engines.pool.lanes import Lane, fail, now_ms, simulations_wanted, still_wanted
from engines.pool.statistics import CacheStatistics, EvaluatorStatistics

MOST_RUNNERS = 8
"""Shapes for which a thread keeps buffers: those used last. More boards are rarely played at the same time."""


class BatchRunner:
    """A buffer of planes and the leaves in it; used by one thread. Bots with a network use it directly."""

    def __init__(self, model: Model, shape: Signature, cache: Cache, capacity: int, parallel: int) -> None:
        """``shape``: the shapes with which the model evaluates the searches."""
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


class _Runners:
    """The batch runners of one thread."""

    def __init__(self, make: Callable[[Signature], BatchRunner]) -> None:
        self._make = make
        self._runners: OrderedDict[Signature, BatchRunner] = OrderedDict()

    def __len__(self) -> int:
        return len(self._runners)

    def get(self, shape: Signature | None) -> BatchRunner:
        """The runner for a shape, made when first needed; drops the one that was not used for longest."""
        if shape is None:
            raise ValueError("a search with a native evaluator has no rows for a network")
        if shape not in self._runners:
            self._runners[shape] = self._make(shape)
        self._runners.move_to_end(shape)
        if len(self._runners) > MOST_RUNNERS:
            self._runners.popitem(last=False)
        return self._runners[shape]


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
        runners = _Runners(
            lambda shape: BatchRunner(self.model, shape, self._cache, self._capacity, self._parallel)
        )
        while self._serve(runners):  # a separate call, so that an idle thread keeps no tree alive
            pass

    def _serve(self, runners: _Runners) -> bool:
        """Waits for jobs and runs batches until none are queued; ``False`` if the inbox has stopped."""
        jobs = self._inbox.take(self._most_jobs)
        if not jobs:
            return False
        while jobs:
            jobs = self._inbox.exchange(len(jobs), self._run(jobs, runners), self._most_jobs)
        return True

    def _run(self, jobs: list[Job], runners: _Runners) -> list[Job]:
        """Runs one batch; returns the unfinished jobs.

        If the batch fails, each search has a batch of its own, so that only those fail that cannot be evaluated.
        """
        runner: BatchRunner | None = None
        try:
            runner = runners.get(jobs[0].shape)
            advanced = self._turn(jobs, runner)
        except BaseException as error:  # including a panic in the core: report it to the owners and continue
            if runner is not None:
                runner.cancel()
            if len(jobs) > 1:
                return [unfinished for job in jobs for unfinished in self._run([job], runners)]
            fail(jobs[0], error)
            return []
        return [job for job, done in advanced if self._goes_on(job, done)]

    def _turn(self, jobs: list[Job], runner: BatchRunner) -> list[tuple[Job, int]]:
        """Gathers, evaluates and scatters once; returns the jobs still wanted, with their numbers of simulations."""
        # Sorted, so that two threads never wait for each other's turn.
        turns = sorted([job.turn for job in jobs], key=id)
        for turn in turns:
            turn.acquire()
        try:
            now = now_ms()
            jobs = [job for job in jobs if still_wanted(job, now)]
            wanted = [simulations_wanted(job, now) for job in jobs]
            rows = runner.gather([job.search for job in jobs], wanted)
        finally:
            for turn in turns:
                turn.release()
        ran = runner.evaluate(rows)
        self._tally.add_turn(rows, sum(ran))
        return list(zip(jobs, ran, strict=True))

    def _goes_on(self, job: Job, done: int) -> bool:
        """Counts the simulations of a turn; delivers the result if that ends the evaluation."""
        try:
            with job.turn:
                goes_on = job.count(done)
            if goes_on:
                return True
            self._finish(job)
        except BaseException as error:  # as above
            fail(job, error)
        return False
