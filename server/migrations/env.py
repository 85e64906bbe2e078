"""Runs Alembic on the connection that the server passes or, for developers, on the configured URL.

Developers: ``alembic -c server/migrations/alembic.ini revision --autogenerate -m "what changes"``.
"""

from alembic import context
from sqlalchemy import Connection

from server.store import sql_tables
from server.store.sql_engine import open_engine


def _run(connection: Connection) -> None:
    context.configure(
        connection=connection, target_metadata=sql_tables.GameRow.metadata, render_as_batch=True
    )
    with context.begin_transaction():
        context.run_migrations()


def _run_on_url() -> None:
    url = context.config.get_main_option("sqlalchemy.url") or ""
    with open_engine(url, begin="BEGIN IMMEDIATE").begin() as connection:
        _run(connection)


given = context.config.attributes.get("connection")
if given is None:
    _run_on_url()
else:
    _run(given)
