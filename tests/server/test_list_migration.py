"""A database of the version before lists had indexes is migrated to what servers would have written."""

import asyncio
import signal
import sys
from dataclasses import replace
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import select

from server.domain.client_ids import ClientId
from server.store.sql_engine import open_engine
from server.store.sql_migrate import SCRIPTS, migrate
from server.store.sql_store import SqlStore
from server.store.sql_tables import CountRow, GameKindRow, GameRow, past_games
from tests.server.program import ROOT
from tests.server.test_past_games import as_append, games_at_random

TABLES = (past_games, GameKindRow.__table__, CountRow.__table__, GameRow.__table__)  # type: ignore[attr-defined]  # the tables behind the models


def contents(url: str) -> dict[str, list[tuple[Any, ...]]]:
    engine = open_engine(url)
    with engine.connect() as connection:
        rows = {table.name: connection.execute(select(table)).all() for table in TABLES}
    engine.dispose()
    return {table: sorted(map(tuple, found), key=str) for table, found in rows.items()}


def bring_back(url: str, revision: str = "0009") -> None:
    """Brings a database back to an older version."""
    engine = open_engine(url, begin="BEGIN IMMEDIATE")
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(SCRIPTS))
        config.attributes["connection"] = connection
        command.downgrade(config, revision)
    engine.dispose()


async def an_older_database(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Makes the database one of the version before; returns what it has to contain after the migration."""
    store = SqlStore(url)
    for game in games_at_random():
        unrated = {name: value for name, value in game.summary.items() if name != "ladder"}
        await store.append(as_append(replace(game, summary=unrated)))
    await store.keep_client_id(ClientId("bot", "owner", seen_at=1))
    await store.close()
    written = contents(url)
    bring_back(url)
    return written


async def test_a_migrated_database_has_what_servers_write(database: str) -> None:
    written = await an_older_database(database)
    migrate(database)
    assert contents(database) == written


@pytest.mark.slow
async def test_a_migration_that_was_killed_goes_on_where_it_was(database: str) -> None:
    written = await an_older_database(database)
    killed = await asyncio.create_subprocess_exec(sys.executable, "-c", KILLED, database, cwd=ROOT)
    assert await killed.wait() == -signal.SIGKILL
    engine = open_engine(database)
    with engine.connect() as connection:
        added = connection.exec_driver_sql("SELECT added FROM past_games_so_far").scalar_one()
    engine.dispose()
    assert added == 20
    migrate(database)
    assert contents(database) == written


KILLED = """
import os, signal, sys
from importlib import import_module
from server.store import sql_migrate

past_games = import_module("server.migrations.versions.0010_past_games")
step, steps = sql_migrate._step, iter(range(3))

def killed_in_the_third(scripts, revision, connection):
    if revision == "0010":
        scripts.get_revision(revision).module.BATCH = 10
        if next(steps) == 2:
            step(scripts, revision, connection)
            os.kill(os.getpid(), signal.SIGKILL)
    return step(scripts, revision, connection)

sql_migrate._step = killed_in_the_third
sql_migrate.migrate(sys.argv[1])
"""
"""Migrates in small batches, and is killed before it commits the third."""
