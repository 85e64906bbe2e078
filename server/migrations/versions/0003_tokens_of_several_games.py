"""A token may open seats of several games: it goes on into the rematch of its game."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    _rebuild(
        sa.Column("game_id", sa.String(), primary_key=True),
        sa.Column("digest", sa.String(), primary_key=True),
        sa.Column("seat", sa.Integer(), nullable=False),
    )


def downgrade() -> None:
    """Back; refused by the database where a token already opens several games."""
    _rebuild(
        sa.Column("digest", sa.String(), primary_key=True),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
    )
    op.create_index("ix_tokens_game_id", "tokens", ["game_id"])


def _rebuild(*columns: sa.Column[str] | sa.Column[int]) -> None:
    """SQLite cannot change a key: a new table takes the rows of the old one."""
    op.create_table("tokens_of_games", *columns)
    op.execute("INSERT INTO tokens_of_games (digest, game_id, seat) SELECT digest, game_id, seat FROM tokens")
    op.drop_table("tokens")
    op.rename_table("tokens_of_games", "tokens")
