"""Appends to logs in Postgres: all those of a group in one round trip.

The ordinary way takes four for an append (BEGIN, the game's row, its events, COMMIT), and each wakes the writing
thread. Here one statement writes the row and the events, and libpq sends the statements of a group as one pipeline,
which is one transaction. Only plain appends are written like this; ``sql_logs`` writes the others, and those that
fail here. Called by ``group_commit``.
"""

import select
from collections.abc import Sequence
from functools import cache
from operator import itemgetter
from typing import Any, Final

from psycopg import Connection as Driver
from psycopg import OperationalError
from psycopg.pq import ConnStatus, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGconn, PGresult
from sqlalchemy import Connection, bindparam, cast, insert, union_all, update
from sqlalchemy import select as select_rows
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.exc import OperationalError as LostError

from server.adapters.sql_logs import event_values, is_held, listing_values, renewed
from server.adapters.sql_tables import EventRow, GameRow
from server.ports.store import Append

games = GameRow.__table__  # type: ignore[attr-defined]  # the table behind the model
events = EventRow.__table__  # type: ignore[attr-defined]  # the table behind the model

MOST_EVENTS: Final = 4
"""The most events of a plain append. Each number of events has a statement of its own."""

_OF_EVENT: Final = ("seq", "at_ms", "kind", "data")

_Shape = tuple[int, bool]
"""The number of events, and whether the append has a lease."""


class PostgresAppends:
    """Commits groups of plain appends. Each connection prepares the statements that it needs."""

    def __init__(self) -> None:
        self._connection: PGconn | None = None
        self._prepared: set[_Shape] = set()

    def commit(self, connection: Connection, changes: Sequence[object]) -> Sequence[bool] | None:
        """Returns which changes were accepted, once these are durable; the others have written nothing.

        None if nothing was changed: because not all are plain appends, a statement failed, or the connection was lost
        before. LostError if it is lost while the outcome is unknown.
        """
        appends = [change for change in changes if isinstance(change, Append) and _is_plain(change)]
        driver = connection.connection.driver_connection
        if len(appends) < len(changes) or not isinstance(driver, Driver) or not _is_ready(driver.pgconn):
            return None
        try:
            results = self._run(driver.pgconn, appends)
        except OperationalError as error:
            connection.invalidate()
            raise LostError(None, None, error, hide_parameters=True, connection_invalidated=True) from error
        if any(result.status != ExecStatus.COMMAND_OK for result in results):
            return None
        return [
            result.command_tuples == len(one.events) for result, one in zip(results, appends, strict=True)
        ]

    def _run(self, libpq: PGconn, appends: Sequence[Append]) -> list[PGresult]:
        """The result of each append. All that is sent up to a synchronisation is one transaction."""
        shapes = [(len(append.events), append.lease is not None) for append in appends]
        if libpq is not self._connection:
            self._connection, self._prepared = libpq, set()
        new = [shape for shape in dict.fromkeys(shapes) if shape not in self._prepared]
        libpq.enter_pipeline_mode()
        for shape in new:
            libpq.send_prepare(_name(shape), _statement(shape)[0])
        for shape, append in zip(shapes, appends, strict=True):
            libpq.send_query_prepared(_name(shape), _values(shape, append))
        libpq.pipeline_sync()
        results = _results(libpq)
        libpq.exit_pipeline_mode()
        prepared = zip(new, results, strict=False)
        self._prepared |= {shape for shape, result in prepared if result.status == ExecStatus.COMMAND_OK}
        return results[len(new) :]


def _is_plain(change: Append) -> bool:
    is_of_one_game = change.also is None and change.expected_version > 0
    return (
        is_of_one_game and not change.tokens and change.holder is None and len(change.events) <= MOST_EVENTS
    )


def _is_ready(libpq: PGconn) -> bool:
    """Whether the connection is idle and works as far as is known: a lost one can be read from."""
    is_idle = libpq.status == ConnStatus.OK and libpq.transaction_status == TransactionStatus.IDLE
    return is_idle and not _poll(libpq, select.POLLIN, timeout=0)


def _results(libpq: PGconn) -> list[PGresult]:
    """The results up to the synchronisation. Waits without the GIL, which ``get_result`` would keep."""
    while libpq.flush():
        _poll(libpq, select.POLLIN | select.POLLOUT)
        libpq.consume_input()
    results: list[PGresult] = []
    while True:
        while libpq.is_busy():
            _poll(libpq, select.POLLIN)
            libpq.consume_input()
        result = libpq.get_result()
        if result is None:
            continue  # After the result of each statement.
        if result.status == ExecStatus.PIPELINE_SYNC:
            return results
        results.append(result)


def _poll(libpq: PGconn, events: int, timeout: int | None = None) -> bool:
    poll = select.poll()
    poll.register(libpq.socket, events)
    return bool(poll.poll(timeout))


# ---- statements ----------------------------------------------------------------------------------


def _name(shape: _Shape) -> bytes:
    return b"plyhouse_append_%d_%d" % shape


@cache
def _statement(shape: _Shape) -> tuple[bytes, Any]:
    """The text of a statement, and what selects its values in their order from those by name."""
    count, has_lease = shape
    renew = update(games).where(
        games.c.game_id == bindparam("this_game"), games.c.version == bindparam("expected_version")
    )
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
