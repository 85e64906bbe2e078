"""The order of the jobs.

The most urgent class comes first, and jobs take turns within a class. Every few turns the job that has waited longest
runs, so that no class starves. Pondering jobs run only if no other job is queued. Jobs that are taken together have
the same shape, because the rows of a batch do. Not thread-safe: callers hold a lock.
"""

from collections import deque
from collections.abc import Collection

from engines.inference import Signature
from engines.pool.job import Job, Priority

AGING = 8
"""Every this many turns, the job that has waited longest is taken, whatever its class."""

PONDERING = frozenset({Priority.PONDER})
REQUESTED = frozenset(Priority) - PONDERING

Line = deque[tuple[int, Job]]
"""Jobs with the turn in which each was queued."""


class JobQueue:
    """Jobs waiting for a turn."""

    def __init__(self) -> None:
        self._lines: dict[tuple[Priority, Signature | None], Line] = {}
        """By class and shape; none is empty."""
        self._turn = 0

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def waiting(self) -> dict[Priority, int]:
        """Number of waiting jobs per class."""
        counts = dict.fromkeys(Priority, 0)
        for (priority, _), line in self._lines.items():
            counts[priority] += len(line)
        return counts

    def push(self, job: Job) -> None:
        """Puts a job at the end of its class."""
        self._lines.setdefault((job.priority, job.shape), deque()).append((self._turn, job))

    def take(self, most: int) -> list[Job]:
        """Takes up to ``most`` jobs of one shape; returns an empty list if none are waiting."""
        return self._take(most, REQUESTED) or self._take(most, PONDERING)

    def remove(self, job: Job) -> None:
        """Removes a job if it is in the queue."""
        key = (job.priority, job.shape)
        line = self._lines.get(key, deque())
        found = next((entry for entry in line if entry[1] is job), None)
        if found is not None:
            line.remove(found)
            self._drop_if_empty(key)

    def clear(self) -> list[Job]:
        """Removes and returns all jobs."""
        jobs = [job for line in self._lines.values() for _, job in line]
        self._lines.clear()
        return jobs

    def _take(self, most: int, classes: Collection[Priority]) -> list[Job]:
        jobs: list[Job] = []
        while len(jobs) < most and (job := self._pop(classes, jobs)):
            jobs.append(job)
        return jobs

    def _pop(self, classes: Collection[Priority], taken: list[Job]) -> Job | None:
        """The next job of these classes that has the shape of those taken in the same turn."""
        shapes = {job.shape for job in taken[:1]}
        keys = [key for key in self._lines if key[0] in classes and (not shapes or key[1] in shapes)]
        if not keys:
            return None
        self._turn += 1
        is_aging = self._turn % AGING == 0
        key = min(keys, key=lambda key: (0 if is_aging else key[0], self._lines[key][0][0]))
        _, job = self._lines[key].popleft()
        self._drop_if_empty(key)
        return job

    def _drop_if_empty(self, key: tuple[Priority, Signature | None]) -> None:
        if not self._lines[key]:
            del self._lines[key]
