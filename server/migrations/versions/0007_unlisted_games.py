"""Adds the visibility of games. Existing games for friends stay in the lists of the Wallwars site's clients."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

games = sa.table("games", sa.column("game_id"), sa.column("visibility"))
events = sa.table("events", sa.column("game_id"), sa.column("seq"), sa.column("data", sa.JSON))


def upgrade() -> None:
    """Migrates the tables forward."""
    op.add_column("games", sa.Column("visibility", sa.String(), nullable=False, server_default="public"))
    op.create_index("games_by_visibility", "games", ["visibility", "status", "created_at"])
    connection = op.get_bind()
    for game_id, created in connection.execute(
        sa.select(events.c.game_id, events.c.data).where(events.c.seq == 1)
    ).all():
        if _is_for_friend(created):
            this = sa.update(games).where(games.c.game_id == game_id)
            connection.execute(this.values(visibility="site"))


def downgrade() -> None:
    """Undoes the migration."""
    op.drop_index("games_by_visibility", "games")
    op.drop_column("games", "visibility")


def _is_for_friend(created: dict[str, Any]) -> bool:
    is_open = any(seat["kind"] == "open" for seat in created["seats"])
    return is_open and created.get("match_type", "friend") == "friend"
