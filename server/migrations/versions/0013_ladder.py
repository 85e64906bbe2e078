"""Adds the results of the ladder, and the duties of servers."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Migrates the tables forward."""
    op.create_table(
        "ladder_results",
        sa.Column("game_id", sa.String(), primary_key=True),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("variant", sa.String(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("result", sa.JSON(), nullable=False),
    )
    op.create_index("ladder_results_in_order", "ladder_results", ["ended_at", "game_id"])
    op.create_table(
        "ladder_seats",
        sa.Column("game_id", sa.String(), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("bot", sa.String(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ladder_seats_by_bot", "ladder_seats", ["bot", "ended_at", "game_id"])
    unrated: sa.Column[bool] = sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.false())
    op.add_column("game_kinds", unrated)
    op.create_table(
        "duties",
        sa.Column("duty", sa.String(), primary_key=True),
        sa.Column("server_id", sa.String(), nullable=False),
    )


def downgrade() -> None:
    """Undoes the migration."""
    op.drop_table("duties")
    with op.batch_alter_table("game_kinds") as kinds:
        kinds.drop_column("rated")
    op.drop_table("ladder_seats")
    op.drop_table("ladder_results")
