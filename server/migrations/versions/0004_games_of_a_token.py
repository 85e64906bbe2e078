"""Whoever has a token only finds its game by it."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.create_index("tokens_by_digest", "tokens", ["digest"])


def downgrade() -> None:
    """Back."""
    op.drop_index("tokens_by_digest", "tokens")
