"""The lease of a game follows the game's clients to the server that they are connected to."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from protocols.values import Seat, SeatKind, TimeControl
from server.domain.clocks.clock import ClockMode
from server.services.cluster import leases
from server.services.cluster.announcements import Announcements
from server.services.cluster.departures import Departures
from server.services.cluster.presence import Presence
from server.services.cluster.server_messages import SERVERS, LeaseTaken
from server.services.games.game_factory import GameFactory, NewGame
from server.services.games.games import Games
from server.services.games.lease_moves import LeaseMoves
from server.store.sql_store import SqlStore
from tests.server.bot_peers import challenge, http, reached, submit
from tests.server.buses import redis_bus, started, until
from tests.server.game_peers import joined
from tests.server.services import Botless
from tests.server.serving import Served
from tools.services.redis import RedisServer

HUMANS = (Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN))
TIMED = NewGame("toy-draw", HUMANS, config={"seed": 5}, time_control=TimeControl(600, 0))
UNTIMED = NewGame("toy-draw", HUMANS, config={"seed": 5})


class Member(NamedTuple):
    """One of several servers on a database."""

    games: Games
    presence: Presence
    store: SqlStore


@asynccontextmanager
async def a_server(database: str, redis: str) -> AsyncIterator[Member]:
    store = SqlStore(database)
    async with started(redis_bus(redis)) as bus:
        games = Games(store, bus, GameFactory(Botless(), with_unlisted=True))
        announcements = Announcements(bus, games.leases.server, games.leases.knows, games.leases.look_soon)
        presence = Presence(bus, announcements, Departures(60_000, games.now))
        moves = LeaseMoves(games, presence, bus)
        await games.start()
        await announcements.start()
        moves.start()
        try:
            yield Member(games, presence, store)
        finally:
            await moves.stop()
            await announcements.stop()
            await games.stop()
    await store.close()


@pytest.fixture
async def pair(
    sqlite: str, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Member, Member]]:
    """Two servers that know of each other."""
    monkeypatch.setattr(leases, "HEARTBEAT_SECONDS", 0.05)
    async with a_server(sqlite, redis_server.url) as one, a_server(sqlite, redis_server.url) as other:
        await until(lambda: not one.games.leases.is_alone and not other.games.leases.is_alone)
        yield one, other


async def test_the_lease_follows_the_first_connection(pair: tuple[Member, Member]) -> None:
    one, other = pair
    game = (await one.games.create(TIMED)).state.id
    await one.games.set_clock(game, 0, ClockMode.STANDS)
    async with other.presence.present(game, 0):
        await until(lambda: game in other.games.leases and game not in one.games.leases)
        assert other.games.leases.lease(game).epoch == 2
        # Clocks that were controlled at the former holder run normally again.
        async with asyncio.timeout(60):
            while not await is_running(other, game):  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.01)
    assert await one.store.leases(one.games.leases.server) == {}


async def is_running(member: Member, game: str) -> bool:
    clock = (await member.games.get(game)).clock
    return clock is not None and clock.modes[0] is ClockMode.TURN


async def test_the_lease_stays_while_the_holder_has_connections(pair: tuple[Member, Member]) -> None:
    one, other = pair
    game = (await one.games.create(TIMED)).state.id
    async with one.presence.present(game, 0):
        await until(lambda: other.presence.attendance(game).here)
        async with other.presence.present(game, 1), other.presence.present(game, None):
            await until(lambda: one.presence.spectators(game))
            assert game in one.games.leases
            assert game not in other.games.leases
    later = (await one.games.create(TIMED)).state.id
    async with other.presence.present(later, None):
        await until(lambda: later in other.games.leases)
    assert game in one.games.leases


async def test_a_late_message_takes_no_lease_that_came_back(pair: tuple[Member, Member]) -> None:
    one, other = pair
    game = (await one.games.create(TIMED)).state.id
    async with other.presence.present(game, 0):
        await until(lambda: game in other.games.leases and game not in one.games.leases)
    await until(lambda: not one.presence.attendance(game).here)
    async with one.presence.present(game, 0):
        await until(lambda: game in one.games.leases and game not in other.games.leases)
        stranger = (await one.games.create(TIMED)).state.id
        bus, server = one.presence._bus, other.games.leases.server
        for epoch in (1, 2, 3):
            await bus.publish(SERVERS, LeaseTaken(server, game, epoch))
        await bus.publish(SERVERS, LeaseTaken(server, stranger, 2))
        await until(lambda: stranger not in one.games.leases)  # The messages before it were read as well.
        assert one.games.leases.lease(game).epoch == 3


async def test_a_game_that_needs_no_lease_gets_none(pair: tuple[Member, Member]) -> None:
    one, other = pair
    game = (await one.games.create(UNTIMED)).state.id
    assert await other.games.take_lease(game) is None
    later = (await one.games.create(TIMED)).state.id
    async with other.presence.present(game, 0), other.presence.present(later, 0):
        await until(lambda: later in other.games.leases)
    assert game not in other.games.leases


async def test_a_bot_moves_where_its_opponent_is_connected(
    tmp_path: Path, sqlite: str, redis_server: RedisServer
) -> None:
    options = ("--database", sqlite, "--redis", redis_server.url)
    with Served(tmp_path, *options) as creator, Served(tmp_path, *options) as other:
        async with http(creator) as client:
            game = await challenge(client, "plyhouse:easy", boardWidth=4, boardHeight=4)
        async with joined(other, game["gameId"], f"?token={game['token']}"), http(other) as client:
            await submit(client, game, "---")
            await reached(client, game["gameId"], ply=2)
            creator.send(signal.SIGSTOP)
            try:
                await submit(client, game, "---")
                await reached(client, game["gameId"], ply=4)
            finally:
                creator.send(signal.SIGCONT)
            assert "from other servers" not in other.log  # It has not had to wait for the creator's death.
