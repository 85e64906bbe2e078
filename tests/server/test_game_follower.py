"""Following a game."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from protocols.values import Seat, SeatKind
from server.services.cluster.bus import Bus
from server.services.cluster.changes import game_topic
from server.services.games.game_factory import GameFactory, NewGame
from server.services.games.game_follower import follow_tables
from server.services.games.games import Games
from server.store.sql_store import SqlStore
from tests.server.databases import sqlite_database
from tests.server.services import Botless

DRAW = NewGame("toy-draw", (Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN)), config={"seed": 5})


@pytest.fixture
async def games(tmp_path: Path) -> AsyncIterator[tuple[Games, Bus]]:
    url = sqlite_database(tmp_path)
    store, bus = SqlStore(url), Bus()
    yield Games(store, bus, GameFactory(Botless(), with_unlisted=True)), bus
    await store.close()


async def test_leaving_early_ends_the_subscription_at_once(games: tuple[Games, Bus]) -> None:
    service, bus = games
    game = (await service.create(DRAW)).state.id
    async with aclosing(follow_tables(service, bus, game)) as tables:
        assert (await anext(tables)).ply == 0
        await service.move(game, 0, "take")
        assert (await anext(tables)).ply == 1
        assert bus.has_subscribers(game_topic(game))
    assert not bus.has_subscribers(game_topic(game))


async def test_one_table_of_a_move_is_made_for_its_player_and_all_followers(games: tuple[Games, Bus]) -> None:
    service, bus = games
    game = (await service.create(DRAW)).state.id
    async with (
        aclosing(follow_tables(service, bus, game)) as one,
        aclosing(follow_tables(service, bus, game)) as other,
    ):
        await anext(one)
        await anext(other)
        table = (await service.move(game, 0, "take")).table
        assert table is await anext(one)
        assert table is await anext(other)
