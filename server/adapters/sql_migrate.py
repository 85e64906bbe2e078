"""Brings a database to the present tables. Called once at start, before anything reads or writes."""

from importlib.resources import as_file, files

from sqlalchemy import Connection, inspect
from sqlalchemy.exc import SQLAlchemyError

from server.adapters.sql_engine import DatabaseError, open_engine, reason

SCRIPTS = files("server") / "migrations"


def migrate(url: str) -> None:
    """Runs the migrations that the database has not seen. Raises DatabaseError when it cannot be written."""
    engine = open_engine(url, begin="BEGIN IMMEDIATE")
    try:
        with engine.begin() as connection:
            if _revision(connection) != newest_revision():
                _upgrade(connection, url)
    except SQLAlchemyError as error:
        raise DatabaseError(f"the database {url} cannot be used: {reason(error)}") from None
    finally:
        engine.dispose()


def newest_revision() -> str:
    """The id of the last migration, which its file's name begins with."""
    scripts = (SCRIPTS / "versions").iterdir()
    return max(script.name.partition("_")[0] for script in scripts if script.name[0].isdigit())


def _revision(connection: Connection) -> str | None:
    """The last migration that the database has seen, None where it has seen none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return revision


def _upgrade(connection: Connection, url: str) -> None:
    """Imports Alembic only here: it takes a quarter of a server's start, and most starts have nothing to migrate."""
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    with as_file(SCRIPTS) as scripts:
        config = Config()
        config.set_main_option("script_location", str(scripts))
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise DatabaseError(f"the database {url} is of another version: {error}") from None
