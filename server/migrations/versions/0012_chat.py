"""Adds the chat of games."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Migrates the tables forward."""
    op.create_table(
        "chat_lines",
        sa.Column("game_id", sa.String(), primary_key=True),
        sa.Column("at_ms", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("line_id", sa.String(), primary_key=True),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("line", sa.JSON(), nullable=False),
    )


def downgrade() -> None:
    """Undoes the migration."""
    op.drop_table("chat_lines")
