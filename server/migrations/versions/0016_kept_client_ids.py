"""Marks the ids of clients whose bots have played on the ladder or in a tournament: they are never discarded."""

from collections.abc import Iterator
from itertools import count, groupby
from operator import attrgetter
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

ids = sa.table("client_ids", sa.column("client_id"), sa.column("is_kept", sa.Boolean()))
seats = sa.table("ladder_seats", sa.column("bot"))
counts = sa.table("row_counts", sa.column("name"), sa.column("number"))
events = sa.table(
    "tournament_events",
    sa.column("tournament_id"),
    sa.column("seq"),
    sa.column("kind"),
    sa.column("data", sa.JSON()),
)


def upgrade() -> None:
    """Migrates the tables forward."""
    op.add_column("client_ids", sa.Column("is_kept", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.drop_index("client_ids_by_worth", "client_ids")
    op.create_index("client_ids_by_worth", "client_ids", ["is_kept", "is_official", "is_used", "seen_at"])
    connection = op.get_bind()
    keep = sa.update(ids).where(ids.c.client_id == sa.bindparam("kept")).values(is_kept=True)
    for client_id in {bot.partition(":")[0] for bot in _bots(connection)}:
        connection.execute(keep, {"kept": client_id})
    _count(connection, ids.c.is_kept == sa.false())


def downgrade() -> None:
    """Undoes the migration."""
    op.drop_index("client_ids_by_worth", "client_ids")
    op.create_index("client_ids_by_worth", "client_ids", ["is_official", "is_used", "seen_at"])
    op.drop_column("client_ids", "is_kept")
    _count(op.get_bind(), sa.true())


def _count(connection: sa.Connection, is_counted: sa.ColumnElement[bool]) -> None:
    """Counts those ids whose number has a limit."""
    number = sa.select(sa.func.count()).select_from(ids).where(is_counted).scalar_subquery()
    connection.execute(sa.update(counts).where(counts.c.name == "client_ids").values(number=number))


def _bots(connection: sa.Connection) -> Iterator[str]:
    """The ids of all bots with a rated game or a game of a tournament."""
    yield from connection.scalars(sa.select(seats.c.bot).distinct())
    found = connection.execute(sa.select(events).order_by(events.c.tournament_id, events.c.seq))
    for _, log in groupby(found, key=attrgetter("tournament_id")):
        yield from _bots_of([(row.kind, row.data) for row in log])


def _bots_of(log: list[tuple[str, Any]]) -> Iterator[str]:
    """The ids of the bots with a game of one tournament."""
    entrants: dict[int, str | None] = {}
    players: list[str | None] = []
    rounds = []
    entries = count(1)
    for kind, data in log:
        match kind:
            case "PlayerEntered":
                entrants[next(entries)] = data.get("bot_id")
            case "PlayerWithdrew" if not players:  # Later, it keeps its place.
                del entrants[data["entry"]]
            case "TournamentStarted":
                players = list(entrants.values())
            case "RoundPaired":
                rounds.append(data["games"])
            case "GameBegun":
                playing = (players[one] for one in rounds[data["round"]][data["number"]]["seats"])
                yield from (bot_id for bot_id in playing if bot_id is not None)
