"""Games in which connections are to be missed are found by that. Those from before have none."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.add_column("games", sa.Column("has_remote", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Back."""
    op.drop_column("games", "has_remote")
