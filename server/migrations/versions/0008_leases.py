"""Adds the running servers, and the server that runs each game."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Migrates the tables forward."""
    op.create_table(
        "servers",
        sa.Column("server_id", sa.String(), primary_key=True),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("up_since", sa.BigInteger(), nullable=True),
    )
    op.add_column("games", sa.Column("driver", sa.String(), nullable=True))
    op.add_column("games", sa.Column("epoch", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Undoes the migration."""
    op.drop_column("games", "epoch")
    op.drop_column("games", "driver")
    op.drop_table("servers")
