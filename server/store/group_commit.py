"""A thread that writes to the database.

Everything that is waiting goes into one transaction, so that many appends share one durable commit. A large job waits
for all small ones and gets a transaction of its own, since small ones are moves, whose players wait.

A refused job has written nothing and does not affect the others. If a job fails otherwise, the transaction is rolled
back and each job gets one of its own, so that every job is done completely or not at all. If the connection is lost
while committing, nobody knows whether the group is durable, and all its jobs fail. Only ``sql_store`` knows the tables.
"""

import asyncio
import queue
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Generic, TypeVar

from prometheus_client import Histogram
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from server.services.recorded_metrics import timed

MAX_GROUP = 256
"""The most jobs in one transaction."""

BUSY_GROUP = 3
"""A transaction with so many jobs shows that more will come: a commit costs as much for one job as for many."""

PAUSE_SECONDS = 0.003
"""The minimum time from the beginning of such a transaction to that of the next one."""

REST_SECONDS = 30.0
"""A connection that has been idle for longer is returned to the pool, which checks that it still works."""

ENDED = "25P03"
"""Postgres' code of a session that it has ended in the middle of a transaction, which is rolled back."""

T = TypeVar("T")


class RefusedError(Exception):
    """The work refuses its job: nothing of it remains."""


@dataclass(frozen=True, slots=True)
class _Job(Generic[T]):
    payload: T
    done: "asyncio.Future[None]"


class GroupCommit(Generic[T]):
    """Runs ``work(connection, payloads)`` for the submitted payloads on its own thread, in groups.

    ``work`` returns whether it has accepted each payload. It must refuse one before writing anything; later it must
    raise RefusedError instead.
    """

    def __init__(
        self,
        engine: Engine,
        work: Callable[[Connection, Sequence[T]], Sequence[bool]],
        seconds: Histogram,
        is_large: Callable[[T], bool] = lambda _: False,
    ) -> None:
        """``seconds`` records the duration of each transaction."""
        self._engine = engine
        self._work = work
        self._seconds = seconds
        self._is_large = is_large
        self._large: deque[_Job[T]] = deque()
        """The large jobs that wait for small ones."""
        self._connection: Connection | None = None
        self._used_at = 0.0
        self._paused_until = 0.0
        """The time before which no transaction begins."""
        self._is_committing = False
        """Whether the current transaction may have been committed."""
        self._jobs: queue.SimpleQueue[_Job[T] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    async def submit(self, payload: T) -> None:
        """Returns once the payload's work is durable.

        RefusedError if nothing of it remains, otherwise the database's DBAPIError. If the connection was lost while
        committing, the work may be durable nevertheless.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job(payload, done))
        await done

    async def close(self) -> None:
        """Finishes all submitted jobs and ends the thread."""
        self._jobs.put(None)
        await asyncio.get_running_loop().run_in_executor(None, self._thread.join)

    def _run(self) -> None:
        is_last = False
        while not is_last or self._large:
            group: list[_Job[T]] = []
            while len(group) < MAX_GROUP and not is_last and (not self._jobs.empty() or self._is_idle(group)):
                job = self._jobs.get()
                if not group and (pause := self._paused_until - monotonic()) > 0:
                    sleep(pause)
                if job is None:
                    is_last = True
                else:
                    (self._large if self._is_large(job.payload) else group).append(job)
            if len(group) >= BUSY_GROUP:
                self._paused_until = monotonic() + PAUSE_SECONDS
            if group or self._large:
                self._settle(group or [self._large.popleft()])
        self._disconnect()

    def _is_idle(self, group: Sequence[_Job[T]]) -> bool:
        """Whether there is nothing to do but to wait for the next job."""
        return not group and not self._large

    def _settle(self, group: Sequence[_Job[T]]) -> Exception | None:
        """Commits the group, or each of its jobs if it was rolled back. Returns the error if there is no connection."""
        try:
            outcomes = self._commit(group)
        except Exception as error:
            is_connected = self._connection is not None
            is_rolled_back = is_connected and not self._may_be_durable(error)
            self._disconnect()
            if len(group) > 1 and is_rolled_back:
                return self._settle_each(group)
            _resolve(group, [error] * len(group))
            return None if is_connected else error
        _resolve(group, outcomes)
        return None

    def _settle_each(self, group: Sequence[_Job[T]]) -> Exception | None:
        for number, job in enumerate(group, start=1):
            if (error := self._settle([job])) is not None:
                rest = group[number:]  # Each of them would wait as long for a connection.
                _resolve(rest, [error] * len(rest))
                return error
        return None

    def _commit(self, group: Sequence[_Job[T]]) -> Sequence[Exception | None]:
        """Commits the group, on a new connection if the old one turns out to be lost before anything is committed."""
        try:
            return self._transact(group)
        except DBAPIError as error:
            if not error.connection_invalidated or self._may_be_durable(error):
                raise
        self._disconnect()
        return self._transact(group)

    def _may_be_durable(self, error: Exception) -> bool:
        if not self._is_committing or not isinstance(error, DBAPIError) or not error.connection_invalidated:
            return False
        return getattr(error.orig, "sqlstate", None) != ENDED

    def _transact(self, group: Sequence[_Job[T]]) -> Sequence[Exception | None]:
        self._is_committing = False
        connection = self._connect()
        with timed(self._seconds), connection.begin():
            accepted = self._work(connection, [job.payload for job in group])
            outcomes = [None if is_accepted else RefusedError() for is_accepted in accepted]
            self._is_committing = True
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
    """Resolves the futures of the jobs, waking each event loop once."""
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
