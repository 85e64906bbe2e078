"""Several processes that are connected by Postgres notifications."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import psycopg
import pytest

from server.bus.codec import write_short_message
from server.bus.postgres_medium import PostgresNotices
from server.bus.shared_bus import SharedBus
from server.services.cluster.bus import Bus, OverrunError
from server.services.cluster.changes import LOGS, GamesChanged
from server.services.cluster.server_messages import SERVERS, Announced
from tests.server.buses import ROW, changed, started, taken, until
from tools.services.postgres import PostgresServer


@asynccontextmanager
async def postgres_pair(database: str) -> AsyncIterator[tuple[Bus, Bus]]:
    """The buses of two processes."""
    mediums = PostgresNotices(database), PostgresNotices(database)
    one, other = (SharedBus(medium, write_short_message) for medium in mediums)
    async with started(one), started(other):
        yield one, other


def short(number: int) -> GamesChanged:
    return GamesChanged("w", {ROW.game_id: number})


async def test_postgres_tells_the_other_process_the_version(postgres: PostgresServer) -> None:
    async with postgres_pair(postgres.new_database()) as (one, other):
        there = other.subscribe(LOGS, 2000)
        for number in range(1, 1501):
            await one.publish(LOGS, changed(number))
        assert await taken(there, 1500) == [short(number) for number in range(1, 1501)]


async def test_long_messages_cross_postgres_whole(postgres: PostgresServer) -> None:
    async with postgres_pair(postgres.new_database()) as (one, other):
        there = other.subscribe(SERVERS)
        sent = [Announced("a", "k", "g", text * 20_000) for text in ("x", '"', "\\", "é", "🐝", "\n")]
        for message in sent:
            await one.publish(SERVERS, message)
        assert await taken(there, len(sent)) == sent


async def test_what_postgres_lost_is_a_gap(postgres: PostgresServer) -> None:
    async with postgres_pair(postgres.new_database()) as (one, other):
        there = other.subscribe(LOGS)
        await one.publish(LOGS, changed(1))
        assert await taken(there, 1) == [short(1)]
        postgres.kill()
        await until(lambda: one.state().trouble and other.state().trouble)
        await one.publish(LOGS, changed(2))
        postgres.start()
        await until(lambda: one.state().trouble is None and other.state().trouble is None)
        with pytest.raises(OverrunError):
            await taken(there, 2)
        assert await heard(one, other) in [short(number) for number in range(2, 10)]


async def heard(one: Bus, other: Bus) -> object:
    """The first message of one process to the other after a gap, which further messages may reveal again."""
    for number in range(3, 10):
        there = other.subscribe(LOGS)
        await one.publish(LOGS, changed(number))
        with suppress(OverrunError):
            return (await taken(there, 1))[0]
    raise AssertionError("every message is a gap")


async def test_foreign_notifications_are_ignored(postgres: PostgresServer) -> None:
    database = postgres.new_database()
    async with postgres_pair(database) as (one, other):
        there = other.subscribe(LOGS)
        with psycopg.connect(database, autocommit=True) as stranger:
            for text in ("hello", "[1]", "{}", '["x", "y", "logs", {}]', '["x", 1, "unknown", "{}"]'):
                stranger.execute("SELECT pg_notify('plyhouse', %s)", [text])
        await one.publish(LOGS, changed(1))
        assert await taken(there, 1) == [short(1)]
