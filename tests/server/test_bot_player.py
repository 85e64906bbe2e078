"""Players of bots with short wait times: ended and restarted sessions, and bots whose opponents do not connect."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from engines import Evaluation
from engines.pool import EnginePool, Limits
from protocols.bgs import effects as ef
from protocols.bgs import messages
from protocols.values import (
    BoardSize,
    ClockReading,
    OfferKind,
    Range,
    Seat,
    SeatKind,
    Status,
    TimeControl,
    VariantOffer,
)
from server.analysts.pool_analyst import PoolAnalyst, SearchSettings
from server.domain.bots import BotProtocol
from server.domain.clocks.clock import ClockMode
from server.domain.errors import ApiError, Code, store_unavailable
from server.domain.game import GameState
from server.ports.store import Append
from server.services.bots.bgs import Bgs, BgsHost
from server.services.bots.bot_clients import BotClients
from server.services.bots.bot_context import BotContext
from server.services.bots.bot_places import BotPlaces
from server.services.bots.bot_registry import AttachedBots, AttachedClient, BotRegistry, bots_of
from server.services.bots.bot_seats import BotSeats
from server.services.bots.client_ids import ClientIds
from server.services.bots.session_slots import SessionSlot, Use
from server.services.bots.wait_times import WaitTimes
from server.services.bots.workers import Workers
from server.services.cluster.announcements import AnnouncementChange, Announcements
from server.services.cluster.bus import Bus
from server.services.cluster.departures import Departures
from server.services.cluster.leases import LEASES, GameLost
from server.services.cluster.presence import Presence
from server.services.evaluation.evaluations import Evaluations
from server.services.games.game_factory import GameFactory, NewGame
from server.services.games.games import Games
from server.store.sql_store import SqlStore
from tests.server.databases import sqlite_database
from tests.server.services import host_of

BOARD = {"boardWidth": 8, "boardHeight": 8}
"""Large enough that no bot wins while a test still moves. On one of 4x4, one in forty has won by the eighth ply."""
OFFERS = {"wallwars": {"standard": VariantOffer()}}


@dataclass(frozen=True, slots=True)
class Parts:
    """The services that these tests use."""

    games: Games
    bots: BotSeats
    clients: BotClients
    registry: BotRegistry
    host: BgsHost
    presence: Presence
    bus: Bus
    client: "Client"

    def all_at_rest(self) -> bool:
        """Whether every session waits for a move."""
        return len(self.host) > 0 and self.host.admission.pool.at_rest == len(self.host)


class Client(PoolAnalyst):
    """The connection of a client whose bots are played by the engine pool."""

    address = None
    protocol = BotProtocol.V3

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.results: list[messages.GameResult] = []

    def tell_result(self, result: messages.GameResult) -> None:
        """Kept in ``results``."""
        self.results.append(result)

    async def is_alive(self) -> bool:
        """Always True."""
        return True

    def dismiss(self, code: int, reason: str) -> None:
        """Does nothing."""


@pytest.fixture
async def build(tmp_path: Path) -> AsyncIterator[Callable[[WaitTimes], Awaitable[Parts]]]:
    async with AsyncExitStack() as stack:

        async def build(wait_times: WaitTimes) -> Parts:
            database = sqlite_database(tmp_path)
            store, bus, pool = SqlStore(database), Bus(), EnginePool(threads=1)
            searches = SearchSettings(Limits(samples=10))
            analyst = PoolAnalyst(pool, searches, analyst_id="services")
            host = host_of(8)
            registry = BotRegistry(analyst, OFFERS, time.monotonic, host.admission)
            games = Games(store, bus, GameFactory(registry))
            announcements = Announcements(
                bus, games.leases.server, games.leases.knows, games.leases.look_soon
            )
            presence = Presence(bus, announcements, Departures(60_000, games.now))
            around = BotContext(games, registry, host, presence, announcements, wait_times, time.monotonic)
            bots = BotSeats(around, bus)
            ids = ClientIds(store, games.now, games.leases.is_alive)
            places = BotPlaces(
                0, host.admission.clients, time.monotonic, lambda client: bots.plays(client.id)
            )
            clients = BotClients(around, bots, ids, Workers(1), places, places)
            stack.callback(pool.stop)
            stack.push_async_callback(store.close)
            stack.push_async_callback(games.stop)
            stack.push_async_callback(host.stop)
            stack.push_async_callback(bots.stop)
            stack.push_async_callback(clients.stop)
            await games.start()
            await bots.start()
            client = Client(pool, searches, analyst_id="c")
            return Parts(games, bots, clients, registry, host, presence, bus, client)

        yield build


async def against(
    parts: Parts, bot_id: str, *, is_first: bool, time_control: TimeControl | None = None
) -> GameState:
    human, bot = Seat(SeatKind.HUMAN), Seat(SeatKind.BOT, bot_id=bot_id)
    seats = (human, bot) if is_first else (bot, human)
    opened = await parts.games.create(NewGame("wallwars", seats, config=BOARD, time_control=time_control))
    return opened.state


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.01)


async def plies(parts: Parts, game_id: str, count: int) -> None:
    async with asyncio.timeout(60):
        while (await parts.games.get(game_id)).ply < count:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)


async def test_a_built_in_bot_sleeps_until_the_next_move(
    build: Callable[[WaitTimes], Awaitable[Parts]],
) -> None:
    parts = await build(WaitTimes(pool_idle=0.1))
    state = await against(parts, "plyhouse:easy", is_first=True)
    await until(lambda: len(parts.host) == 1)
    await until(lambda: len(parts.host) == 0 and parts.bots.player(state.id, 1) is None)
    await parts.games.propose(state.id, 0, OfferKind.DRAW)
    await asyncio.sleep(0.05)
    assert parts.bots.player(state.id, 1) is None, "a game without a move due wakes no bot"
    await parts.games.move(state.id, 0, "---")
    await plies(parts, state.id, 2)
    await until(lambda: parts.bots.player(state.id, 1) is None)
    await parts.games.propose(state.id, 0, OfferKind.TAKEBACK)
    await parts.games.move(state.id, 0, "---")
    await plies(parts, state.id, 2)


async def test_a_restart_wakes_no_bot_whose_game_waits_for_a_person(
    build: Callable[[WaitTimes], Awaitable[Parts]],
) -> None:
    before = await build(WaitTimes())
    waiting = await against(before, "plyhouse:easy", is_first=True)
    await before.bots.stop()
    due = await against(before, "plyhouse:easy", is_first=False)
    await before.games.stop()
    parts = await build(WaitTimes())
    assert parts.bots.player(waiting.id, 1) is None
    await plies(parts, due.id, 1)
    await parts.games.move(waiting.id, 0, "---")
    await plies(parts, waiting.id, 2)


async def test_a_built_in_bot_evaluates_nothing_again_after_a_restart_or_a_takeback(
    build: Callable[[WaitTimes], Awaitable[Parts]],
) -> None:
    before = await build(WaitTimes())
    state = await against(before, "plyhouse:easy", is_first=True)
    for ply in (0, 2, 4):
        await before.games.move(state.id, 0, "---")
        await plies(before, state.id, ply + 2)
    await before.bots.stop()
    await before.games.stop()
    parts = await build(WaitTimes())
    assert await evaluated_for_a_reply(parts, state.id) == [6, 7, 8]
    await parts.games.propose(state.id, 0, OfferKind.TAKEBACK)
    evaluated = await evaluated_for_a_reply(parts, state.id)
    assert evaluated in ([5, 6, 7, 8], [6, 7, 8]), "it begins before or after the person's move"


async def evaluated_for_a_reply(parts: Parts, game_id: str) -> list[int]:
    """Has the bot of the second seat reply to a move; returns the plies that its session has evaluated then."""
    state = await parts.games.move(game_id, 0, "---")
    await plies(parts, game_id, state.ply + 1)
    player = parts.bots.player(game_id, 1)
    assert player is not None
    assert player.bgs is not None
    return [entry.ply for entry in player.bgs.entries_for(player.bgs.line)]


async def test_a_session_of_an_attached_bot_is_ended_and_started_again(
    build: Callable[[WaitTimes], Awaitable[Parts]],
) -> None:
    parts = await build(WaitTimes(attached_idle=0.1, arrival=0))
    await attach(parts)
    state = await against(parts, "c:b", is_first=False)
    await plies(parts, state.id, 1)
    await until(lambda: len(parts.host) == 0 and parts.bots.player(state.id, 0) is None)
    player = parts.bots.awake(await parts.games.get(state.id), 0)
    assert player is not None
    await until(lambda: len(parts.host) == 1)


@pytest.mark.parametrize("is_lost", [False, True])
async def test_a_bot_is_told_the_result_once(
    build: Callable[[WaitTimes], Awaitable[Parts]], monkeypatch: pytest.MonkeyPatch, *, is_lost: bool
) -> None:
    """Also if the answer of the last append was lost."""
    parts = await build(WaitTimes(arrival=0))
    await attach(parts)
    state = await against(parts, "c:b", is_first=True)
    append = parts.games._store.append

    async def lose_answer(change: Append) -> None:
        await append(change)
        if is_lost:
            raise store_unavailable("the connection was lost")

    with monkeypatch.context() as patch:
        patch.setattr(parts.games._store, "append", lose_answer)
        with suppress(ApiError):
            await parts.games.resign(state.id, 0)
    await until(lambda: len(parts.client.results) > 0)
    await asyncio.sleep(0.05)
    assert [(result.game_id, result.seat) for result in parts.client.results] == [(state.id, 1)]


async def test_a_sleeping_bot_loses_when_its_client_disconnects(
    build: Callable[[WaitTimes], Awaitable[Parts]],
) -> None:
    parts = await build(WaitTimes(attached_idle=0.1, arrival=0))
    await attach(parts)
    unseen = await against(parts, "c:b", is_first=True)
    moved = await against(parts, "c:b", is_first=False)
    await plies(parts, moved.id, 1)
    await until(lambda: parts.bots.player(unseen.id, 1) is None and parts.bots.player(moved.id, 0) is None)
    await parts.games.move(unseen.id, 0, "---")
    await plies(parts, unseen.id, 2)
    await until(lambda: parts.bots.player(unseen.id, 1) is None)
    parts.clients.detach(parts.client)
    for state in (unseen, moved):
        async with asyncio.timeout(60):
            while (await parts.games.get(state.id)).result is None:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.01)


def attachment() -> messages.Attach:
    offer = VariantOffer(Range(3, 9), Range(3, 9), (BoardSize(5, 5),))
    entry = messages.BotEntry("b", "B", None, {"standard": offer}, "wallwars")
    return messages.Attach("c", messages.ClientInfo("t", "1"), (entry,))


async def attach(parts: Parts) -> None:
    await parts.clients.attach(attachment(), parts.client)


def told_elsewhere(parts: Parts, *, inherits: bool = True) -> AnnouncementChange:
    told = AttachedBots(bots_of(attachment()), parts.games.now(), inherits=inherits)
    return AnnouncementChange("other", "c", asdict(told))


async def test_the_holder_waits_for_a_bot_whose_id_a_stranger_uses_at_another_server(
    build: Callable[[WaitTimes], Awaitable[Parts]],
) -> None:
    parts = await build(WaitTimes())
    await parts.clients._take_announcement(told_elsewhere(parts))
    game = (await against(parts, "c:b", is_first=True)).id
    await asyncio.sleep(0.05)
    assert not parts.presence.attendance(game).away
    await parts.clients._take_announcement(told_elsewhere(parts, inherits=False))
    await until(lambda: 1 in parts.presence.attendance(game).away)


async def test_the_last_server_waits_for_a_bot_that_it_learns_late_to_be_lost(
    build: Callable[[WaitTimes], Awaitable[Parts]],
) -> None:
    """It has taken the game over, and knows already that it is alone."""
    parts = await build(WaitTimes())
    assert parts.games.leases.is_alone
    await parts.clients._take_announcement(told_elsewhere(parts))
    game = (await against(parts, "c:b", is_first=True)).id
    await parts.bots._look_again(game)
    await parts.clients._take_announcement(AnnouncementChange("other", "c", None, is_lost=True))
    await until(lambda: 1 in parts.presence.attendance(game).away)


async def test_a_bar_fails_if_its_evaluator_leaves_and_no_session_is_free(
    build: Callable[[WaitTimes], Awaitable[Parts]],
) -> None:
    parts = await build(WaitTimes())
    evaluations = Evaluations(parts.bots._context, parts.bots, parts.bus, parts.registry._pool)
    evaluations.start()
    official = tuple(replace(bot, is_official=True) for bot in bots_of(attachment()))
    told = asdict(AttachedBots(official, 0, inherits=True))
    await parts.clients._take_announcement(AnnouncementChange("other", "c", told))
    people = Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN)
    game = (await parts.games.create(NewGame("wallwars", people, config=BOARD))).state
    feed = await evaluations._shared_feed(game.id)
    assert feed is not None
    for _ in range(8):
        slot = SessionSlot(Use.BOT_MOVE, on_grant=nothing, take_back=nothing)
        parts.host.admission.pool.admit(slot)
    await parts.clients._take_announcement(AnnouncementChange("other", "c", None))
    await evaluations.stop()
    assert feed.failure is not None
    assert feed.over.is_set()


async def test_an_attached_bot_makes_the_first_move_without_an_open_socket(
    build: Callable[[WaitTimes], Awaitable[Parts]],
) -> None:
    parts = await build(WaitTimes(arrival=0.3))
    await attach(parts)
    first = await against(parts, "c:b", is_first=False)
    second = await against(parts, "c:b", is_first=True)
    await asyncio.sleep(0.1)
    assert len(parts.host) == 0
    await plies(parts, first.id, 1)
    assert len(parts.host) == 1
    await parts.games.move(second.id, 0, "---")
    await plies(parts, second.id, 2)


async def test_when_all_sessions_are_in_use_bots_wait_for_one(
    build: Callable[[WaitTimes], Awaitable[Parts]],
) -> None:
    parts = await build(WaitTimes())
    games = []
    for _ in range(12):
        games.append(await against(parts, "plyhouse:easy", is_first=True))
        await until(parts.all_at_rest)
    await asyncio.gather(*(parts.games.move(game.id, 0, "---") for game in games))
    for game in games:
        await plies(parts, game.id, 2)


async def test_a_game_is_refused_when_its_bot_would_find_no_session(
    build: Callable[[WaitTimes], Awaitable[Parts]],
) -> None:
    parts = await build(WaitTimes())
    places = parts.host.admission.pool
    thinking = [SessionSlot(Use.BOT_MOVE, on_grant=nothing, take_back=nothing) for _ in range(8)]
    for place in thinking:
        places.admit(place)
    with pytest.raises(ApiError) as refusal:
        await against(parts, "plyhouse:easy", is_first=True)
    assert (refusal.value.code, refusal.value.retry_after_ms) == (Code.UNAVAILABLE, 5000)
    places.rest(thinking[0])
    await against(parts, "plyhouse:easy", is_first=True)


def nothing() -> None:
    """Does nothing, so that the sessions are never freed."""


async def test_a_bot_that_waits_for_a_session_does_not_lose_on_time(
    build: Callable[[WaitTimes], Awaitable[Parts]],
) -> None:
    parts = await build(WaitTimes())
    control = TimeControl(3, 0)
    game = await against(parts, "plyhouse:easy", is_first=True, time_control=control)
    await until(parts.all_at_rest)
    places = parts.host.admission.pool
    thinking = [SessionSlot(Use.BOT_MOVE, on_grant=nothing, take_back=nothing) for _ in range(8)]
    for place in thinking:
        places.admit(place)
    await until(lambda: len(parts.host) == 0)
    await parts.games.move(game.id, 0, "---")
    await asyncio.sleep(3.2)
    state = await parts.games.get(game.id)
    assert (state.ply, state.status) == (1, Status.PLAYING)
    places.leave(thinking[0])
    await plies(parts, game.id, 2)
    state = await parts.games.get(game.id)
    assert state.clock is not None
    assert set(state.clock.modes) == {ClockMode.TURN}


async def test_a_bot_plays_on_if_the_lease_comes_back_while_its_player_ends(
    build: Callable[[WaitTimes], Awaitable[Parts]], monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = await build(WaitTimes())
    await attach(parts)
    game = (await against(parts, "c:b", is_first=True)).id
    leases, set_back = parts.games.leases, parts.presence.set_back
    parts.registry.detach(parts.client)
    parts.registry._left.clear()  # As if its server had stopped.
    parts.bots.review("c")
    await until(lambda: 1 in parts.presence.attendance(game).away)
    backs: list[int] = []

    async def get_lease_again(game_id: str, seat: int) -> None:
        await set_back(game_id, seat)
        leases.begin(game_id)
        backs.append(seat)

    monkeypatch.setattr(parts.presence, "set_back", get_lease_again)
    leases.drop(game)
    await parts.bus.publish(LEASES, GameLost(game))
    await until(lambda: backs == [1] and 1 in parts.presence.attendance(game).away)
    await attach(parts)
    await parts.games.move(game, 0, "---")
    await plies(parts, game, 2)


async def test_a_bot_plays_on_if_its_client_comes_back_while_its_session_closes(
    build: Callable[[WaitTimes], Awaitable[Parts]], monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = await build(WaitTimes())
    await attach(parts)
    asked, may_answer, answer = asyncio.Event(), asyncio.Event(), Bgs._answer

    async def answer_late(bgs: Bgs, request: ef.Request, clock: ClockReading | None) -> Evaluation | None:
        if isinstance(request, ef.EvaluateSession):
            asked.set()
            await may_answer.wait()
        return await answer(bgs, request, clock)

    monkeypatch.setattr(Bgs, "_answer", answer_late)
    monkeypatch.setattr(Client, "time_limit", 60.0)
    game = (await against(parts, "c:b", is_first=False)).id
    player = parts.bots.player(game, 0)
    assert player is not None
    player.engage()
    async with asyncio.timeout(60):
        await asked.wait()
    parts.registry.attach("c", AttachedClient(AttachedBots((), 0, inherits=True), "another server"))
    parts.bots.wake("c")
    await asyncio.sleep(0.05)
    parts.registry.detach_elsewhere("c", "another server", is_lost=True)
    await attach(parts)
    may_answer.set()
    await until(lambda: parts.bots.player(game, 0) not in (None, player))
    await plies(parts, game, 1)
