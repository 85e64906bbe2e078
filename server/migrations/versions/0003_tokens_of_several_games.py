"""Allows a token to be valid for several games: a game and its rematches."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Migrates the tables forward."""
    _rebuild(
        sa.Column("game_id", sa.String(), primary_key=True),
        sa.Column("digest", sa.String(), primary_key=True),
        sa.Column("seat", sa.Integer(), nullable=False),
    )


def downgrade() -> None:
    """Restores the old key; fails if a token is already valid for several games."""
    _rebuild(
        sa.Column("digest", sa.String(), primary_key=True),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
    )
    op.create_index("ix_tokens_game_id", "tokens", ["game_id"])


def _rebuild(*columns: sa.Column[str] | sa.Column[int]) -> None:
    """Copies the rows to a new table, since SQLite cannot change a primary key."""
    op.create_table("tokens_of_games", *columns)
    op.execute("INSERT INTO tokens_of_games (digest, game_id, seat) SELECT digest, game_id, seat FROM tokens")
    op.drop_table("tokens")
    op.rename_table("tokens_of_games", "tokens")
