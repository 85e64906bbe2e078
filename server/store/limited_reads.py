"""Reads for lists: on threads and connections of their own, and for a limited time.

However many clients request lists, and however long they take, the threads that read games stay free.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any, Final, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from server.store.postgres_limits import set_up
from server.store.sql_engine import open_engine

THREADS: Final = 2
"""Each keeps a connection."""

STEPS: Final = 10_000
"""After how many instructions of its virtual machine SQLite checks the time: about once in a millisecond."""

QUERY_CANCELED: Final = "57014"
"""Postgres' code of a statement that took too long."""

T = TypeVar("T")


class TooLongError(Exception):
    """A read took longer than it may."""


class LimitedReads:
    """Reads from the database at ``url``, each for at most ``limit`` seconds, with the time until its turn.

    On Postgres, each of its statements may take so long.
    """

    def __init__(self, url: str, limit: float) -> None:
        self._limit = limit
        self._engine = open_engine(url)
        self._is_sqlite = self._engine.dialect.name == "sqlite"
        if not self._is_sqlite:
            # Compiling a statement takes Postgres longer than any list.
            set_up(self._engine, {"statement_timeout": f"{max(1, round(limit * 1000))}ms", "jit": "off"})
            # Begin and end of a transaction would be two more answers to wait for.
            self._engine = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._threads = ThreadPoolExecutor(THREADS, "store-lists")

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Returns the result of ``work``. TooLongError after the limit; SQLAlchemyError if the database fails."""
        deadline = monotonic() + self._limit

        def run() -> T:
            if monotonic() >= deadline:
                raise TooLongError
            with self._engine.connect() as connection:
                return self._within(deadline, connection, work)

        return await asyncio.get_running_loop().run_in_executor(self._threads, run)

    def close(self) -> None:
        """Waits for what is being read, and closes the connections."""
        self._threads.shutdown()
        self._engine.dispose()

    def _within(self, deadline: float, connection: Connection, work: Callable[[Connection], T]) -> T:
        driver: Any = connection.connection.driver_connection
        try:
            if self._is_sqlite:
                driver.set_progress_handler(lambda: monotonic() >= deadline, STEPS)
            return work(connection)
        except DBAPIError as error:
            if _is_too_long(error):
                raise TooLongError from None
            raise
        finally:
            if self._is_sqlite:
                driver.set_progress_handler(None, 0)


def _is_too_long(error: DBAPIError) -> bool:
    code = getattr(error.orig, "sqlite_errorcode", None) or getattr(error.orig, "sqlstate", None)
    return code in (sqlite3.SQLITE_INTERRUPT, QUERY_CANCELED)
