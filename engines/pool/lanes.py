"""The threads of the pool. A lane takes jobs from its queue and works on them in short turns, between others that wait.

This module has the base class and ``NativeLane``, whose workers run whole simulations in the core, without the GIL.
The lane of a network is in ``model_lane.py``.
"""

import os
import sys
import threading
import time
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress

from engines import Evaluation, Search
from engines.pool.job import Job, Priority
from engines.pool.queue import JobQueue
from engines.pool.statistics import EvaluatorStatistics, Tally

SLICE_MS = 5
"""Maximum length of a turn in the core while other jobs may wait. With shorter turns, workers would hold the GIL
between turns more often when the event loop needs it."""


NICENESS = 10
"""Niceness of threads that never run out of work. The event loop preempts them at once, and they still get a tenth of a
core that another program keeps busy."""


def step_back() -> None:
    """Lowers the calling thread's priority below threads that answer requests (on Linux: niceness is per thread)."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


def now_ms() -> float:
    """Monotonic time in milliseconds."""
    return time.monotonic() * 1000.0


class Inbox:
    """A job queue shared between the threads of a lane."""

    def __init__(self, threads: int) -> None:
        self._queue = JobQueue()
        self._changed = threading.Condition()
        self._stopped = False
        self._threads = threads
        self._in_hand = 0
        """Number of jobs taken and not yet given back."""

    def put(self, job: Job) -> None:
        """Queues a job, or cancels it if the inbox has stopped."""
        with self._changed:
            stopped = self._stopped
            if not stopped and not job.future.cancelled():
                self._queue.push(job)
                self._changed.notify()
        if stopped:
            cancel([job])

    def take(self, most: int) -> list[Job]:
        """Waits for jobs and takes up to ``most``, limited to one thread's share; returns none once stopped."""
        with self._changed:
            while not self._stopped and len(self._queue) == 0:
                self._changed.wait()
            return [] if self._stopped else self._take_now(most)

    def exchange(self, taken: int, unfinished: list[Job], most: int) -> list[Job]:
        """Ends a turn of ``taken`` jobs and takes jobs for the next one, if there are any, without waiting.

        The thread keeps the unfinished jobs if no others are queued; otherwise they are queued again.
        """
        with self._changed:
            self._in_hand -= taken
            stopped = self._stopped
            if not stopped:
                wanted = [job for job in unfinished if not job.future.cancelled()]
                if len(self._queue) == 0 and len(wanted) <= self._share(len(wanted)):
                    self._in_hand += len(wanted)
                    return wanted
                for job in wanted:
                    self._queue.push(job)
                return self._take_now(most)
        cancel(unfinished)
        return []

    def _take_now(self, most: int) -> list[Job]:
        """Takes up to a thread's share of the queued jobs, and wakes another thread if it leaves any."""
        queued = len(self._queue)
        jobs = self._queue.take(min(most, self._share(queued)))
        self._in_hand += len(jobs)
        if len(jobs) < queued:
            self._changed.notify()
        return jobs

    def _share(self, queued: int) -> int:
        """The share of one thread if so many jobs are queued, rounded up."""
        return -(-(queued + self._in_hand) // self._threads)

    def withdraw(self, job: Job) -> None:
        """Removes a cancelled job, which would otherwise keep its tree in memory until its turn."""
        with self._changed:
            self._queue.remove(job)

    def waiting(self) -> dict[Priority, int]:
        """Number of waiting jobs per class."""
        with self._changed:
            return self._queue.waiting()

    def stop(self) -> None:
        """Cancels the waiting jobs and all later ones."""
        with self._changed:
            self._stopped = True
            left = self._queue.clear()
            self._changed.notify_all()
        cancel(left)


def cancel(jobs: list[Job]) -> None:
    """Cancels the jobs, which calls their owners' callbacks: callers must not hold a lock that these might need."""
    for job in jobs:
        job.future.cancel()


def still_wanted(job: Job, now: float) -> bool:
    """Starts the job unless it was cancelled; returns whether it was started."""
    if job.future.cancelled():
        return False
    job.begin(now)
    return True


def simulations_wanted(job: Job, now: float) -> int:
    """Simulations that the job still wants at time ``now`` (milliseconds); 0 if the evaluation is complete."""
    while True:
        wanted = job.wanted(now)
        if wanted > 0 or not job.next_phase():
            return wanted


def fail(job: Job, error: BaseException) -> None:
    """Sets the error on the job's future."""
    with suppress(InvalidStateError):  # the job was cancelled
        job.future.set_exception(error)


def run_in_core(search: Search, wanted: int) -> int:
    """Runs simulations with a native evaluator for one turn; returns the number done."""
    return search.run(wanted, SLICE_MS)


def run_alone(job: Job, run: Callable[[Search, int], int] = run_in_core) -> Evaluation:
    """Runs a job to its end in the calling thread. ``run`` does some of the wanted simulations and returns how many."""
    job.begin(now_ms())
    while (wanted := simulations_wanted(job, now_ms())) and job.count(run(job.search, wanted)):
        pass
    job.finish()
    return job.future.result()


class Lane(ABC):
    """Threads that work on the jobs of one queue."""

    def __init__(self, threads: int, name: str) -> None:
        self._inbox = Inbox(threads)
        self._tally = Tally()
        self._threads = [
            threading.Thread(target=self._work, name=f"engine-{name}-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    @abstractmethod
    def _work(self) -> None:
        """The loop of one thread; returns when the inbox has stopped."""

    @abstractmethod
    def statistics(self) -> EvaluatorStatistics:
        """The statistics of this lane."""

    def submit(self, job: Job) -> None:
        """Queues a job. Its future gets a result or an error, unless it is cancelled."""
        held = weakref.ref(job)  # avoids a cycle that would keep the tree: a future keeps its callbacks

        def settled(future: Future[Evaluation]) -> None:
            if future.cancelled() and (cancelled := held()):
                self._drop(cancelled)

        job.future.add_done_callback(settled)
        self._inbox.put(job)

    def waiting(self) -> dict[Priority, int]:
        """Number of waiting jobs per class."""
        return self._inbox.waiting()

    def _drop(self, job: Job) -> None:
        """Removes a cancelled job from the queue."""
        self._inbox.withdraw(job)

    def _finish(self, job: Job) -> None:
        """Delivers the result, unless the job was cancelled."""
        if job.future.set_running_or_notify_cancel():
            if job.priority is not Priority.PONDER:
                self._tally.add_evaluation()
            job.finish()

    def close(self) -> None:
        """Cancels the waiting jobs; the threads end after their current turn."""
        self._inbox.stop()

    def stop(self) -> None:
        """Cancels the waiting jobs and waits for the threads to end."""
        self.close()
        for thread in self._threads:
            thread.join()


class NativeLane(Lane):
    """Worker threads for native evaluators."""

    def __init__(self, threads: int) -> None:
        super().__init__(threads, "native")

    def statistics(self) -> EvaluatorStatistics:
        """The counts of this lane."""
        return self._tally.read("native", "core", None)

    def _drop(self, job: Job) -> None:
        """Removes a cancelled job and interrupts its current turn."""
        super()._drop(job)
        job.search.interrupt()

    def _work(self) -> None:
        step_back()
        while self._serve():  # a separate call, so that an idle worker keeps no tree alive
            pass

    def _serve(self) -> bool:
        """Waits for a job and runs jobs until none is queued; ``False`` if the inbox has stopped."""
        jobs = self._inbox.take(1)
        if not jobs:
            return False
        while jobs:
            jobs = self._inbox.exchange(1, self._run(jobs[0]), 1)
        return True

    def _run(self, job: Job) -> list[Job]:
        """Runs a job for one turn; returns it if it is unfinished."""
        try:
            if self._turn(job):
                return [job]
            self._finish(job)
        except BaseException as error:  # including a panic in the core: report it to the owner and continue
            fail(job, error)
        return []

    def _turn(self, job: Job) -> bool:
        """Searches for one turn; returns whether the evaluation goes on."""
        with job.turn:
            now = now_ms()
            if not still_wanted(job, now):
                return False
            wanted = simulations_wanted(job, now)
            # No simulations wanted and none done yet: the game is over at the root.
            ran = run_in_core(job.search, wanted) if wanted > 0 else 0
            goes_on = job.count(ran)
        self._tally.add_turn(ran, ran)
        return goes_on
