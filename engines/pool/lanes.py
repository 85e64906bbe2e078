"""The threads of the pool. Each lane takes jobs from its queue, works on them for one short turn and puts them back.

Here is what lanes have in common, and ``NativeLane``: workers that run whole simulations in the core, without the GIL.
``model_lane.py`` has the lane of a network.
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

from engines import Search
from engines.pool.job import Evaluation, Job, Priority
from engines.pool.queue import JobQueue
from engines.pool.statistics import EvaluatorStatistics, Tally

SLICE_MS = 5
"""Longest turn in the core, when others may wait. With shorter ones the event loop would find a worker between two
turns, and so the interpreter taken, more often."""


NICENESS = 10
"""Of threads that never run out of work: the event loop need not wait for one of them to be interrupted, and they still
have a tenth of a core that another program wants all of."""


def step_back() -> None:
    """Lets the threads that answer somebody go before the calling one (on Linux, where each has its niceness)."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


def now_ms() -> float:
    """Milliseconds of a clock that never goes back."""
    return time.monotonic() * 1000.0


class Inbox:
    """A job queue shared between the threads of a lane."""

    def __init__(self, threads: int) -> None:
        self._queue = JobQueue()
        self._changed = threading.Condition()
        self._stopped = False
        self._threads = threads
        self._in_hand = 0
        """Jobs that were taken and not returned."""

    def put(self, job: Job) -> None:
        """A job waits from now on; once stopped it is cancelled."""
        self.give_back(0, [job])

    def take(self, most: int) -> list[Job]:
        """Waits for work and takes up to ``most`` jobs, but no more than a thread's share; none at all once stopped."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or len(self._queue) > 0)
            if self._stopped:
                return []
            share = -(-(len(self._queue) + self._in_hand) // self._threads)
            jobs = self._queue.take(min(most, share))
            self._in_hand += len(jobs)
            return jobs

    def give_back(self, taken: int, unfinished: list[Job]) -> None:
        """Ends a turn of ``taken`` jobs; the unfinished ones wait for another."""
        with self._changed:
            self._in_hand -= taken
            stopped = self._stopped
            for job in [] if stopped else unfinished:
                if not job.future.cancelled():
                    self._queue.push(job)
            self._changed.notify(len(unfinished))
        if stopped:
            cancel(unfinished)

    def withdraw(self, job: Job) -> None:
        """A cancelled job waits no longer: it would hold its tree until its turn came."""
        with self._changed:
            self._queue.remove(job)

    def waiting(self) -> dict[Priority, int]:
        """Jobs per class."""
        with self._changed:
            return self._queue.waiting()

    def stop(self) -> None:
        """Cancels what waits, and everything that comes after."""
        with self._changed:
            self._stopped = True
            left = self._queue.clear()
            self._changed.notify_all()
        cancel(left)


def cancel(jobs: list[Job]) -> None:
    """Tells the owners at once. Nobody may hold a lock here that an owner might want."""
    for job in jobs:
        job.future.cancel()


def still_wanted(job: Job, now: float) -> bool:
    """Starts the job, unless it was cancelled; returns whether it was started."""
    if job.future.cancelled():
        return False
    job.begin(now)
    return True


def simulations_wanted(job: Job, now: float) -> int:
    """How many the job still wants at a time in milliseconds; 0 when the evaluation is complete."""
    while True:
        wanted = job.wanted(now)
        if wanted > 0 or not job.next_phase():
            return wanted


def fail(job: Job, error: BaseException) -> None:
    """Tells the owner what went wrong."""
    with suppress(InvalidStateError):  # it was cancelled meanwhile
        job.future.set_exception(error)


def run_in_core(search: Search, wanted: int) -> int:
    """A slice of simulations with the core's evaluator; the number done."""
    return search.run(wanted, SLICE_MS)


def run_alone(job: Job, run: Callable[[Search, int], int] = run_in_core) -> Evaluation:
    """Runs a job to its end in the caller's thread. ``run`` does some of the simulations that are wanted."""
    job.begin(now_ms())
    while (wanted := simulations_wanted(job, now_ms())) and (ran := run(job.search, wanted)):
        job.count(ran)
    job.finish()
    return job.future.result()


class Lane(ABC):
    """Threads that work on jobs of one queue."""

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
        """The loop of one thread; ends when the inbox has stopped."""

    @abstractmethod
    def statistics(self) -> EvaluatorStatistics:
        """What the threads have done."""

    def submit(self, job: Job) -> None:
        """Takes a job; its future is settled when it is done, cancelled or failed."""
        held = weakref.ref(job)  # a future keeps its callbacks, and the job its tree: no circle may keep both

        def settled(future: Future[Evaluation]) -> None:
            if future.cancelled() and (cancelled := held()):
                self._drop(cancelled)

        job.future.add_done_callback(settled)
        self._inbox.put(job)

    def waiting(self) -> dict[Priority, int]:
        """Jobs that wait for a turn, per class."""
        return self._inbox.waiting()

    def _drop(self, job: Job) -> None:
        """Withdraws the job from the queue."""
        self._inbox.withdraw(job)

    def _finish(self, job: Job) -> None:
        """Delivers a result, unless the job was cancelled."""
        if job.future.set_running_or_notify_cancel():
            if job.priority is not Priority.PONDER:
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
        super().__init__(threads, "native")

    def statistics(self) -> EvaluatorStatistics:
        """What the workers have done."""
        return self._tally.read("native", "core", None)

    def _drop(self, job: Job) -> None:
        """A turn under way ends at once."""
        super()._drop(job)
        job.search.interrupt()

    def _work(self) -> None:
        step_back()
        while self._serve():  # in a call of its own, so that an idle worker holds no tree
            pass

    def _serve(self) -> bool:
        """Waits for a job and gives it a turn; ``False`` when the inbox has stopped."""
        jobs = self._inbox.take(1)
        if not jobs:
            return False
        unfinished: list[Job] = []
        job = jobs[0]
        try:
            if self._turn(job):
                unfinished = jobs
            else:
                self._finish(job)
        except BaseException as error:  # including a panic in the core: report it to the owner and continue
            fail(job, error)
        self._inbox.give_back(1, unfinished)
        return True

    def _turn(self, job: Job) -> bool:
        """Searches for a while; whether that brought the job any further."""
        with job.turn:
            now = now_ms()
            if not still_wanted(job, now):
                return False
            wanted = simulations_wanted(job, now)
            # None at all: the game is over at the root and there is nothing to search.
            ran = run_in_core(job.search, wanted) if wanted > 0 else 0
            job.count(ran)
        if ran > 0:
            self._tally.add_batch(ran)
            self._tally.add_simulations(ran)
        return ran > 0
