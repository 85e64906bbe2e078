"""Adds the players who are connected to each server."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Migrates the tables forward."""
    op.add_column("servers", sa.Column("players", sa.JSON(), nullable=False, server_default="[]"))


def downgrade() -> None:
    """Undoes the migration."""
    op.drop_column("servers", "players")
