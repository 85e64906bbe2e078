"""Appends to logs in Postgres on the event loop: all those that wait, in one round trip.

The ordinary way takes four for an append (BEGIN, the game's row, its events, COMMIT), each of which wakes the writing
thread, and two wake-ups between the threads. Here one statement writes the row and the events, and libpq sends the
statements of a group as one pipeline, which is one transaction. Only plain appends are written like this; the writing
thread writes the others, and those that fail or are refused here. Called by ``sql_store``.
"""

import asyncio
import select
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from operator import itemgetter
from time import perf_counter
from typing import Any, Final

from prometheus_client import Histogram
from psycopg import AsyncConnection, Error, OperationalError
from psycopg.pq import ConnStatus, ExecStatus
from psycopg.pq.abc import PGconn, PGresult
from sqlalchemy import bindparam, cast, insert, union_all, update
from sqlalchemy import select as select_rows
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError as LostError

from server.ports.store import Append
from server.store.postgres_limits import CONNECT_SECONDS, WRITING, limits, statements
from server.store.sql_logs import event_values, is_expected, is_held, listing_values, renewed
from server.store.sql_tables import EventRow, GameRow

games = GameRow.__table__  # type: ignore[attr-defined]  # the table behind the model
events = EventRow.__table__  # type: ignore[attr-defined]  # the table behind the model

MOST_EVENTS: Final = 4
"""The most events of a plain append. Each number of events has a statement of its own."""

MAX_GROUP: Final = 256
"""The most appends in one transaction."""

MAX_BYTES: Final = 40_000
"""The most bytes of one transaction, so that its end need not wait until the connection takes more.

A server that freezes in between keeps the rows locked for as long. libpq sends whenever 8 KiB are waiting, so this can
happen within ``_send`` nevertheless, which takes about a millisecond.
"""

STATEMENT_BYTES: Final = 100
VALUE_BYTES: Final = 6
"""What the protocol adds to a statement, and to each of its values, at most."""

_OF_EVENT: Final = ("seq", "at_ms", "kind", "data")

_Shape = tuple[int, bool]
"""The number of events, and whether the append has a lease."""


@dataclass(frozen=True, slots=True)
class _Job:
    shape: _Shape
    values: list[bytes | None]
    size: int
    """The number of bytes to send, at most."""
    done: "asyncio.Future[bool | None]"


class PostgresAppends:
    """The plain appends of a server, on a connection of their own. Used from one event loop.

    Until there is a connection, the writing thread does everything.
    """

    def __init__(self, url: str, seconds: Histogram) -> None:
        """``url``: the database's, as SQLAlchemy reads it. ``seconds`` records the duration of each transaction."""
        target = make_url(url).set(drivername="postgresql")
        self._url = target.render_as_string(hide_password=False)
        self._limits = limits(target)
        self._seconds = seconds
        self._connection: AsyncConnection[Any] | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._is_closed = False
        self._socket = -1
        """The connection's, also after libpq has closed it."""
        self._prepared: set[_Shape] = set()
        self._preparing: Sequence[_Shape] = ()
        self._waiting: list[_Job] = []
        self._sent: Sequence[_Job] = ()
        self._results: list[PGresult] = []
        self._began = 0.0

    async def submit(self, append: Append) -> bool | None:
        """Returns once the append is durable; False if it was refused, as one that changes the game's status always is.

        None if nothing was changed: because it is not plain or too long, there is no connection, or a statement of its
        group has failed. LostError if the connection is lost while the outcome is unknown.
        """
        if self._connection is None and self._connecting is None and not self._is_closed:
            self._connecting = asyncio.ensure_future(self._connect())
        if self._connection is None or not _is_plain(append):
            return None
        shape = len(append.events), append.lease is not None
        values = _values(shape, append)
        size = STATEMENT_BYTES + sum(VALUE_BYTES + len(value or b"") for value in values)
        if size > MAX_BYTES:
            return None
        job = _Job(shape, values, size, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        if not self._sent:
            self._send(self._connection.pgconn)
        return await job.done

    async def close(self) -> None:
        """Waits for what has been submitted, and disconnects."""
        self._is_closed = True
        if self._connecting is not None:
            self._connecting.cancel()
            await asyncio.gather(self._connecting, return_exceptions=True)
        jobs = [job.done for job in (*self._sent, *self._waiting)]
        await asyncio.gather(*jobs, return_exceptions=True)
        if self._connection is not None:
            asyncio.get_running_loop().remove_reader(self._socket)
            await self._connection.close()
            self._connection = None

    # ---- the connection --------------------------------------------------------------------------

    async def _connect(self) -> None:
        try:
            connection = await _connected(self._url, self._limits)
        except Error:
            await asyncio.sleep(CONNECT_SECONDS)  # The writing thread reports what is wrong.
        else:
            for has_lease in (False, True):
                _statement((1, has_lease))  # The first move need not wait until its statement is compiled.
            connection.pgconn.enter_pipeline_mode()
            self._socket = connection.pgconn.socket
            asyncio.get_running_loop().add_reader(self._socket, self._read)
            self._connection, self._prepared = connection, set()
        finally:
            self._connecting = None

    def _lose(self, error: Exception) -> None:
        """Nothing that waits has been sent yet, but what was sent may be durable."""
        connection, self._connection = self._connection, None
        if connection is not None:
            loop = asyncio.get_running_loop()
            loop.remove_reader(self._socket)
            loop.remove_writer(self._socket)
            connection.pgconn.finish()
        sent, waiting, self._sent, self._waiting = self._sent, self._waiting, (), []
        for job in sent:
            if not job.done.done():
                job.done.set_exception(
                    LostError(None, None, error, hide_parameters=True, connection_invalidated=True)
                )
        _resolve(waiting, (None for _ in waiting))

    # ---- a transaction ---------------------------------------------------------------------------

    def _send(self, libpq: PGconn) -> None:
        """Sends a group. All that is sent up to a synchronisation is one transaction."""
        if _is_readable(self._socket):
            self._read()  # A connection that has been lost can be read from.
        if self._connection is None:
            return
        count = _count(self._waiting)
        group, self._waiting = self._waiting[:count], self._waiting[count:]
        shapes = dict.fromkeys(job.shape for job in group)
        self._preparing = [shape for shape in shapes if shape not in self._prepared]
        self._sent, self._results, self._began = group, [], perf_counter()
        try:
            for shape in self._preparing:
                libpq.send_prepare(_name(shape), _statement(shape)[0])
            for job in group:
                libpq.send_query_prepared(_name(job.shape), job.values)
            libpq.pipeline_sync()
            self._flush()
        except OperationalError as error:
            self._lose(error)

    def _flush(self) -> None:
        """Sends as much as the connection takes, and the rest when it takes more."""
        if self._connection is None:
            return
        loop, libpq = asyncio.get_running_loop(), self._connection.pgconn
        try:
            is_left = libpq.flush()
        except OperationalError as error:
            self._lose(error)
            return
        if is_left:
            loop.add_writer(self._socket, self._flush)
        else:
            loop.remove_writer(self._socket)

    def _read(self) -> None:
        """Reads all that has arrived, to its end: once a socket has failed, uvloop calls this for the last time."""
        while self._connection is not None:
            self._take(self._connection.pgconn)
            if not _is_readable(self._socket):
                return

    def _take(self, libpq: PGconn) -> None:
        """Takes what one reading brings."""
        try:
            libpq.consume_input()
            while self._sent and not libpq.is_busy():
                result = libpq.get_result()
                if libpq.status == ConnStatus.BAD:  # It has no more results, and is never busy.
                    raise OperationalError("the connection is lost")
                if result is not None and result.status == ExecStatus.PIPELINE_SYNC:
                    self._finish(libpq)
                elif result is not None:  # None follows the result of each statement.
                    self._results.append(result)
        except OperationalError as error:
            self._lose(error)

    def _finish(self, libpq: PGconn) -> None:
        """Resolves the jobs of a group, and sends the next one."""
        self._seconds.observe(perf_counter() - self._began)
        prepared = zip(self._preparing, self._results, strict=False)
        self._prepared |= {shape for shape, result in prepared if result.status == ExecStatus.COMMAND_OK}
        results, jobs, self._sent = self._results[len(self._preparing) :], self._sent, ()
        if any(result.status != ExecStatus.COMMAND_OK for result in self._results):
            _resolve(jobs, (None for _ in jobs))
        else:
            pairs = zip(results, jobs, strict=True)
            _resolve(jobs, (result.command_tuples == job.shape[0] for result, job in pairs))
        if self._waiting:
            self._send(libpq)


async def _connected(url: str, limits: Mapping[str, Any]) -> AsyncConnection[Any]:
    """A connection for writing. Error if there is none."""
    connection = await AsyncConnection.connect(url, autocommit=True, **limits)
    try:
        await connection.execute(statements(WRITING).encode())
    except BaseException:
        await connection.close()
        raise
    return connection


def _resolve(jobs: Iterable[_Job], outcomes: Iterable[bool | None]) -> None:
    for job, outcome in zip(jobs, outcomes, strict=True):
        if not job.done.done():
            job.done.set_result(outcome)


def _count(waiting: Sequence[_Job]) -> int:
    """How many of the jobs belong into one transaction."""
    sizes = accumulate(job.size for job in waiting[:MAX_GROUP])
    return sum(size <= MAX_BYTES for size in sizes)


def _is_plain(change: Append) -> bool:
    is_of_one_game = change.also is None and change.expected_version > 0
    is_of_game_alone = not change.tokens and change.holder is None
    return is_of_one_game and is_of_game_alone and len(change.events) <= MOST_EVENTS


def _is_readable(socket: int) -> bool:
    poll = select.poll()
    poll.register(socket, select.POLLIN)
    return bool(poll.poll(0))


# ---- statements ----------------------------------------------------------------------------------


def _name(shape: _Shape) -> bytes:
    return b"plyhouse_append_%d_%d" % shape


@cache
def _statement(shape: _Shape) -> tuple[bytes, Any]:
    """The text of a statement, and what selects its values in their order from those by name."""
    count, has_lease = shape
    renew = update(games).where(*is_expected)
    if has_lease:
        renew = renew.where(*is_held)
    game = renew.values(renewed).returning(games.c.game_id).cte("renewed")
    rows = [
        select_rows(
            game.c.game_id,
            *(cast(bindparam(f"{name}_{number}"), events.c[name].type) for name in _OF_EVENT),
        )
        for number in range(count)
    ]
    added = insert(events).from_select(["game_id", *_OF_EVENT], union_all(*rows))
    dialect = PGDialect(paramstyle="numeric_dollar")  # type: ignore[no-untyped-call]  # has no annotation
    compiled: Any = added.compile(dialect=dialect)
    return str(compiled).encode(), itemgetter(*compiled.positiontup)


def _values(shape: _Shape, append: Append) -> list[bytes | None]:
    values = listing_values(append)
    for number, recorded in enumerate(append.events):
        values |= {
            f"{name}_{number}": value for name, value in event_values(append.game_id, recorded).items()
        }
    return [_text(value) for value in _statement(shape)[1](values)]


def _text(value: Any) -> bytes | None:  # noqa: ANN401 - any value of a column
    """A value as libpq takes it, in Postgres' text format."""
    if isinstance(value, str):
        return value.encode()
    if value is None:
        return None
    return b"%d" % value  # Postgres reads a number as a boolean only if it is 0 or 1, as these are.
