"""Migrates a database to the current tables. Called once at start, before anything reads or writes."""

import logging
import sqlite3
from collections.abc import Callable
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from server.store.postgres_sessions import shares_sessions
from server.store.sql_engine import DatabaseError, lock_for_migration, open_engine, reason

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory

log = logging.getLogger(__name__)

POOLER_HINT: Final = (
    "connect to Postgres itself, or set the pooler to sessions (PgBouncer: pool_mode=session)"
)

MIGRATING: Final = {"cache_size": -131_072}
"""Settings of SQLite: 128 MiB of memory, with which it sorts for an index, for instance."""

ATTEMPTS: Final = 12
"""How often in a row SQLite waits for another process that has locked the database, five seconds each time. Whoever
waits looks only now and then whether it is free, and one that migrates locks it again at once for its next step."""

LOCK_NOT_AVAILABLE: Final = "55P03"
"""The code of Postgres for a lock that took too long."""

SCRIPTS = files("server") / "migrations"


def migrate(url: str) -> None:
    """Runs the migrations that the database has not had yet. DatabaseError if it cannot be written or used by servers.

    Each runs in a transaction of its own, and those with many rows in several, so that one that is interrupted goes on
    at the next call. Several servers may call this at once; each does some of it. A new database, which has nothing to
    migrate, gets its tables in one transaction.
    """
    engine = open_engine(url, MIGRATING, begin="BEGIN IMMEDIATE")
    shown = engine.url.render_as_string()
    try:
        if engine.dialect.name == "postgresql" and shares_sessions(engine):
            raise DatabaseError(
                f"the database {shown} is behind a pooler that shares sessions: {POOLER_HINT}"
            )
        _run_all(engine, shown)
    except SQLAlchemyError as error:
        raise DatabaseError(f"the database {shown} cannot be used: {reason(error)}") from None
    finally:
        engine.dispose()


def _run_all(engine: Engine, shown: str) -> None:
    """Runs all migrations. Waits for another process that has locked the database, on Postgres without an end.

    There, only servers take that lock, and one that dies loses it.
    """
    attempts = 0
    while True:
        try:
            with engine.connect() as connection:
                while _advance(connection, shown):
                    attempts = 0
        except OperationalError as error:
            attempts += 1
            is_given_up = attempts == ATTEMPTS and engine.dialect.name == "sqlite"
            if is_given_up or not _is_locked(error):
                raise
            log.warning("another process has locked the database %s; waiting for it", shown)
        else:
            return


def _is_locked(error: OperationalError) -> bool:
    """Whether another process has locked the database. SQLite says so in the lowest byte of its codes."""
    is_busy = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
    return is_busy or getattr(error.orig, "sqlstate", None) == LOCK_NOT_AVAILABLE


def _advance(connection: Connection, shown: str) -> bool:
    """Runs one migration, or one step of it; False if the database has had all."""
    with connection.begin():
        lock_for_migration(connection)
        revision = _revision(connection)
        if revision == newest_revision():
            return False
        _upgrade(connection, revision, shown)
    return True


def is_migrated(connection: Connection) -> bool:
    """Whether the database has had all migrations of this version, and no others."""
    return _revision(connection) == newest_revision()


def newest_revision() -> str:
    """The id of the last migration, with which the name of its file begins."""
    scripts = (SCRIPTS / "versions").iterdir()
    return max(script.name.partition("_")[0] for script in scripts if script.name[0].isdigit())


def _revision(connection: Connection) -> str | None:
    """The database's last migration; None if it has had none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return revision


def _upgrade(connection: Connection, revision: str | None, shown: str) -> None:
    """Runs the next step of the database's last migration, if it has steps, or else the next migration; if new, all.

    Errors name the database as ``shown``. Alembic is imported only here, as it takes a quarter of the start-up time and
    is rarely needed.
    """
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    with as_file(SCRIPTS) as scripts:
        config = Config()
        config.set_main_option("script_location", str(scripts))
        config.attributes["connection"] = connection
        try:
            if revision is not None and _step(ScriptDirectory.from_config(config), revision, connection):
                return
            command.upgrade(config, "head" if revision is None else "+1")
        except CommandError as error:
            raise DatabaseError(f"the database {shown} is of another version: {error}") from None


def _step(scripts: "ScriptDirectory", revision: str, connection: Connection) -> bool:
    """Runs the next step of a migration; False if it has none."""
    step: Callable[[Connection], bool] | None = getattr(scripts.get_revision(revision).module, "step", None)
    return step is not None and step(connection)
