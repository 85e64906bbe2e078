"""Migrates a database to the current tables. Called once at start, before anything reads or writes."""

from importlib.resources import as_file, files

from sqlalchemy import Connection, inspect
from sqlalchemy.exc import SQLAlchemyError

from server.store.sql_engine import DatabaseError, lock_for_migration, open_engine, reason

SCRIPTS = files("server") / "migrations"


def migrate(url: str) -> None:
    """Runs the migrations that the database has not had yet. DatabaseError if it cannot be written."""
    engine = open_engine(url, begin="BEGIN IMMEDIATE")
    shown = engine.url.render_as_string()
    try:
        with engine.begin() as connection:
            lock_for_migration(connection)
            if _revision(connection) != newest_revision():
                _upgrade(connection, shown)
    except SQLAlchemyError as error:
        raise DatabaseError(f"the database {shown} cannot be used: {reason(error)}") from None
    finally:
        engine.dispose()


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


def _upgrade(connection: Connection, shown: str) -> None:
    """Runs Alembic; errors name the database as ``shown``.

    Imported only here, as it takes a quarter of the start-up time and is rarely needed.
    """
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
            raise DatabaseError(f"the database {shown} is of another version: {error}") from None
