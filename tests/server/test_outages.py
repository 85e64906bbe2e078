"""Clocks are not charged for the time in which no server was running, or none could reach the database."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import replace

import pytest

from protocols.values import Seat, SeatKind, TimeControl
from server.domain.clocks.clock import ClockMode
from server.domain.errors import ApiError
from server.domain.events import ClockSet, Recorded
from server.domain.fold import fold
from server.domain.game import GameState
from server.ports.store import Heartbeat, OtherServer, Pulse
from server.services.cluster import leases
from server.services.cluster.leases import Leases
from server.services.cluster.outages import Outages
from server.services.games.game_factory import NewGame
from server.services.games.games import Games
from server.store import sql_leases
from tests.server.test_leases import a_server, a_store

HUMANS = (Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN))
TIMED = NewGame("toy-draw", HUMANS, config={"seed": 5}, time_control=TimeControl(60, 0))
TOGETHER = NewGame("pyrat", HUMANS, "tiny", {"seed": 5}, time_control=TimeControl(0, 0, move_ms=60_000))
FROZEN_MS = 900
"""The freeze is long, so that even a heartbeat that is stored late in it is old."""


@pytest.fixture
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers are soon dead."""
    monkeypatch.setattr(sql_leases, "DEAD_MS", FROZEN_MS // 3)
    monkeypatch.setattr(leases, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(leases, "LATE_SECONDS", FROZEN_MS / 6000)
    monkeypatch.setattr(leases, "LOST_SECONDS", FROZEN_MS / 3000)


def now_ms() -> int:
    return time.time_ns() // 1_000_000


async def uncharged(games: Games, game: str, since: int) -> int:
    """How many of the milliseconds since then the clock of the second seat was not charged."""
    return uncharged_in(await games.get(game), since)


def uncharged_in(state: GameState | None, since: int) -> int:
    """The same in a state."""
    assert state is not None
    assert state.clock is not None
    now = now_ms()
    return now - since - (60_000 - state.clock.left(1, now))


async def corrected(database: str, game: str, since: int) -> None:
    """Returns once the log has the corrected clock."""
    async with a_store(database) as store, asyncio.timeout(60):
        while uncharged_in(fold(game, await store.events(game)), since) < FROZEN_MS:  # noqa: ASYNC110 - polls
            await asyncio.sleep(0.01)


async def began(games: Games, wish: NewGame = TIMED) -> tuple[str, int]:
    """A game in which the clock of the second seat runs, and the time before that."""
    game = (await games.create(wish)).state.id
    since = now_ms()
    for seat, move in ((0, "STAY"), (1, "STAY")) if wish is TOGETHER else ((0, "take"),):
        await games.move(game, seat, move)
    return game, since


@pytest.mark.usefixtures("impatience")
@pytest.mark.parametrize("wish", [TIMED, TOGETHER], ids=["in turn", "together"])
async def test_a_frozen_server_charges_no_clock(database: str, wish: NewGame) -> None:
    async with a_server(database) as one, a_store(database) as store:
        game, since = await began(one, wish)
        await asyncio.sleep(0.1)
        time.sleep(FROZEN_MS / 1000)  # noqa: ASYNC251 - this is the freeze
        await corrected(database, game, since)
        last = (await store.events(game))[-1].event
        assert isinstance(last, ClockSet)
        assert last.mode is ClockMode.TURN


@pytest.mark.usefixtures("impatience")
async def test_what_arrived_while_the_server_was_frozen_is_not_late(database: str) -> None:
    async with a_server(database) as one:
        game, since = await began(one)
        await asyncio.sleep(0.1)
        moving = asyncio.ensure_future(one.move(game, 1, "take"))
        time.sleep(FROZEN_MS / 1000)  # noqa: ASYNC251 - this is the freeze
        await moving
        assert await uncharged(one, game, since) >= FROZEN_MS


@pytest.mark.usefixtures("impatience")
async def test_servers_that_are_frozen_together_charge_no_clock(database: str) -> None:
    """Whichever of them holds the leases afterwards, the log says so of each game."""
    async with a_server(database) as one, a_server(database) as other, a_store(database) as store:
        begun = [await began(server) for server in (one, other) * 3]
        await asyncio.sleep(0.1)
        time.sleep(FROZEN_MS / 1000)  # noqa: ASYNC251 - this is the freeze
        for game, since in begun:
            await corrected(database, game, since)
            kinds = [type(one.event) for one in await store.events(game)]
            assert kinds.count(ClockSet) <= 2, "each server corrects it at most once"


@pytest.mark.usefixtures("impatience")
async def test_a_move_at_another_server_after_a_common_freeze_is_not_late(database: str) -> None:
    async with a_server(database) as one, a_server(database) as other:
        game, since = await began(one)
        assert (await other.get(game)).ply == 1
        await asyncio.sleep(0.1)
        time.sleep(FROZEN_MS / 1000)  # noqa: ASYNC251 - this is the freeze
        await corrected(database, game, since)
        await other.move(game, 1, "take")
        assert await uncharged(other, game, since) >= FROZEN_MS


async def test_whoever_no_longer_holds_a_game_corrects_no_clock(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_leases, "DEAD_MS", 600_000)
    monkeypatch.setattr(leases, "HEARTBEAT_SECONDS", 600)
    async with a_server(sqlite) as one, a_store(sqlite) as store:
        game = (await one.create(TIMED)).state.id
        await one.move(game, 0, "take")
        wrong = replace(one.leases.lease(game), epoch=7)
        now = now_ms()
        one.leases.outages.add(now - 5_000, now + 5_000)
        with pytest.raises(ApiError, match="another server runs the game"):
            await one.set_clock(game, 1, ClockMode.STANDS, lease=wrong)
        assert not any(isinstance(one.event, ClockSet) for one in await store.events(game))


@pytest.mark.usefixtures("impatience")
async def test_an_outage_while_a_command_reads_the_log_is_not_charged(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_server(sqlite) as one, a_server(sqlite) as other:
        game, since = await began(one)
        assert (await other.get(game)).ply == 1
        await one.move(game, 1, "take")
        await one.move(game, 0, "take")
        read = other._store.events

        async def read_slowly(game_id: str, **bounds: int) -> list[Recorded]:
            monkeypatch.setattr(other._store, "events", read)
            time.sleep(FROZEN_MS / 1000)  # noqa: ASYNC251 - this is the freeze
            return await read(game_id, **bounds)

        monkeypatch.setattr(other._store, "events", read_slowly)
        assert (await other.move(game, 1, "take")).state.ply == 4
        assert await uncharged(other, game, since) >= FROZEN_MS


class Pulses:
    """A store of heartbeats that answers each with what it is told."""

    def __init__(self) -> None:
        self.others: Mapping[str, OtherServer] = {}
        self.was_dead = False
        self.said: list[int | None] = []
        self.answers = asyncio.Event()
        self.answers.set()

    async def beat(self, heartbeat: Heartbeat) -> Pulse:
        self.said.append(heartbeat.up_since)
        await self.answers.wait()
        return Pulse(self.others, {}, self.was_dead, may_claim_more=False)

    async def leases(self, server: str) -> Mapping[str, int]:
        return {}

    async def retire(self, server: str) -> None: ...


async def nothing(*_: object) -> None:
    pass


@pytest.mark.parametrize(
    ("others", "lost", "up_since"),
    [
        ((), 9_000, 10_000),
        ((500,), 0, 500),
        ((None,), 9_000, 10_000),
        ((7_000, None, 8_000), 6_000, 7_000),
        ((7_000, 900), 0, 900),
    ],
    ids=["alone", "another ran", "another was away, too", "another came back earlier", "one of two ran"],
)
async def test_time_is_lost_if_no_server_was_running(
    others: tuple[int | None, ...], lost: int, up_since: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "HEARTBEAT_SECONDS", 600)
    store, time_ms, ended = Pulses(), [1_000], list[bool]()

    async def end() -> None:
        ended.append(True)

    held = Leases(store, "one", lambda: time_ms[0], nothing, nothing, nothing, end)  # type: ignore[arg-type]  # a part of the port
    await held.start()
    await held.show_life()
    time_ms[0] = 10_000
    store.others = {str(number): OtherServer(9_999, since) for number, since in enumerate(others)}
    store.was_dead = True
    await held.show_life()
    store.was_dead = False
    await asyncio.sleep(0)
    assert (held.outages.lost(0), held.outages.lost(5_000)) == (lost, max(0, lost - 4_000))
    assert ended == [True] * (lost > 0)
    time_ms[0] = 11_600
    await held.show_life()
    said = [None, 1_000, None, up_since]
    assert store.said == said, "nobody may conclude that this one was running"
    await held.stop()


async def test_a_heartbeat_from_before_a_freeze_shows_no_life(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "HEARTBEAT_SECONDS", 600)
    store, time_ms = Pulses(), [1_000]
    held = Leases(store, "one", lambda: time_ms[0], nothing, nothing, nothing, nothing)  # type: ignore[arg-type]  # a part of the port
    await held.start()
    time_ms[0] = 2_600
    store.answers.clear()
    beating = asyncio.ensure_future(held.show_life())
    while len(store.said) < 3:  # noqa: ASYNC110 - polls
        await asyncio.sleep(0)
    time_ms[0] = 10_000
    showing = asyncio.ensure_future(held.show_life())
    await asyncio.sleep(0)
    assert store.said == [None, 1_000, 1_000]
    store.answers.set()
    await asyncio.gather(beating, showing)
    assert store.said == [None, 1_000, 1_000, None]
    await held.stop()


def test_outages_add_up() -> None:
    outages = Outages()
    assert outages.lost(0) == 0
    outages.add(10, 20)
    outages.add(50, 90)
    outages.add(70, 100)
    assert [outages.lost(since) for since in (0, 10, 15, 20, 49, 75, 100, 200)] == [
        60, 60, 55, 50, 50, 25, 0, 0,
    ]  # fmt: skip
