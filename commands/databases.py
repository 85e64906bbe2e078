"""Opens a server's database for commands that work on it directly, whether or not servers run."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from commands.failure import fail, settings_or_exit

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

DatabaseOption = Annotated[
    str | None, typer.Option("--database", help="The server's database.  \\[default: that of plyhouse serve]")
]


READING = "BEGIN"
"""How transactions of SQLite begin that only read, and so keep no server from writing."""


@contextmanager
def database_or_exit(command: str, url: str | None, begin: str = "BEGIN IMMEDIATE") -> "Iterator[Engine]":
    """The database at ``url``, by default that of the settings. Prints one line and exits if it cannot be used."""
    from sqlalchemy.exc import SQLAlchemyError

    from server.store.sql_engine import DatabaseError, database_file, open_engine, reason
    from server.store.sql_migrate import is_migrated

    url = url or settings_or_exit(command, {}).database
    try:
        file = database_file(url)
        if file is not None and not file.exists():
            fail(command, f"there is no database {file}")
        engine = open_engine(url, begin=begin)
        try:
            with engine.begin() as connection:
                if not is_migrated(connection):
                    fail(
                        command,
                        "the database is of another version: start this version of the server on it first",
                    )
            yield engine
        finally:
            engine.dispose()
    except DatabaseError as error:
        fail(command, error)
    except SQLAlchemyError as error:
        fail(command, f"the database cannot be used: {reason(error)}")


def has_servers(connection: "Connection") -> bool:
    """Whether a server uses the database now."""
    from server.store.sql_leases import select_running

    return bool(connection.execute(select_running(connection.dialect.name)).all())


def refuse_beside_servers(command: str, engine: "Engine", what: str) -> None:
    """Exits if a server uses the database."""
    with engine.begin() as connection:
        if has_servers(connection):
            fail(command, f"{what} needs the database for itself: stop the servers first")


def now_ms() -> int:
    """The time in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000
