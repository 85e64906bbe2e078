"""Reads and writes the ids of bot clients. Called by ``sql_store``."""

from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, Select, delete, insert, select, update

from server.domain.client_ids import ClientId
from server.store.sql_counts import CLIENT_IDS, Changes, read_counts
from server.store.sql_tables import ClientIdRow

MAX_IDS = 100_000
"""The most ids that are stored, since anyone can attach with any number of them. The first to be deleted are those not
of official bots, then those whose secret was never used, then those that attached longest ago."""

ids = ClientIdRow.__table__  # type: ignore[attr-defined]  # the table behind the model


def select_client_id(client_id: str) -> Select[Any]:
    """The query for one id."""
    return select(ids).where(ids.c.client_id == client_id)


def client_id_of_row(row: Any) -> ClientId:  # noqa: ANN401 - a row of the table
    """The id in a row."""
    return ClientId(**row._mapping)


def write_client_id(connection: Connection, kept: ClientId, counts: Changes) -> None:
    """Adds or replaces the row of an id. The caller writes ``counts`` at the end of the transaction."""
    values = asdict(kept)
    renewed = update(ids).where(ids.c.client_id == kept.client_id).values(values)
    if connection.execute(renewed).rowcount == 0:
        connection.execute(insert(ids).values(values))
        counts[CLIENT_IDS] += 1
        _forget(connection, counts)


def _forget(connection: Connection, counts: Changes) -> None:
    count = read_counts(connection).get(CLIENT_IDS, 0) + counts[CLIENT_IDS]
    if count > MAX_IDS:
        least = select(ids.c.client_id).order_by(ids.c.is_official, ids.c.is_used, ids.c.seen_at)
        surplus = delete(ids).where(ids.c.client_id.in_(least.limit(count - MAX_IDS)))
        counts[CLIENT_IDS] -= connection.execute(surplus).rowcount
