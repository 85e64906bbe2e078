"""Opens database URLs, with SQLite pragmas that make commits durable and keep readers from blocking."""

from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

BUSY_SECONDS = 5
"""How long SQLite waits for another process that holds the database."""

DURABLE: Mapping[str, str | int] = {"journal_mode": "WAL", "synchronous": "FULL", "foreign_keys": "ON"}


class DatabaseError(Exception):
    """The database cannot be used at all; the text is one line for the operator."""


def open_engine(url: str, pragmas: Mapping[str, str | int] | None = None, *, begin: str = "BEGIN") -> Engine:
    """An engine for ``url``; of SQLite the folder is made. ``pragmas`` and ``begin`` are for SQLite only.

    Raises DatabaseError. Nothing is connected yet.
    """
    target = _target(url)
    if target.get_backend_name() != "sqlite":
        return _open_other(target)
    _make_folder(target)
    engine = create_engine(target, connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False})
    settings = {**DURABLE, **(pragmas or {})}

    @event.listens_for(engine, "connect")
    def _connected(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # The transactions are begun below, not by the driver.
        cursor = connection.cursor()
        for name, value in settings.items():
            cursor.execute(f"PRAGMA {name}={value}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _began(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def reason(error: SQLAlchemyError) -> str:
    """What the database said, in one line, without the statement and its values."""
    original = getattr(error, "orig", None)
    return str(original if original is not None else error).splitlines()[0]


def _target(url: str) -> URL:
    try:
        target = make_url(url)
    except ArgumentError:
        raise DatabaseError(f"{url!r} is no database URL, such as sqlite:////var/lib/plyhouse.db") from None
    if target.get_backend_name() == "sqlite" and target.database in (None, "", ":memory:"):
        raise DatabaseError("a database in memory keeps nothing: name a file, such as sqlite:///plyhouse.db")
    return target


def _open_other(target: URL) -> Engine:
    try:
        return create_engine(target, pool_pre_ping=True)
    except (NoSuchModuleError, ImportError):
        text = f"there is no driver for {target.drivername!r} here: use sqlite:///"
        raise DatabaseError(text) from None


def _make_folder(target: URL) -> None:
    folder = Path(target.database or "").parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseError(f"the folder {folder} cannot be made: {error.strerror}") from None
