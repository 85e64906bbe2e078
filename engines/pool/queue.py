"""The order of the jobs.

The most urgent class comes first, and jobs take turns within a class. Every few turns, the jobs that have waited
longest run, so that no class starves. Pondering jobs run only if no other job is queued. Jobs that are taken together
have the same shape, because the rows of a batch do. Not thread-safe: callers hold a lock.
"""

from collections import deque

from engines.inference import Signature
from engines.pool.job import Job, Priority

AGING = 8
"""Every this many turns, those jobs are taken that have waited longest, whatever their class."""

Line = deque[tuple[int, Job]]
"""Jobs with the turn in which each was queued."""

Key = tuple[Priority, Signature | None]
"""Class and shape."""


class JobQueue:
    """Jobs waiting for a turn."""

    def __init__(self) -> None:
        self._lines: dict[Key, Line] = {}
        """None is empty."""
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
        keys = [key for key in self._lines if key[0] is not Priority.PONDER] or list(self._lines)
        self._turn += 1
        if self._turn % AGING == 0:
            keys.sort(key=self._waiting_since)
        else:
            keys.sort(key=lambda key: (key[0], self._waiting_since(key)))
        jobs: list[Job] = []
        for key in keys:
            if key[1] == keys[0][1]:
                jobs += self._pop(key, most - len(jobs))
        return jobs

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

    def _waiting_since(self, key: Key) -> int:
        return self._lines[key][0][0]

    def _pop(self, key: Key, most: int) -> list[Job]:
        line = self._lines[key]
        jobs = [line.popleft()[1] for _ in range(min(most, len(line)))]
        self._drop_if_empty(key)
        return jobs

    def _drop_if_empty(self, key: Key) -> None:
        if not self._lines[key]:
            del self._lines[key]
