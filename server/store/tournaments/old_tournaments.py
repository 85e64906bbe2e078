"""Counts and deletes old tournaments that are over. Their games are deleted like all others. Called by commands."""

from sqlalchemy import Connection, Select, delete, func, select

from server.store.tournaments.sql_tournaments import events, rows


def _old(before: int) -> Select[tuple[str]]:
    """The query for tournaments that are over and were created before a time, oldest first."""
    query = select(rows.c.tournament_id).where(~rows.c.is_live, rows.c.created_at < before)
    return query.order_by(rows.c.created_at, rows.c.tournament_id)


def count_old(connection: Connection, before: int) -> int:
    """How many tournaments are over and were created before this time, in milliseconds since the epoch."""
    return connection.execute(select(func.count()).select_from(_old(before).subquery())).scalar_one()


def delete_old(connection: Connection, before: int, most: int) -> int:
    """Deletes up to ``most`` of them, with their events; returns their number."""
    found = list(connection.scalars(_old(before).limit(most)))
    for table in (events, rows):
        connection.execute(delete(table).where(table.c.tournament_id.in_(found)))
    return len(found)
