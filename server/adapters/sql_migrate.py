"""Brings a database to the present tables. Called once at start, before anything reads or writes."""

from importlib.resources import as_file, files

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.exc import SQLAlchemyError

from server.adapters.sql_engine import DatabaseError, open_engine, reason


def migrate(url: str) -> None:
    """Runs the migrations that the database has not seen. Raises DatabaseError when it cannot be written."""
    engine = open_engine(url, begin="BEGIN IMMEDIATE")
    try:
        with as_file(files("server") / "migrations") as scripts, engine.begin() as connection:
            config = Config()
            config.set_main_option("script_location", str(scripts))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except SQLAlchemyError as error:
        raise DatabaseError(f"the database {url} cannot be used: {reason(error)}") from None
    except CommandError as error:
        raise DatabaseError(f"the database {url} is of another version: {error}") from None
    finally:
        engine.dispose()
