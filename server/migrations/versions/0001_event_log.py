"""The event log, the listings and the tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Migrates the tables forward."""
    op.create_table(
        "games",
        sa.Column("game_id", sa.String(), primary_key=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("variant", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("is_timed", sa.Boolean(), nullable=False),
        sa.Column("has_bot", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("summary", sa.JSON(), nullable=False),
    )
    op.create_index("games_by_status", "games", ["status", "created_at"])
    op.create_index("games_by_age", "games", ["created_at"])
    op.create_table(
        "events",
        sa.Column("game_id", sa.String(), primary_key=True),
        sa.Column("seq", sa.Integer(), primary_key=True),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
    )
    op.create_table(
        "tokens",
        sa.Column("digest", sa.String(), primary_key=True),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
    )
    op.create_index("ix_tokens_game_id", "tokens", ["game_id"])


def downgrade() -> None:
    """Undoes the migration."""
    op.drop_table("tokens")
    op.drop_table("events")
    op.drop_table("games")
