"""Adds a mark for games in which disconnections have to be tracked. Existing games do not have it."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Migrates the tables forward."""
    op.add_column("games", sa.Column("has_remote", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Undoes the migration."""
    op.drop_column("games", "has_remote")
