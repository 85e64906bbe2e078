"""The rows of bot clients' ids. Called by ``sql_store``."""

from typing import Any

from sqlalchemy import Connection, Select, delete, func, insert, select, update

from server.adapters.sql_tables import ClientIdRow
from server.domain.client_ids import ClientId

MAX_IDS = 100_000
"""The most ids that are kept: anybody can attach with any number of them. Those of official bots stay longest, then
those whose secret was used, then those that attached last."""

ids = ClientIdRow.__table__  # type: ignore[attr-defined]  # the table behind the model


def select_client_id(client_id: str) -> Select[Any]:
    """The query for one id."""
    return select(ids).where(ids.c.client_id == client_id)


def client_id_of_row(row: Any) -> ClientId:  # noqa: ANN401 - a row of the table
    """What a row says."""
    return ClientId(row.client_id, row.owner, row.seen_at, row.guest, row.is_used, row.is_official)


def write_client_id(connection: Connection, kept: ClientId) -> None:
    """Adds or replaces the row of an id."""
    values = {
        "owner": kept.owner,
        "guest": kept.guest,
        "is_used": kept.is_used,
        "is_official": kept.is_official,
        "seen_at": kept.seen_at,
    }
    renewed = update(ids).where(ids.c.client_id == kept.client_id).values(values)
    if connection.execute(renewed).rowcount == 0:
        connection.execute(insert(ids).values(client_id=kept.client_id, **values))
        _forget(connection)


def _forget(connection: Connection) -> None:
    count = connection.scalar(select(func.count()).select_from(ids)) or 0
    if count > MAX_IDS:
        least = select(ids.c.client_id).order_by(ids.c.is_official, ids.c.is_used, ids.c.seen_at)
        connection.execute(delete(ids).where(ids.c.client_id.in_(least.limit(count - MAX_IDS))))
