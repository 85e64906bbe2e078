"""Adds the ids of bot clients, with the hashes of their resume secrets."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Migrates the tables forward."""
    op.create_table(
        "client_ids",
        sa.Column("client_id", sa.String(), primary_key=True),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("guest", sa.String(), nullable=True),
        sa.Column("is_used", sa.Boolean(), nullable=False),
        sa.Column("is_official", sa.Boolean(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("client_ids_by_worth", "client_ids", ["is_official", "is_used", "seen_at"])


def downgrade() -> None:
    """Undoes the migration."""
    op.drop_table("client_ids")
