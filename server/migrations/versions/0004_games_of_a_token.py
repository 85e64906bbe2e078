"""Adds an index for finding the games of a token."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Migrates the tables forward."""
    op.create_index("tokens_by_digest", "tokens", ["digest"])


def downgrade() -> None:
    """Undoes the migration."""
    op.drop_index("tokens_by_digest", "tokens")
