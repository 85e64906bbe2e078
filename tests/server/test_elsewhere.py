"""What other processes do to the games of a log: it is told here as it happened there, also after a gap."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from server.adapters.memory_bus import MemoryBus
from server.adapters.sql_migrate import migrate
from server.adapters.sql_store import SqlStore
from server.domain import events as e
from server.domain.errors import ApiError, Code
from server.domain.seats import SeatKind
from server.ports import Listing, ListingQuery, Subscription
from server.services.changes import ALL_GAMES, LOGS, FarChange, FarChangesMissed, LogGrown, game_topic
from server.services.games import Games
from server.services.opening import NewGame, NewSeat, Opener
from tests.server.house import Botless

DRAW = NewGame("toy-draw", (NewSeat(SeatKind.HUMAN), NewSeat(SeatKind.HUMAN)), config={"seed": 5})
ROW = Listing("", "toy-draw", "standard", "playing", is_timed=False, has_bot=False, created_at=1, updated_at=1,
              ply=0, summary={})  # fmt: skip


class House:
    """One process: its games and its bus, which reaches nobody else."""

    def __init__(self, url: str, loaded: int) -> None:
        self.store = SqlStore(url)
        self.bus = MemoryBus()
        self.games = Games(self.store, self.bus, Opener(Botless(), with_unlisted=True), loaded=loaded)

    async def hears(self, game_id: str, *recorded: e.Recorded) -> None:
        """Is told of events by another process."""
        rows = [row for row in await self.store.listings(ListingQuery()) if row.game_id == game_id]
        await self.bus.publish(LOGS, LogGrown("another", recorded, *rows or [replace(ROW, game_id=game_id)]))


@asynccontextmanager
async def a_house(url: str, loaded: int = 1000) -> AsyncIterator[House]:
    house = House(url, loaded)
    await house.games.start()
    try:
        yield house
    finally:
        await house.games.stop()
        await house.store.close()


@pytest.fixture
async def houses(tmp_path: Path) -> AsyncIterator[tuple[House, House]]:
    url = f"sqlite:///{tmp_path}/plyhouse.sqlite3"
    migrate(url)
    async with a_house(url) as one, a_house(url) as other:
        yield one, other


async def taken(changes: Subscription, count: int) -> list[Any]:
    found = []
    async with asyncio.timeout(5):
        async for change in changes:
            found.append(change)
            if len(found) == count:
                break
    return found


async def test_each_message_is_the_change_it_was_even_if_the_log_has_grown(
    houses: tuple[House, House],
) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    for seat in (0, 1):
        await one.games.move(game, seat, "take")
    log = await one.store.events(game)
    other.bus.subscribe(game_topic(game))
    changes = other.bus.subscribe(ALL_GAMES)
    for recorded in log:
        await other.hears(game, recorded)
    told = await taken(changes, 3)
    assert [(change.state.version, change.state.ply) for change in told] == [(1, 0), (2, 1), (3, 2)]
    assert [change.recorded for change in told] == [(recorded,) for recorded in log]
    assert not any(change.is_own for change in told)


async def test_a_game_in_memory_goes_on_with_what_is_told(houses: tuple[House, House]) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    assert (await other.games.get(game)).ply == 0
    changes = other.bus.subscribe(ALL_GAMES)
    await one.games.move(game, 0, "take")
    await other.hears(game, (await one.store.events(game))[-1])
    await taken(changes, 1)
    assert (await other.games.get(game)).moves == (await one.games.get(game)).moves == ("take +9",)
    await other.games.move(game, 1, "take", expected_ply=1)


async def test_after_a_gap_the_log_says_what_was_missed(houses: tuple[House, House]) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    await other.games.get(game)
    changes = other.bus.subscribe(ALL_GAMES)
    for seat in (0, 1):
        await one.games.move(game, seat, "take")
    other.bus.miss(LOGS)
    change, missed = await taken(changes, 2)
    assert isinstance(missed, FarChangesMissed)
    assert change.recorded == tuple((await one.store.events(game))[1:])
    assert (await other.games.get(game)).ply == 2
    await one.games.move(game, 0, "take")
    await other.hears(game, (await one.store.events(game))[-1])
    assert (await taken(changes, 1))[0].state.ply == 3


async def test_a_game_of_another_database_is_passed_over(houses: tuple[House, House]) -> None:
    one, other = houses
    changes = other.bus.subscribe(ALL_GAMES)
    await other.hears("elsewhere", e.Recorded(2, 1, e.Moved(0, "take")))
    game = (await one.games.create(DRAW)).state.id
    await other.hears(game, *await one.store.events(game))
    assert (await taken(changes, 1))[0].game_id == game


async def test_a_game_that_nobody_uses_here_is_not_read(houses: tuple[House, House]) -> None:
    one, other = houses
    changes = other.bus.subscribe(ALL_GAMES)
    game = (await one.games.create(DRAW)).state.id
    await one.games.move(game, 0, "take")
    for recorded in await one.store.events(game):
        await other.hears(game, recorded)
    other.bus.miss(LOGS)
    *told, missed = await taken(changes, 3)
    assert [(type(change), change.listing.ply) for change in told] == [(FarChange, 1), (FarChange, 1)]
    assert isinstance(missed, FarChangesMissed)
    assert other.games.loaded == 0


async def test_what_another_process_does_to_a_game_is_no_use_of_it(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/plyhouse.sqlite3"
    migrate(url)
    async with a_house(url) as one, a_house(url, loaded=2) as other:
        played, *rest = [(await one.games.create(DRAW)).state.id for _ in range(3)]
        await other.games.get(played)
        await other.games.get(rest[0])
        changes = other.bus.subscribe(ALL_GAMES)
        for seat in (0, 1):
            await one.games.move(played, seat, "take")
            await other.hears(played, (await one.store.events(played))[-1])
        await taken(changes, 2)
        await other.games.get(rest[1])
        await one.games.move(played, 0, "take")
        await other.hears(played, (await one.store.events(played))[-1])
        assert [type(change) for change in await taken(changes, 1)] == [FarChange]


async def test_a_message_that_another_process_has_answered_gets_that_answer(
    houses: tuple[House, House],
) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    await other.games.get(game)
    first = await one.games.move(game, 0, "take", client_msg_id="a")
    await one.games.move(game, 1, "take")
    repeated = await other.games.move(game, 0, "take", expected_ply=0, client_msg_id="a")
    assert (repeated.ply, repeated.state.version) == (first.ply, first.state.version) == (1, 2)
    assert (await other.games.get(game)).version == 3


async def test_nothing_is_refused_for_what_another_process_has_changed(houses: tuple[House, House]) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    for ply in range(6):
        mover, elsewhere = (one, other) if ply % 2 else (other, one)
        await elsewhere.games.get(game)
        assert (await mover.games.move(game, ply % 2, "take", expected_ply=ply)).ply == ply + 1
    await one.games.propose(game, 0, e.OfferKind.DRAW)
    assert (await other.games.accept(game, 1, e.OfferKind.DRAW)).status == "finished"
    with pytest.raises(ApiError) as refusal:
        await one.games.move(game, 0, "take")
    assert refusal.value.code is Code.FINISHED


async def test_a_token_that_another_process_has_given_opens_its_seat(houses: tuple[House, House]) -> None:
    one, other = houses
    wish = NewGame("toy-draw", (NewSeat(SeatKind.HUMAN), NewSeat(SeatKind.OPEN)), config={"seed": 5})
    game = (await one.games.create(wish)).state.id
    assert await other.games.seat_of(game, "unknown") is None
    joined = await one.games.join(game)
    assert await other.games.seat_of(game, joined.token) == 1


async def test_what_was_found_in_the_log_is_told_once(houses: tuple[House, House]) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    await other.games.get(game)
    await one.games.move(game, 0, "take")
    changes = other.bus.subscribe(ALL_GAMES)
    await other.games.move(game, 1, "take", expected_ply=1)
    for recorded in (await one.store.events(game))[1:]:
        await other.hears(game, recorded)
    await one.games.move(game, 0, "take")
    await other.hears(game, (await one.store.events(game))[-1])
    told = await taken(changes, 3)
    assert [(change.state.version, change.is_own) for change in told] == [(2, False), (3, True), (4, False)]
