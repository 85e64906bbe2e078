"""Completes the stored summaries from the logs, so that they have everything that lists show."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

games = sa.table("games", sa.column("game_id"), sa.column("created_at"), sa.column("summary", sa.JSON))
events = sa.table("events", *(sa.column(name) for name in ("game_id", "seq", "at_ms", "kind")),
                  sa.column("data", sa.JSON))  # fmt: skip


def upgrade() -> None:
    """Migrates the tables forward."""
    connection = op.get_bind()
    rows = connection.execute(sa.select(games)).all()
    for game_id, created_at, summary in rows:
        log = sa.select(events.c.data).where(events.c.game_id == game_id)
        created = connection.execute(log.where(events.c.seq == 1)).scalar_one()
        last_move = sa.select(sa.func.max(events.c.at_ms)).where(
            events.c.game_id == game_id, events.c.kind == "Moved"
        )
        more = {**_members(created), "lastMoveAt": connection.scalar(last_move) or created_at}
        renewed = sa.update(games).where(games.c.game_id == game_id)
        connection.execute(renewed.values(summary={**summary, **more}))


def downgrade() -> None:
    """Does nothing: additional members are harmless."""


def _members(created: dict[str, Any]) -> dict[str, Any]:
    """The members of a summary that come from the event that created the game."""
    board = {
        name: created["config"][name] for name in ("boardWidth", "boardHeight") if name in created["config"]
    }
    out: dict[str, Any] = {
        "host": created["host"],
        "matchType": created.get("match_type", "friend"),
        "config": board,
    }
    control = created.get("time_control")
    if control is not None:
        names = {
            "initial_seconds": "initialSeconds",
            "increment_seconds": "incrementSeconds",
            "preset": "preset",
        }
        out["timeControl"] = {wire: control[name] for name, wire in names.items() if name in control}
    return out
