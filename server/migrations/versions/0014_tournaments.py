"""Adds tournaments: their logs, and their rows in lists."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Migrates the tables forward."""
    op.create_table(
        "tournaments",
        sa.Column("tournament_id", sa.String(), primary_key=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("is_live", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("summary", sa.JSON(), nullable=False),
    )
    op.create_index("tournaments_in_order", "tournaments", ["created_at", "tournament_id"])
    op.create_index("tournaments_live", "tournaments", ["is_live", "created_at", "tournament_id"])
    op.create_table(
        "tournament_events",
        sa.Column("tournament_id", sa.String(), primary_key=True),
        sa.Column("seq", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
    )


def downgrade() -> None:
    """Undoes the migration."""
    op.drop_table("tournament_events")
    op.drop_table("tournaments")
