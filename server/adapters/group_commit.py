"""One thread that writes.

Whatever is waiting goes into one transaction, so that many appends share one durable commit.

A job that is refused has written nothing, so its neighbours need not know. When a job fails otherwise, all is undone
and each job gets a transaction of its own: every job is done as a whole or not at all. Knows no table; ``sql_store``
does.
"""

import asyncio
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Generic, TypeVar

from prometheus_client import Histogram
from sqlalchemy import Connection, Engine

from server.services.meters import timed

MAX_GROUP = 256
"""The most jobs in one transaction."""

REST_SECONDS = 30.0
"""A connection that was not used for longer is taken from the pool anew, which checks that it still works."""

T = TypeVar("T")


class RefusedError(Exception):
    """The work refuses its job: nothing of it remains."""


@dataclass(frozen=True, slots=True)
class _Job(Generic[T]):
    payload: T
    done: "asyncio.Future[None]"


class GroupCommit(Generic[T]):
    """Runs ``work(connection, payload)`` for each submitted payload on its own thread, in groups.

    The work returns False where it refuses the payload and has written nothing; once it has, it raises RefusedError.
    """

    def __init__(self, engine: Engine, work: Callable[[Connection, T], bool], seconds: Histogram) -> None:
        """``seconds`` is told how long each transaction took."""
        self._engine = engine
        self._work = work
        self._seconds = seconds
        self._connection: Connection | None = None
        self._used_at = 0.0
        self._jobs: queue.SimpleQueue[_Job[T] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    async def submit(self, payload: T) -> None:
        """Returns once the payload's work is durable.

        RefusedError, or the database's DBAPIError: nothing of it remains.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job(payload, done))
        await done

    async def close(self) -> None:
        """Finishes what was submitted and ends the thread."""
        self._jobs.put(None)
        await asyncio.get_running_loop().run_in_executor(None, self._thread.join)

    def _run(self) -> None:
        is_last = False
        while not is_last and (first := self._jobs.get()) is not None:
            group = [first]
            while len(group) < MAX_GROUP and not self._jobs.empty():
                job = self._jobs.get()
                if job is None:
                    is_last = True
                    break
                group.append(job)
            self._settle(group)
        self._disconnect()

    def _settle(self, group: Sequence[_Job[T]]) -> None:
        try:
            outcomes = self._commit(group)
        except Exception as error:
            self._disconnect()
            if len(group) > 1:
                for job in group:
                    self._settle([job])
                return
            outcomes = (error,)
        _resolve(group, outcomes)

    def _commit(self, group: Sequence[_Job[T]]) -> Sequence[Exception | None]:
        connection = self._connect()
        with timed(self._seconds), connection.begin():
            outcomes = [None if self._work(connection, job.payload) else RefusedError() for job in group]
        self._used_at = monotonic()
        return outcomes

    def _connect(self) -> Connection:
        if self._connection is not None and monotonic() - self._used_at > REST_SECONDS:
            self._disconnect()
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def _resolve(group: Sequence[_Job[T]], outcomes: Sequence[Exception | None]) -> None:
    """Wakes each event loop once."""
    for loop in {job.done.get_loop() for job in group}:
        loop.call_soon_threadsafe(_tell, loop, group, outcomes)


def _tell(
    loop: asyncio.AbstractEventLoop, group: Sequence[_Job[T]], outcomes: Sequence[Exception | None]
) -> None:
    for job, outcome in zip(group, outcomes, strict=True):
        if job.done.get_loop() is not loop or job.done.cancelled():
            continue
        if outcome is None:
            job.done.set_result(None)
        else:
            job.done.set_exception(outcome)
