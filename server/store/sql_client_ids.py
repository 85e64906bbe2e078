"""Reads and writes the ids of bot clients. Called by ``sql_store``."""

from dataclasses import asdict, fields
from typing import Any

from sqlalchemy import Connection, Dialect, Select, bindparam, delete, false, insert, select, true, update

from server.domain.client_ids import ClientId
from server.store.sql_counts import CLIENT_IDS, Changes, read_counts
from server.store.sql_statement import Statement
from server.store.sql_tables import ClientIdRow

MAX_IDS = 100_000
"""The most ids that are stored besides those that are kept, since anyone can attach with any number of them.

The first to be deleted are those not of official bots, then those whose secret was never used, then those that attached
longest ago."""

ids = ClientIdRow.__table__  # type: ignore[attr-defined]  # the table behind the model


class KeptIds:
    """The statement that marks ids as kept, in the SQL of one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        is_new = (ids.c.client_id == bindparam("kept")) & (ids.c.is_kept == false())
        self._keep = Statement(update(ids).where(is_new).values(is_kept=true()), dialect)

    def mark(self, connection: Connection, changes: Changes) -> None:
        """Marks the ids that a transaction keeps.

        Called at its end, in one order, so that two transactions that wait for each other's rows are impossible.
        """
        for client_id in sorted(changes.kept_ids):
            changes[CLIENT_IDS] -= self._keep.write(connection, {"kept": client_id})


def select_client_id(client_id: str) -> Select[Any]:
    """The query for one id."""
    return select(*(ids.c[member.name] for member in fields(ClientId))).where(ids.c.client_id == client_id)


def client_id_of_row(row: Any) -> ClientId:  # noqa: ANN401 - a row of the table
    """The id in a row."""
    return ClientId(**row._mapping)


def write_client_id(connection: Connection, kept: ClientId, counts: Changes) -> None:
    """Adds or replaces the row of an id. The caller writes ``counts`` at the end of the transaction."""
    values = asdict(kept)
    renewed = update(ids).where(ids.c.client_id == kept.client_id).values(values)
    if connection.execute(renewed).rowcount == 0:
        connection.execute(insert(ids).values(**values, is_kept=False))
        counts[CLIENT_IDS] += 1
        _forget(connection, counts)


def _forget(connection: Connection, counts: Changes) -> None:
    count = read_counts(connection).get(CLIENT_IDS, 0) + counts[CLIENT_IDS]
    if count > MAX_IDS:
        least = select(ids.c.client_id).where(ids.c.is_kept == false())
        least = least.order_by(ids.c.is_kept, ids.c.is_official, ids.c.is_used, ids.c.seen_at)
        surplus = delete(ids).where(ids.c.client_id.in_(least.limit(count - MAX_IDS)))
        counts[CLIENT_IDS] -= connection.execute(surplus).rowcount
