"""One thread that writes.

Whatever is waiting goes into one transaction, so that many appends share one durable commit.

Each job has a savepoint of its own, so a refused one does not hurt its neighbours. Knows no table;
``sql_store`` does.
"""

import asyncio
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from prometheus_client import Histogram
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import IntegrityError

from server.services.meters import timed

MAX_GROUP = 256
"""The most jobs in one transaction."""

T = TypeVar("T")


class RefusedError(Exception):
    """Raised by the work to refuse its job: only that job is undone. It reaches the caller."""


@dataclass(frozen=True, slots=True)
class _Job(Generic[T]):
    payload: T
    done: "asyncio.Future[None]"
    loop: asyncio.AbstractEventLoop


class GroupCommit(Generic[T]):
    """Runs ``work(connection, payload)`` for each submitted payload on its own thread, in groups."""

    def __init__(self, engine: Engine, work: Callable[[Connection, T], None], seconds: Histogram) -> None:
        """``seconds`` is told how long each transaction took."""
        self._engine = engine
        self._work = work
        self._seconds = seconds
        self._jobs: queue.SimpleQueue[_Job[T] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    async def submit(self, payload: T) -> None:
        """Returns once the payload's work is durable.

        RefusedError, or the database's DBAPIError: nothing of it remains.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._jobs.put(_Job(payload, done, loop))
        await done

    async def close(self) -> None:
        """Finishes what was submitted and ends the thread."""
        self._jobs.put(None)
        await asyncio.get_running_loop().run_in_executor(None, self._thread.join)

    def _run(self) -> None:
        while (first := self._jobs.get()) is not None:
            group, is_last = [first], False
            while len(group) < MAX_GROUP and not self._jobs.empty():
                job = self._jobs.get()
                if job is None:
                    is_last = True
                    break
                group.append(job)
            self._settle(group)
            if is_last:
                return

    def _settle(self, group: Sequence[_Job[T]]) -> None:
        try:
            outcomes = self._commit(group)
        except Exception as error:
            if len(group) > 1:  # One job may be too big for a full disk while others fit.
                for job in group:
                    self._settle([job])
                return
            outcomes = [error]
        for job, outcome in zip(group, outcomes, strict=True):
            _resolve(job, outcome)

    def _commit(self, group: Sequence[_Job[T]]) -> list[Exception | None]:
        with timed(self._seconds), self._engine.begin() as connection:
            return [self._attempt(connection, job.payload) for job in group]

    def _attempt(self, connection: Connection, payload: T) -> Exception | None:
        """What the job was refused for, if it was; any other error is the whole group's.

        After such an error there may be no savepoint to go back to, and the transaction is undone anyway.
        """
        savepoint = connection.begin_nested()
        try:
            self._work(connection, payload)
        except (RefusedError, IntegrityError) as refusal:
            savepoint.rollback()
            return refusal
        savepoint.commit()
        return None


def _resolve(job: _Job[T], outcome: Exception | None) -> None:
    def settle() -> None:
        if job.done.cancelled():
            return
        if outcome is None:
            job.done.set_result(None)
        else:
            job.done.set_exception(outcome)

    job.loop.call_soon_threadsafe(settle)
