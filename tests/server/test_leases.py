"""Leases: one of several servers on a database holds each game's lease; others take over when it stops or dies."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from protocols.values import Seat, SeatKind, Status, TimeControl
from server.domain.clocks.clock import ClockMode
from server.domain.errors import ApiError, Code, store_unavailable
from server.domain.events import Created, Event, Left, Moved, Recorded
from server.domain.game import GameState
from server.ports.store import Append, Heartbeat, Lease, Listing, Pulse, VersionConflictError
from server.services.cluster import leases
from server.services.cluster.bus import Bus
from server.services.games.game_factory import GameFactory, NewGame
from server.services.games.games import Games
from server.store import sql_leases
from server.store.sql_leases import SHARE
from server.store.sql_store import SqlStore
from tests.server.bot_peers import a_bot, challenge, http, reached, submit
from tests.server.buses import until
from tests.server.databases import ON_POSTGRES, ON_SQLITE
from tests.server.game_peers import Json
from tests.server.services import Botless, opening, play
from tests.server.serving import Served
from tools.services.redis import RedisServer

HUMANS = (Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN))
BOT = Seat(SeatKind.BOT, bot_id="c:b")
ROW = Listing("", "toy-draw", "standard", "playing", is_timed=True, has_bot=True, created_at=1, updated_at=1,
              ply=0, summary={"seats": []})  # fmt: skip


@asynccontextmanager
async def a_store(url: str) -> AsyncIterator[SqlStore]:
    store = SqlStore(url)
    try:
        yield store
    finally:
        await store.close()


def begun(game_id: str, holder: str | None, *seats: Seat) -> Append:
    """A game that begins, with this holder of its lease."""
    created = Created("toy-draw", "standard", {"seats": 2, "first": 8}, {"seed": 5}, seats or HUMANS, host=0)
    row = Listing(**{name: getattr(ROW, name) for name in ROW.__slots__} | {"game_id": game_id})
    return Append(game_id, 0, (Recorded(1, 1, created),), row, holder=holder)


def moved(game: Append, seq: int, lease: Lease | None) -> Append:
    event = Recorded(seq, seq, Moved(seq % 2, "take"))
    return Append(game.game_id, seq - 1, (event,), game.listing, lease=lease)


async def beat(store: SqlStore, server: str, claims: str = "of the dead") -> Pulse:
    return await store.beat(Heartbeat(server, 1, claims))  # type: ignore[arg-type]  # one of the literals


# ---- the store -------------------------------------------------------------------------------------


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers in this process are dead only when they have stopped, however slow the machine is.

    Others find soon whether they are alive.
    """
    monkeypatch.setattr(sql_leases, "DEAD_MS", 600_000)
    monkeypatch.setattr(leases, "HEARTBEAT_SECONDS", 0.05)


@pytest.mark.usefixtures("patience")
async def test_a_former_holder_can_change_nothing(database: str) -> None:
    async with a_store(database) as store:
        game = begun("a", "one")
        await store.append(game)
        await beat(store, "one")
        await store.append(moved(game, 2, Lease("one", 1)))
        await store.retire("one")
        assert (await beat(store, "two")).claimed == {"a": 2}
        for lease in (Lease("one", 1), Lease("two", 1), Lease("one", 2)):
            with pytest.raises(VersionConflictError):
                await store.append(moved(game, 3, lease))
        await store.append(moved(game, 3, Lease("two", 2)))
        await store.append(moved(game, 4, None))
        assert (await beat(store, "one")).was_dead
        assert await store.leases("one") == {}
        assert await store.leases("two") == {"a": 2}


@pytest.mark.usefixtures("patience")
async def test_games_of_the_living_are_not_claimed(database: str) -> None:
    async with a_store(database) as store:
        for name in ("one", "dead"):
            await beat(store, name)
            await store.append(begun(f"of {name}", name))
        await store.append(begun("new", None))
        await store.retire("dead")
        pulse = await beat(store, "two", "all")
        assert (pulse.claimed, list(pulse.others)) == ({"of dead": 2, "new": 1}, ["one"])
        assert (await beat(store, "three", "all")).claimed == {}
        assert list((await beat(store, "three", "none")).others) == ["one", "two"]


@pytest.mark.usefixtures("patience")
async def test_open_games_that_end_with_their_host_are_claimed_and_others_are_not(database: str) -> None:
    async with a_store(database) as store:
        for game_id, has_remote in (("hosted", True), ("waiting", False)):
            game = begun(game_id, None)
            row = replace(game.listing, status="open", has_remote=has_remote)
            await store.append(replace(game, listing=row))
        assert (await beat(store, "one", "all")).claimed == {"hosted": 1}
        assert await store.leases("one") == {"hosted": 1}
        await store.retire("one")
        assert (await beat(store, "two")).claimed == {"hosted": 2}


@pytest.mark.usefixtures("patience")
async def test_servers_share_their_players_while_they_are_alive(database: str) -> None:
    async with a_store(database) as store:
        await store.beat(Heartbeat("one", 1, "none", [("a", 0), ("b", 1)]))
        await store.beat(Heartbeat("two", 1, "none", [("c", 0)]))
        assert await store.players_elsewhere("two") == {("a", 0), ("b", 1)}
        await store.beat(Heartbeat("one", 1, "none", [("b", 1)]))
        assert await store.players_elsewhere("three") == {("b", 1), ("c", 0)}
        await store.retire("one")
        assert await store.players_elsewhere("three") == {("c", 0)}


@pytest.mark.usefixtures("patience")
async def test_survivors_share_the_games(database: str) -> None:
    count = SHARE + 20
    async with a_store(database) as store, a_store(database) as other:
        for name in ("one", "two", "dead"):
            await beat(store, name)
        for number in range(count):
            await store.append(begun(f"g{number}", "dead"))
        await store.retire("dead")
        claimed: dict[str, list[str]] = {"one": [], "two": []}
        async with asyncio.timeout(60):
            while sum(map(len, claimed.values())) < count:
                pulses = await asyncio.gather(beat(store, "one"), beat(other, "two"))
                for names, pulse in zip(claimed.values(), pulses, strict=True):
                    assert len(pulse.claimed) <= SHARE
                    names += pulse.claimed
        assert all(claimed.values())
        assert len({*claimed["one"], *claimed["two"]}) == count


async def test_the_games_of_a_bot_client(database: str) -> None:
    async with a_store(database) as store:
        await store.append(begun("its", "one", HUMANS[0], BOT))
        assert [await store.games_of_client(client) for client in ("c", "c2", "%")] == [["its"], [], []]


async def test_a_server_is_known_by_its_heartbeat(database: str) -> None:
    async with a_store(database) as store:
        await beat(store, "one")
        assert [await store.has_server(server) for server in ("one", "two")] == [True, False]


# ---- services in this process ----------------------------------------------------------------------


@asynccontextmanager
async def a_server(url: str) -> AsyncIterator[Games]:
    async with a_store(url) as store:
        games = Games(store, Bus(), GameFactory(Botless(), with_unlisted=True))
        await games.start()
        try:
            yield games
        finally:
            await games.stop()


def is_released(state: GameState) -> bool:
    return state.clock is not None and state.clock.modes[0] is ClockMode.TURN


TIMED = NewGame("toy-draw", HUMANS, config={"seed": 5}, time_control=TimeControl(600, 0))


@pytest.mark.usefixtures("patience")
async def test_a_clock_controlled_at_a_server_that_stops_is_released(database: str) -> None:
    async with a_server(database) as one:
        async with a_server(database) as other:
            game = (await one.create(TIMED)).state.id
            await other.set_clock(game, 0, ClockMode.STANDS)
        async with asyncio.timeout(60):
            while not is_released(await one.get(game)):  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.01)
        assert game in one.leases


@pytest.mark.usefixtures("patience")
async def test_a_server_that_starts_beside_another_charges_running_clocks(database: str) -> None:
    async with a_server(database) as one:
        game = (await one.create(TIMED)).state.id
        await one.move(game, 0, "take")
        async with a_server(database) as other:
            there, here = (await other.get(game)).clock, (await one.get(game)).clock
            assert there == here
            assert game not in other.leases


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize("error", [store_unavailable("the connection was lost"), RuntimeError("unexpected")])
async def test_games_claimed_by_a_heartbeat_that_seemed_to_fail_are_taken_over(
    database: str, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async with a_server(database) as one, a_store(database) as store:
        await beat(store, "two")
        game = begun("a", "two", BOT, HUMANS[0])
        beat_here = one.leases._store.beat

        async def lose_answer(heartbeat: Heartbeat) -> Pulse:
            pulse = await beat_here(heartbeat)
            if "a" in pulse.claimed:
                raise error
            return pulse

        with monkeypatch.context() as patch:
            patch.setattr(one.leases._store, "beat", lose_answer)
            await store.append(game)
            await store.retire("two")
            async with asyncio.timeout(60):
                while "a" not in one.leases:  # noqa: ASYNC110 - polls
                    await asyncio.sleep(0.01)
        assert await store.leases(one.leases.server) == {"a": 2}
        assert one.leases.lease("a") == Lease(one.leases.server, 2)


@pytest.mark.usefixtures("patience")
async def test_a_game_that_has_begun_although_its_append_seemed_to_fail_is_held(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_server(database) as one:
        seats = (Seat(SeatKind.HUMAN), Seat(SeatKind.OPEN))
        game = (await one.create(replace(TIMED, seats=seats))).state.id
        append = one._store.append

        async def lose_answer(change: Append) -> None:
            await append(change)
            raise store_unavailable("the connection was lost")

        with monkeypatch.context() as patch:
            patch.setattr(one._store, "append", lose_answer)
            with pytest.raises(ApiError):
                await one.join(game)
        async with asyncio.timeout(60):
            while game not in one.leases:  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.01)
            while (await one.get(game)).status is not Status.PLAYING:  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.01)


@pytest.mark.usefixtures("patience")
async def test_a_command_with_a_wrong_lease_is_refused_and_the_lease_is_read_again(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "HEARTBEAT_SECONDS", 600)
    async with a_server(database) as one:
        game = (await one.create(TIMED)).state.id
        held = one.leases.lease(game)
        one.leases._epochs[game] = held.epoch + 1
        wrong = one.leases.lease(game)
        with pytest.raises(ApiError, match="another server runs the game") as refused:
            await one.set_clock(game, 0, ClockMode.STANDS, lease=wrong)
        assert refused.value.code is Code.UNAVAILABLE
        assert game not in one.leases
        one.leases.look_soon()
        async with asyncio.timeout(60):
            while game not in one.leases:  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.01)
        assert one.leases.lease(game) == held
        after = await one.set_clock(game, 0, ClockMode.STANDS, lease=held)
        assert after.clock is not None
        assert after.clock.modes[0] is ClockMode.STANDS


@pytest.mark.usefixtures("patience")
async def test_a_lease_that_is_lost_and_found_at_once_is_taken_over(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command was refused while this server read which leases it holds: who played the game has stopped."""
    async with a_server(database) as one:
        game = (await one.create(TIMED)).state.id
        read, taken = one._store.leases, list[str]()

        async def refuse_meanwhile(server: str) -> Mapping[str, int]:
            held = await read(server)
            one.leases.drop(game)
            return held

        async def take(games: tuple[str, ...]) -> None:
            taken.extend(games)

        monkeypatch.setattr(one._store, "leases", refuse_meanwhile)
        monkeypatch.setattr(one.leases, "_on_taken", take)
        one.leases.recheck()
        await until(lambda: game in taken)
        assert game in one.leases


async def test_a_server_that_cannot_show_that_it_is_alive_changes_nothing(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "HEARTBEAT_SECONDS", 600)
    async with a_server(sqlite) as one:
        game = (await one.create(TIMED)).state.id

        async def fail(heartbeat: Heartbeat) -> Pulse:
            raise store_unavailable("the disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(leases, "LATE_SECONDS", 0)
            await one.move(game, 0, "take")
            patch.setattr(one._store, "beat", fail)
            with pytest.raises(ApiError, match="the disk is full"):
                await one.move(game, 1, "take")
        assert (await one.move(game, 1, "take")).state.ply == 2


# ---- servers ---------------------------------------------------------------------------------------

# A server that is stopped while it writes keeps SQLite's file locked.
STOPPED = ("postgres", signal.SIGSTOP)


@pytest.fixture
def options(database: str) -> Iterator[tuple[str, ...]]:
    """The options with which servers share the database."""
    with ExitStack() as stack:
        options: tuple[str, ...] = ("--database", database)
        if database.startswith("sqlite"):
            options += ("--redis", stack.enter_context(RedisServer()).url)
        yield options


async def events(database: str, game: Json) -> list[Event]:
    async with a_store(database) as store:
        return [one.event for one in await store.events(game["gameId"])]


@pytest.mark.parametrize(
    ("database", "how"),
    [
        ("sqlite", signal.SIGTERM),
        pytest.param("postgres", signal.SIGKILL, marks=pytest.mark.soak),
        pytest.param(*STOPPED, marks=pytest.mark.soak),
    ],
    indirect=["database"],
)
@pytest.mark.slow
async def test_another_server_ends_a_game_on_time_once(
    tmp_path: Path, database: str, options: tuple[str, ...], how: signal.Signals
) -> None:
    with Served(tmp_path, *options) as one, Served(tmp_path, *options) as other:
        async with http(one) as client:
            game = await opening(client, timeControl={"initialSeconds": 3})
            assert (await play(client, game, 0, "---"))[0] == 200
        one.send(how)
        async with http(other) as client:
            assert (await reached(client, game["gameId"], status="finished"))["result"]["reason"] == "timeout"
        if how is signal.SIGSTOP:
            one.send(signal.SIGCONT)
            async with http(one) as client:
                again = await opening(client, timeControl={"initialSeconds": 3})
                assert (await play(client, again, 0, "---"))[0] == 200
                await reached(client, again["gameId"], status="finished")
        assert sum(isinstance(event, Left) for event in await events(database, game)) == 1


@pytest.mark.parametrize(
    ("database", "how"),
    [("sqlite", signal.SIGKILL), ("postgres", signal.SIGTERM), STOPPED],
    indirect=["database"],
)
async def test_another_server_moves_for_a_bot_once(
    tmp_path: Path, database: str, options: tuple[str, ...], how: signal.Signals
) -> None:
    with Served(tmp_path, *options) as one, Served(tmp_path, *options) as other:
        async with http(one) as client:
            game = await challenge(client, "plyhouse:easy", boardWidth=4, boardHeight=4)
            await submit(client, game, "---")
            await reached(client, game["gameId"], ply=2)
        one.send(how)
        async with http(other) as client:
            await submit(client, game, "---")
            await reached(client, game["gameId"], ply=4)
            if how is signal.SIGSTOP:
                one.send(signal.SIGCONT)
            await submit(client, game, "---")
            await reached(client, game["gameId"], ply=6)
        moves = [event.seat for event in await events(database, game) if isinstance(event, Moved)]
        assert moves == [0, 1] * 3


@ON_POSTGRES
@pytest.mark.slow
async def test_bots_play_on_through_a_rolling_restart(tmp_path: Path, options: tuple[str, ...]) -> None:
    with Served(tmp_path, *options) as one, Served(tmp_path, *options) as other:
        async with http(one) as client:
            game = await challenge(client, "plyhouse:easy", boardWidth=4, boardHeight=4)
        ply = 0
        for stopped, running in ((one, other), (other, one)):
            stopped.stop(signal.SIGTERM)
            for _ in range(2):
                async with http(running) as client:
                    await submit(client, game, "---")
                    ply += 2
                    await reached(client, game["gameId"], ply=ply)
                if not stopped.is_running:
                    stopped.start()


@ON_SQLITE
async def test_an_attached_bot_continues_at_another_server(tmp_path: Path, options: tuple[str, ...]) -> None:
    """Its client attaches to the server that has not taken over the game."""
    with ExitStack() as stack:
        servers = []
        for name in ("one", "two", "three"):
            (tmp_path / name).mkdir()
            servers.append(stack.enter_context(Served(tmp_path / name, *options)))
        first, *others = servers
        async with a_bot(first) as bot, http(first) as client:
            secret = (await bot.attach("kept"))["resumeSecret"]
            game = await challenge(client, "kept:b1")
            await submit(client, game, "Ma2")
            await bot.started()
            first.stop(signal.SIGKILL)
        async with asyncio.timeout(60):
            while all("no other server runs: 1" not in server.log for server in others):  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.05)  # The server tells nobody else.
        idle = next((server for server in others if "no other server runs: 1" not in server.log), others[0])
        async with a_bot(idle) as bot, http(idle) as client:
            await bot.attach("kept", secret=secret)
            await bot.ended(success=False)
            await bot.started()
            await bot.moved()
            await reached(client, game["gameId"], ply=2)


@ON_POSTGRES
@pytest.mark.slow
async def test_an_attached_bot_that_attaches_nowhere_resigns_once(
    tmp_path: Path, database: str, options: tuple[str, ...]
) -> None:
    waiting = {"PLYHOUSE_BOT_REJOIN_SECONDS": "0.3"}
    with ExitStack() as stack:
        one, two, three = (stack.enter_context(Served(tmp_path, *options, **waiting)) for _ in range(3))
        async with a_bot(one) as bot, http(one) as client:
            await bot.attach("gone")
            game = await challenge(client, "gone:b1")
            one.stop(signal.SIGKILL)
        for server in (two, three):
            async with http(server) as client:
                over = await reached(client, game["gameId"], status="finished")
                assert over["result"]["note"] == "the bot did not come back"
        assert sum(isinstance(event, Left) for event in await events(database, game)) == 1
