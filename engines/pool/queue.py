"""The order of the jobs.

The most urgent class comes first, and jobs take turns within a class. Every few turns the job that has waited longest
runs, so that no class starves. Pondering jobs run only if no other job is queued. Not thread-safe: callers hold a lock.
"""

from collections import deque

from engines.pool.job import Job, Priority

AGING = 8
"""Every this many turns, the job that has waited longest is taken, whatever its class."""


class JobQueue:
    """Jobs waiting for a turn."""

    def __init__(self) -> None:
        self._classes: dict[Priority, deque[tuple[int, Job]]] = {priority: deque() for priority in Priority}
        self._asked = [jobs for priority, jobs in self._classes.items() if priority is not Priority.PONDER]
        """All classes except pondering, the most urgent first."""
        self._turn = 0

    def __len__(self) -> int:
        return sum(len(jobs) for jobs in self._classes.values())

    def waiting(self) -> dict[Priority, int]:
        """Number of waiting jobs per class."""
        return {priority: len(jobs) for priority, jobs in self._classes.items()}

    def push(self, job: Job) -> None:
        """Puts a job at the end of its class."""
        self._classes[job.priority].append((self._turn, job))

    def take(self, most: int) -> list[Job]:
        """Takes up to ``most`` jobs; returns an empty list if none are waiting."""
        jobs: list[Job] = []
        while len(jobs) < most and (job := self._pop()):
            jobs.append(job)
        if jobs:
            return jobs
        pondering = self._classes[Priority.PONDER]
        return [pondering.popleft()[1] for _ in range(min(most, len(pondering)))]

    def remove(self, job: Job) -> None:
        """Removes a job if it is in the queue."""
        waiting = self._classes[job.priority]
        found = next((entry for entry in waiting if entry[1] is job), None)
        if found is not None:
            waiting.remove(found)

    def clear(self) -> list[Job]:
        """Removes and returns all jobs."""
        jobs = [job for waiting in self._classes.values() for _, job in waiting]
        for waiting in self._classes.values():
            waiting.clear()
        return jobs

    def _pop(self) -> Job | None:
        waiting = [jobs for jobs in self._asked if jobs]
        if not waiting:
            return None
        self._turn += 1
        jobs = min(waiting, key=lambda jobs: jobs[0][0]) if self._turn % AGING == 0 else waiting[0]
        return jobs.popleft()[1]
