"""Adds the openings of finished games, and lists the public games that have ended so far, to be counted."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

MOST_SEATS = 5


def upgrade() -> None:
    """Migrates the tables forward."""
    op.create_table(
        "explorer_moves",
        sa.Column("place", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("move", _compared_by_characters(), primary_key=True),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        *(sa.Column(f"won_{seat}", sa.Integer(), nullable=False) for seat in range(MOST_SEATS)),
        sa.Column("scored", sa.Integer(), nullable=False),
        *(sa.Column(f"points_{seat}", sa.Float(), nullable=False) for seat in range(MOST_SEATS)),
        sa.Column("latest_at", sa.BigInteger(), nullable=False),
        sa.Column("latest", _compared_by_characters(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table("explorer_waiting", sa.Column("game_id", sa.String(), primary_key=True))
    op.execute(
        "INSERT INTO explorer_waiting (game_id)"
        " SELECT game_id FROM games WHERE visibility = 'public' AND status = 'finished'"
    )


def downgrade() -> None:
    """Undoes the migration."""
    for table in ("explorer_waiting", "explorer_moves"):
        op.drop_table(table)


def _compared_by_characters() -> sa.types.TypeEngine[str]:
    return sa.String().with_variant(sa.String(collation="C"), "postgresql")
