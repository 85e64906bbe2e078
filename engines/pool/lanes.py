"""The threads of the pool. Each lane takes jobs from its queue, works on them for one short turn and puts them back.

``NativeLane``: workers that run whole simulations in the core, without the GIL. ``ModelLane``: one loop per model that
gathers leaves of all waiting searches, evaluates them at once and scatters the results. The loop is greedy: it takes
what waits, up to the batch size, and never sits out a timer.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import InvalidStateError
from contextlib import suppress

from engines import Batch
from engines.inference import Model
from engines.pool.job import Evaluation, Job, Priority
from engines.pool.queue import JobQueue
from engines.pool.statistics import EvaluatorStatistics, Tally

SLICE = 256
"""Simulations of one turn in the core, about a millisecond: a cancelled job stops within that."""


def now_ms() -> float:
    """Milliseconds of a clock that never goes back."""
    return time.monotonic() * 1000.0


class _Inbox:
    """A job queue shared between threads."""

    def __init__(self) -> None:
        self._queue = JobQueue()
        self._changed = threading.Condition()
        self._stopped = False

    def put(self, job: Job) -> None:
        with self._changed:
            if self._stopped:
                job.future.cancel()
                return
            self._queue.push(job)
            self._changed.notify()

    def take(self, most: int) -> list[Job]:
        """Waits for work and takes up to ``most`` jobs; none at all once stopped."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or len(self._queue) > 0)
            jobs: list[Job] = []
            while len(jobs) < most and not self._stopped and (job := self._queue.pop()):
                jobs.append(job)
            return jobs

    def waiting(self) -> dict[Priority, int]:
        """Jobs per class."""
        with self._changed:
            return self._queue.waiting()

    def stop(self) -> None:
        with self._changed:
            self._stopped = True
            while job := self._queue.pop():
                job.future.cancel()
            self._changed.notify_all()


def _alive(job: Job) -> bool:
    """Whether the job is still wanted; begins it."""
    if job.future.cancelled():
        return False
    job.begin(now_ms())
    return True


def _wanted(job: Job) -> int:
    """Simulations wanted now; 0 when the evaluation is complete."""
    while True:
        wanted = job.wanted(now_ms())
        if wanted > 0 or not job.next_phase():
            return wanted


def _fail(job: Job, error: BaseException) -> None:
    with suppress(InvalidStateError):  # it was cancelled meanwhile
        job.future.set_exception(error)


def run_alone(job: Job) -> Evaluation:
    """Runs a job of an evaluator in the core to its end, in the caller's thread."""
    job.begin(now_ms())
    while (wanted := _wanted(job)) and job.search.run(min(wanted, SLICE)):
        pass
    job.finish()
    return job.future.result()


class Lane:
    """Threads that work on jobs of one queue."""

    def __init__(self, work: Callable[[], None], threads: int, name: str) -> None:
        self._inbox = _Inbox()
        self._tally = Tally()
        self._threads = [
            threading.Thread(target=work, name=f"engine-{name}-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Job) -> None:
        """Takes a job; its future is settled when it is done, cancelled or failed."""
        self._inbox.put(job)

    def waiting(self) -> dict[Priority, int]:
        """Jobs that wait for a turn, per class."""
        return self._inbox.waiting()

    def _settle(self, job: Job, *, done: bool) -> None:
        """Finishes a job that is done and puts any other back in the queue."""
        if job.future.cancelled():
            return
        if not done:
            self._inbox.put(job)
        elif job.future.set_running_or_notify_cancel():
            self._tally.add_evaluation()
            job.finish()

    def stop(self) -> None:
        """Ends the threads; jobs that still wait are cancelled."""
        self._inbox.stop()
        for thread in self._threads:
            thread.join()


class NativeLane(Lane):
    """Worker threads for evaluators in the core."""

    def __init__(self, threads: int) -> None:
        super().__init__(self._work, threads, "native")

    def statistics(self) -> EvaluatorStatistics:
        """What the workers have done."""
        return self._tally.read("native", "core", None)

    def _work(self) -> None:
        while jobs := self._inbox.take(1):
            job = jobs[0]
            with job.turn:
                try:
                    self._turn(job)
                except (
                    BaseException
                ) as error:  # a panic of the core as well: its owner is told, the worker goes on
                    _fail(job, error)

    def _turn(self, job: Job) -> None:
        if not _alive(job):
            return
        wanted = _wanted(job)
        # None at all: the game is over at the root and there is nothing to search.
        ran = job.search.run(min(wanted, SLICE)) if wanted > 0 else 0
        if ran > 0:
            self._tally.add_batch(ran)
            self._tally.add_simulations(ran)
        self._settle(job, done=ran == 0)


class ModelLane(Lane):
    """The batching loop of one model."""

    def __init__(self, model: Model, batch_size: int, parallel: int) -> None:
        signature = model.signature
        self.model = model
        self._parallel = parallel
        self._batch_size = batch_size
        self._batch = Batch(
            signature.planes, signature.dim2, signature.dim3, signature.policy, signature.values, batch_size
        )
        super().__init__(self._loop, 1, model.name)

    @property
    def batch(self) -> Batch:
        """Says which positions the model fits."""
        return self._batch

    def statistics(self) -> EvaluatorStatistics:
        """What the loop has done."""
        return self._tally.read(self.model.name, self.model.provider, None)

    def _loop(self) -> None:
        most = max(1, self._batch_size // self._parallel)
        while taken := self._inbox.take(most):
            jobs = [job for job in taken if _alive(job)]
            try:
                done = self._turn(jobs)
                for job in jobs:
                    self._settle(job, done=job in done)
            except (
                BaseException
            ) as error:  # a panic of the core as well: its owners are told, the loop goes on
                self._batch.cancel()
                for job in jobs:
                    _fail(job, error)

    def _turn(self, jobs: list[Job]) -> set[Job]:
        """Gathers, evaluates and scatters once; the jobs that need no more."""
        wanted = [_wanted(job) for job in jobs]
        visits = [job.search.visits for job in jobs]
        self._batch.gather([job.search for job in jobs], [min(self._parallel, want) for want in wanted])
        if self._batch.rows > 0:
            priors, values = self.model.evaluate(self._batch.input)
            self._tally.add_batch(len(values))
            self._batch.scatter(priors, values)
        ran = [job.search.visits - before for job, before in zip(jobs, visits, strict=True)]
        self._tally.add_simulations(sum(ran))
        return {job for job, want, done in zip(jobs, wanted, ran, strict=True) if want == 0 or done == 0}
