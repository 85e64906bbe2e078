"""The games service: cancelled callers, the cache, and two processes with one log."""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from protocols.values import Seat, SeatKind, TimeControl
from server.domain.errors import ApiError, Code
from server.ports.store import ListingQuery
from server.services.cluster import leases
from server.services.cluster.bus import Bus, OverrunError
from server.services.cluster.changes import ALL_GAMES, Change, game_topic
from server.services.games.game_factory import GameFactory, NewGame
from server.services.games.games import Games
from server.store.sql_store import SqlStore
from tests.server.databases import sqlite_database
from tests.server.services import Botless

DRAW = NewGame("toy-draw", (Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN)), config={"seed": 5})


@asynccontextmanager
async def a_server(
    folder: Path, now: Callable[[], int] | None = None, loaded: int = 1000
) -> AsyncIterator[Games]:
    url = sqlite_database(folder)
    store = SqlStore(url)
    clock: dict[str, Any] = {} if now is None else {"now": now}
    games = Games(store, Bus(), GameFactory(Botless(), with_unlisted=True), loaded=loaded, **clock)
    await games.start()
    try:
        yield games
    finally:
        await games.stop()
        await store.close()


@pytest.fixture
async def games(tmp_path: Path) -> AsyncIterator[Games]:
    async with a_server(tmp_path) as games:
        yield games


async def test_a_cancelled_caller_does_not_stop_its_command(games: Games) -> None:
    game = (await games.create(DRAW)).state.id
    asking = asyncio.create_task(games.move(game, 0, "take"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert (await games.move(game, 1, "take", expected_ply=1)).ply == 2


async def test_copies_of_one_message_at_the_same_time_are_one_move(games: Games) -> None:
    game = (await games.create(DRAW)).state.id
    copies = [games.move(game, 0, "take", client_msg_id="a") for _ in range(10)]
    answers = await asyncio.gather(*copies)
    assert {(answer.ply, answer.state.moves) for answer in answers} == {(1, ("take +9",))}
    assert (await games.get(game)).version == 2


async def test_concurrent_moves_run_one_after_the_other(games: Games) -> None:
    game = (await games.create(DRAW)).state.id
    rivals = [games.move(game, 0, text, expected_ply=0) for text in ("take", "give")]
    answers = await asyncio.gather(*rivals, return_exceptions=True)
    refused = [answer for answer in answers if isinstance(answer, ApiError)]
    assert [refusal.code for refusal in refused] == [Code.STALE_PLY]


async def test_games_are_evicted_and_loaded_again(tmp_path: Path) -> None:
    async with a_server(tmp_path, loaded=3) as games:
        tables = [await games.create(DRAW) for _ in range(10)]
        for table in tables:
            await games.move(table.state.id, 0, "take")
        for table in tables:
            assert await games.seat_of(table.state.id, table.tokens[1]) == 1
            assert (await games.move(table.state.id, 1, "take")).ply == 2
        assert await games.seat_of(tables[0].state.id, tables[1].tokens[0]) is None


async def test_a_command_decided_on_an_outdated_state_is_decided_again(tmp_path: Path) -> None:
    async with a_server(tmp_path) as one, a_server(tmp_path) as two:
        game = (await one.create(DRAW)).state.id
        await one.move(game, 0, "take")
        assert (await two.move(game, 1, "take")).ply == 2
        with pytest.raises(ApiError) as refusal:
            await one.move(game, 1, "give")
        assert refusal.value.code is Code.NOT_YOUR_TURN
        assert (await one.move(game, 0, "take")).ply == 3
        assert (await two.resign(game, 0)).version == 5


async def test_a_move_that_comes_too_late_ends_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The server has not been away while the time went by.
    monkeypatch.setattr(leases, "LOST_SECONDS", math.inf)
    now = 1_000_000

    def clock() -> int:
        return now

    async with a_server(tmp_path, clock) as games:
        wish = NewGame(DRAW.game, DRAW.seats, config=DRAW.config, time_control=TimeControl(600, 0))
        game = (await games.create(wish)).state.id
        await games.move(game, 0, "take")
        now += 599_950
        with pytest.raises(ApiError) as refusal:
            await games.move(game, 1, "take")
        assert refusal.value.code is Code.FINISHED
        state = await games.get(game)
        assert state.result is not None
        assert (state.result.winners, state.result.reason) == ((0,), "timeout")


@pytest.mark.parametrize("hours", [1, -1])
async def test_setting_the_systems_clock_ends_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    async with a_server(tmp_path) as games:
        wish = NewGame(DRAW.game, DRAW.seats, config=DRAW.config, time_control=TimeControl(600, 0))
        game = (await games.create(wish)).state.id
        await games.move(game, 0, "take")
        system_time = time.time_ns
        monkeypatch.setattr(time, "time_ns", lambda: system_time() + hours * 3600 * 10**9)
        left = (await games.move(game, 1, "take")).table.clocks
        assert left is not None
        assert all(0 <= 600_000 - ms < 60_000 for ms in left)


async def test_a_timer_that_fires_too_early_is_set_again(tmp_path: Path) -> None:
    behind = 0

    def clock() -> int:
        return time.time_ns() // 1_000_000 - behind

    async with a_server(tmp_path, clock) as games:
        wish = NewGame(DRAW.game, DRAW.seats, config=DRAW.config, time_control=TimeControl(1, 0))
        game = (await games.create(wish)).state.id
        await games.move(game, 0, "take")
        behind = 200
        for _ in range(100):
            await asyncio.sleep(0.05)
            if (state := await games.get(game)).result is not None:
                break
        assert state.result is not None
        assert (state.result.winners, state.result.reason) == ((0,), "timeout")


async def test_every_change_is_published_after_it_is_stored(tmp_path: Path) -> None:
    url = sqlite_database(tmp_path)
    store, bus = SqlStore(url), Bus()
    games = Games(store, bus, GameFactory(Botless(), with_unlisted=True))
    everything = bus.subscribe(ALL_GAMES)
    game = (await games.create(DRAW)).state.id
    this_game = bus.subscribe(game_topic(game))
    await games.move(game, 0, "take")
    await games.resign(game, 1)
    with pytest.raises(ApiError):
        await games.move(game, 0, "take")
    this_game.close()
    everything.close()
    changes = [change async for change in this_game]
    assert all(isinstance(change, Change) for change in changes)
    assert [change.state.version for change in changes] == [2, 3]
    assert [change.state.version async for change in everything] == [1, 2, 3]
    assert len(await store.events(game)) == 3
    assert [row.status for row in await store.listings(ListingQuery(game_ids=(game,)))] == ["finished"]
    await store.close()


async def test_a_slow_subscriber_is_overrun_and_delays_no_move() -> None:
    bus = Bus()
    slow, quick = bus.subscribe("t", limit=2), bus.subscribe("t")
    for n in range(5):
        await bus.publish("t", n)
    quick.close()
    assert [message async for message in quick] == [0, 1, 2, 3, 4]
    hearing = aiter(slow)
    assert [await anext(hearing), await anext(hearing)] == [0, 1]
    with pytest.raises(OverrunError):
        await anext(hearing)
