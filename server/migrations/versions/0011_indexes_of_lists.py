"""Adds an index for each order and filter of lists, and the numbers of games and client ids."""

import logging
from importlib import import_module
from types import ModuleType

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

OLD = {
    "games_by_age": ["created_at"],
    "games_by_status": ["status", "created_at"],
    "games_by_visibility": ["visibility", "status", "created_at"],
}

NEW = {
    "games_by_status": ["status", "created_at", "game_id"],
    "games_listed": ["visibility", "created_at", "game_id"],
    "games_listed_by_status": ["visibility", "status", "created_at", "game_id"],
    "games_listed_by_game": ["visibility", "game", "created_at", "game_id"],
    "games_listed_by_game_and_status": ["visibility", "game", "status", "created_at", "game_id"],
}

log = logging.getLogger("server.migrations")


def upgrade() -> None:
    """Migrates the tables forward."""
    while _past_games().step(op.get_bind()):
        pass
    level = logging.INFO if op.get_bind().scalar(sa.text("SELECT 1 FROM games LIMIT 1")) else logging.DEBUG
    log.log(level, "migrating the database: indexing past games")
    op.create_index("past_games_in_order", "past_games", ["players", "kind", "created_at", "game_id"])
    op.drop_table("past_games_so_far")
    for name in OLD:
        op.drop_index(name, "games")
    for number, (name, columns) in enumerate(NEW.items(), start=1):
        log.log(level, "migrating the database: index %s of %s", number, len(NEW))
        op.create_index(name, "games", columns)
    op.execute(
        "INSERT INTO row_counts (name, number) SELECT 'games.' || status, COUNT(*) FROM games GROUP BY status"
    )
    op.execute("INSERT INTO row_counts (name, number) SELECT 'client_ids', COUNT(*) FROM client_ids")


def downgrade() -> None:
    """Undoes the migration."""
    op.execute("DELETE FROM row_counts")
    for name in NEW:
        op.drop_index(name, "games")
    for name, columns in OLD.items():
        op.create_index(name, "games", columns)
    op.drop_index("past_games_in_order", "past_games")
    op.execute("DELETE FROM past_games")
    op.execute("DELETE FROM game_kinds")
    _past_games().prepare()


def _past_games() -> ModuleType:
    return import_module("server.migrations.versions.0010_past_games")
