"""Empty databases with the current tables, copied for each test instead of migrated again."""

import atexit
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from alembic.config import Config

from server.store.sql_engine import open_engine
from server.store.sql_migrate import SCRIPTS, migrate
from tools.services.postgres import PostgresServer

ON_SQLITE, ON_POSTGRES = (
    pytest.mark.parametrize("database", [one], indirect=True) for one in ("sqlite", "postgres")
)
"""Marks of tests in which the kind of the database has no part, or which others do on the other kind."""


def provide(database: Path) -> None:
    """Creates an empty database at this path, unless there is one already."""
    if not database.exists():
        database.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(empty(), database)


def sqlite_database(folder: Path) -> str:
    """Provides a database in a folder, where servers expect it; returns its URL."""
    provide(folder / "plyhouse.sqlite3")
    return f"sqlite:///{folder}/plyhouse.sqlite3"


@cache
def template(server: PostgresServer) -> str:
    """The name of an empty database with the current tables, from which others are created."""
    url = server.new_database()
    migrate(url)
    return urlsplit(url).path.removeprefix("/")


def bring(database: Path, move: Callable[[Config, str], None], revision: str) -> None:
    """Upgrades or downgrades a database (``command.upgrade``, ``command.downgrade``) to a revision."""
    engine = open_engine(f"sqlite:///{database}", begin="BEGIN IMMEDIATE")
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(SCRIPTS))
        config.attributes["connection"] = connection
        move(config, revision)
    engine.dispose()


@cache
def empty() -> Path:
    """The path of an empty database, which must stay empty."""
    folder = Path(tempfile.mkdtemp(prefix="plyhouse"))
    atexit.register(shutil.rmtree, folder)
    path = folder / "empty.sqlite3"
    migrate(f"sqlite:///{path}")
    return path
