"""Opens database URLs, with SQLite pragmas that make commits durable and keep readers from blocking."""

import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from pydantic_core import from_json
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from server.store.postgres_limits import limits

BUSY_SECONDS = 5
"""How long SQLite waits while another process has locked the database, and Postgres while one migrates it."""

MIGRATION_LOCK = 0x706C79
"""The number of the advisory lock for migrations."""

DURABLE: Mapping[str, str | int] = {
    "synchronous": "FULL",
    "foreign_keys": "ON",
    # The write-ahead log shrinks to this many bytes again after it has grown, as during a long read.
    "journal_size_limit": 4 * 2**20,
}

WAL = "PRAGMA journal_mode=WAL"

SWITCHES = 100
"""The most attempts at switching a new database to WAL."""


class DatabaseError(Exception):
    """The database cannot be used; the text is one line for the operator."""


def open_engine(url: str, pragmas: Mapping[str, str | int] | None = None, *, begin: str = "BEGIN") -> Engine:
    """An engine for ``url``. ``pragmas`` and ``begin`` are for SQLite, whose folder is created if necessary.

    Does not connect yet. Its errors contain no values, since some are secret. DatabaseError if the URL is unsupported.
    """
    target = _target(url)
    if target.get_backend_name() != "sqlite":
        return _open_other(target)
    _make_folder(target)
    connect_args = {"timeout": BUSY_SECONDS, "check_same_thread": False}
    engine = create_engine(
        target, connect_args=connect_args, hide_parameters=True, json_deserializer=from_json
    )
    settings = {**DURABLE, **(pragmas or {})}

    @event.listens_for(engine, "connect")
    def _connected(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # The transactions are begun below, not by the driver.
        try:
            cursor = connection.cursor()
            _use_wal(cursor)
            for name, value in settings.items():
                cursor.execute(f"PRAGMA {name}={value}")
            cursor.close()
        except BaseException:
            connection.close()  # Nobody else will.
            raise

    @event.listens_for(engine, "begin")
    def _began(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def lock_for_migration(connection: Connection) -> None:
    """Waits until no other server migrates the database, and keeps others waiting until the transaction ends.

    SQLite's transactions exclude each other anyway. OperationalError after ``BUSY_SECONDS``.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{round(1000 * BUSY_SECONDS)}ms'")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
        connection.exec_driver_sql("SET LOCAL lock_timeout TO DEFAULT")


def _use_wal(cursor: DBAPICursor) -> None:
    """Switches to WAL. SQLite refuses this at once, without waiting, while another process writes to a new file."""
    for _ in range(SWITCHES):
        with suppress(sqlite3.OperationalError):
            cursor.execute(WAL)
            return
        cursor.execute("BEGIN IMMEDIATE")  # Waits for the other process.
        cursor.execute("COMMIT")
    cursor.execute(WAL)


def reason(error: SQLAlchemyError) -> str:
    """The database's error message in one line, without the statement and its values."""
    original = getattr(error, "orig", None)
    return str(original if original is not None else error).splitlines()[0]


def _target(url: str) -> URL:
    try:
        target = make_url(url)
    except ArgumentError:
        raise DatabaseError(f"{url!r} is not a database URL like sqlite:////var/lib/plyhouse.db") from None
    if target.get_backend_name() == "sqlite" and target.database in (None, "", ":memory:"):
        raise DatabaseError("a database in memory is not durable: name a file, such as sqlite:///plyhouse.db")
    return target


def _open_other(target: URL) -> Engine:
    is_postgres = target.get_backend_name() == "postgresql"
    driver = "postgresql+psycopg" if target.drivername == "postgresql" else target.drivername
    connect_args = limits(target) if driver == "postgresql+psycopg" else {}
    try:
        return create_engine(
            target.set(drivername=driver),
            connect_args=connect_args,
            pool_pre_ping=True,
            hide_parameters=True,
            json_deserializer=from_json,
        )
    except (NoSuchModuleError, ImportError):
        hint = "pip install 'plyhouse[postgres]'" if is_postgres else "use sqlite:/// or postgresql://"
        raise DatabaseError(f"no driver for {target.drivername!r} is installed: {hint}") from None


def database_file(url: str) -> Path | None:
    """Returns the file of a SQLite database; None for any other. DatabaseError as in ``open_engine``."""
    target = _target(url)
    is_file = target.get_backend_name() == "sqlite" and target.database not in (None, "", ":memory:")
    return Path(target.database or "").absolute() if is_file else None


def _make_folder(target: URL) -> None:
    folder = Path(target.database or "").parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseError(f"the folder {folder} cannot be created: {error.strerror}") from None
