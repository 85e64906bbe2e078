"""A server that is cut off from the database sends its clients to another one that is not."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random

import httpx
import pytest
from sqlalchemy.engine import make_url
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

import plyhouse
from benchmarks.tcp_faults import FaultyProxy
from commands.serve import listen
from server.domain.errors import store_unavailable
from server.ports.store import Heartbeat, OtherServer, Pulse
from server.services.cluster import leases, out_of_service
from server.services.cluster.bus import Bus
from server.services.cluster.leases import Leases
from server.services.cluster.out_of_service import SILENT_LOOKS, OutOfService
from server.services.cluster.server_messages import SERVERS
from tests.server.bot_peers import a_bot, challenge, http, position, reached, submit
from tests.server.buses import until
from tests.server.databases import template
from tests.server.game_peers import SMALL, joined
from tests.server.services import app_with, settings
from tests.server.serving import Served
from tools.services.caddy import Caddy
from tools.services.postgres import PostgresServer
from tools.services.redis import RedisServer

LOOK_SECONDS = 0.05
LATE_SECONDS = 0.2
OWN_SECONDS = 0.2
LONG = 2 * (LATE_SECONDS + SILENT_LOOKS * LOOK_SECONDS + OWN_SECONDS)
"""Longer than it takes to go out of service."""


@pytest.fixture
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers soon ask each other."""
    monkeypatch.setattr(leases, "HEARTBEAT_SECONDS", 0.02)
    monkeypatch.setattr(leases, "LATE_SECONDS", LATE_SECONDS)
    monkeypatch.setattr(out_of_service, "LOOK_SECONDS", LOOK_SECONDS)
    monkeypatch.setattr(out_of_service, "OWN_SECONDS", OWN_SECONDS)


class Heartbeats:
    """The store of all servers, each of which can be cut off from it."""

    def __init__(self, *names: str) -> None:
        self.stored = dict.fromkeys(names, 0)
        self.cut_off: set[str] = set()
        self.seconds = 0.0
        """How long each heartbeat takes."""
        self.answers = asyncio.Event()
        """Unset while the database stalls."""
        self.answers.set()

    async def beat(self, heartbeat: Heartbeat) -> Pulse:
        if heartbeat.server in self.cut_off:
            raise store_unavailable("it is cut off")
        await self.answers.wait()
        await asyncio.sleep(self.seconds)
        self.stored[heartbeat.server] += 1
        others = {name: OtherServer(at, 1) for name, at in self.stored.items() if name != heartbeat.server}
        return Pulse(others, {}, was_dead=False, may_claim_more=False)

    async def leases(self, server: str) -> Mapping[str, int]:
        return {}

    async def retire(self, server: str) -> None:
        await self.answers.wait()


class Member:
    """One server of several."""

    def __init__(self, store: Heartbeats, bus: Bus, name: str) -> None:
        self.leases = Leases(store, name, now_ms, nothing, nothing, nothing, nothing)  # type: ignore[arg-type]  # a part of the port
        self.service = OutOfService(bus, self.leases, now_ms)
        self.refusals = 0
        """How often it has sent its clients away."""

    async def count(self) -> None:
        self.refusals += 1


def now_ms() -> int:
    return time.time_ns() // 1_000_000


async def nothing(*_: object) -> None:
    pass


@asynccontextmanager
async def members(store: Heartbeats, bus: Bus) -> AsyncIterator[list[Member]]:
    async with AsyncExitStack() as stack:
        found = [Member(store, bus, name) for name in store.stored]
        for member in found:
            starting = asyncio.ensure_future(member.leases.start())
            while not starting.done():  # It waits until it knows whether the others are alive.
                store.stored = {name: beats + 1 for name, beats in store.stored.items()}
                await asyncio.sleep(0.01)
            stack.push_async_callback(member.leases.stop)
            member.service.start(member.count)
            stack.push_async_callback(member.service.stop)
        yield found


@pytest.mark.usefixtures("impatience")
async def test_a_server_that_is_cut_off_alone_is_out_of_service_until_it_is_back() -> None:
    store = Heartbeats("a", "b", "c")
    async with members(store, Bus()) as (one, *others):
        one.leases.begin("game")
        for times in (1, 2):
            store.cut_off = {"a"}
            await until(lambda: one.service.is_out)
            assert (one.refusals, "game" in one.leases) == (times, False)
            await asyncio.sleep(LONG)
            assert one.refusals == times
            store.cut_off = set()
            await until(lambda: not one.service.is_out)
        assert [other.refusals for other in others] == [0, 0]


@pytest.mark.usefixtures("impatience")
async def test_servers_without_the_database_stay_until_one_has_it() -> None:
    store = Heartbeats("a", "b", "c")
    async with members(store, Bus()) as servers:
        store.cut_off = {"a", "b", "c"}
        await asyncio.sleep(LONG)
        assert [server.service.is_out for server in servers] == [False, False, False]
        store.cut_off = {"a", "b"}
        await until(lambda: servers[0].service.is_out and servers[1].service.is_out)
        assert not servers[2].service.is_out


@pytest.mark.usefixtures("impatience")
async def test_servers_whose_heartbeats_are_stored_ask_nobody() -> None:
    store, bus = Heartbeats("a", "b"), Bus()
    asked = bus.subscribe(SERVERS)
    async with members(store, bus):
        await asyncio.sleep(LONG)
    asked.close()
    assert [message async for message in asked] == []


@pytest.mark.usefixtures("impatience")
async def test_only_servers_of_the_same_database_count() -> None:
    store, bus = Heartbeats("a"), Bus()
    async with members(store, bus) as (one,), members(Heartbeats("b"), bus):
        store.cut_off = {"a"}
        await asyncio.sleep(LONG)
        assert not one.service.is_out


@pytest.mark.usefixtures("impatience")
async def test_a_database_that_is_slow_for_all_keeps_their_clients() -> None:
    store = Heartbeats("a", "b", "c")
    async with members(store, Bus()) as servers:
        for seconds in (LATE_SECONDS - LOOK_SECONDS, LATE_SECONDS + LOOK_SECONDS, LONG / 2):
            store.seconds = seconds
            await asyncio.sleep(1.5 * LONG)
        store.seconds = 0.0
        store.answers.clear()
        await asyncio.sleep(LONG)
        store.answers.set()
        await asyncio.sleep(2 * LATE_SECONDS)
        time.sleep(2 * LATE_SECONDS)  # noqa: ASYNC251 - all are frozen
        await asyncio.sleep(LONG)
        assert [server.refusals for server in servers] == [0, 0, 0]


async def test_a_server_that_is_cut_off_stops_nevertheless(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(leases, "RETIRE_SECONDS", 0.01)
    store = Heartbeats("a")
    async with members(store, Bus()) as (one,):
        store.answers.clear()
        async with asyncio.timeout(60):
            await one.leases.stop()
    assert "could not give up the leases: the database does not answer" in caplog.text


async def test_what_clients_get(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(out_of_service, "LOOK_SECONDS", 600)
    listener = listen("127.0.0.1", 0)
    site = "https://site.example"
    app = app_with(settings(tmp_path, allow_origin=(site,)), uhp_listener=listener)
    async with app.router.lifespan_context(app), asyncio.timeout(60):
        transport = httpx.ASGITransport(app)
        client = httpx.AsyncClient(transport=transport, base_url="http://services", timeout=60)
        viewer, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(b"plyhouse/1 role=viewer\n")
        assert await viewer.readline() == b"ok\n"
        services = app.state.services
        services.out_of_service.is_out = True
        await services.send_clients_away()
        await viewer.read()  # to its end
        writer.close()
        for path in ("/healthz", "/api/games/abcdefgh", "/api/rules"):
            answer = await client.get(path, headers={"Origin": site})
            assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
            assert answer.headers["access-control-allow-origin"] == site
        move = await client.post("/api/games/abcdefgh/moves", json={"move": "---"})
        assert (move.status_code, move.json()["code"]) == (503, "unavailable")
        assert [(await client.get(path)).status_code for path in ("/readyz", "/metrics")] == [200, 200]
        late, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(b"plyhouse/1 role=viewer\n")
        assert b"ok" not in await late.read()
        writer.close()
        services.out_of_service.is_out = False
        assert (await client.get("/healthz")).status_code == 200


@asynccontextmanager
async def two_servers(
    folder: Path, postgres: PostgresServer
) -> AsyncIterator[tuple[FaultyProxy, Caddy, Served, Served]]:
    """The line between the first server and the database, the proxy before both, and both."""
    database = make_url(postgres.new_database(template(postgres)))
    socket = f"{database.query['host']}/.s.PGSQL.5432"
    line = FaultyProxy(partial(asyncio.open_unix_connection, socket), Random(1))
    await line.start()
    there = database.set(host="127.0.0.1", port=line.port, query={})
    with RedisServer() as redis, ExitStack() as stack:
        servers = []
        for name, url in (("one", there), ("other", database)):
            (folder / name).mkdir()
            served = Served(folder / name, "--database", url.render_as_string(), "--redis", redis.url)
            stack.callback(served.__exit__)
            await asyncio.to_thread(served.start)
            servers.append(served)
        try:
            proxy = stack.enter_context(Caddy([server.url for server in servers]))
            # A server knows another one by its own heartbeat.
            await asyncio.sleep(2 * leases.HEARTBEAT_SECONDS)
            yield line, proxy, servers[0], servers[1]
        finally:
            await line.stop()


async def in_service(server: httpx.AsyncClient) -> None:
    while (await server.get("/healthz")).status_code != 200:  # noqa: ASYNC110 - polls
        await asyncio.sleep(0.05)


@pytest.mark.slow
@pytest.mark.timeout(300)  # two servers have to start
async def test_players_go_on_at_another_server(tmp_path: Path, postgres: PostgresServer) -> None:
    async with (
        two_servers(tmp_path, postgres) as (line, proxy, one, _),
        plyhouse.AsyncClient(proxy.url) as client,
        http(one) as direct,
        asyncio.timeout(200),
    ):
        is_here = False
        while not is_here:
            game = await client.create("wallwars", ["human", "human"], config=SMALL)
            await client.state(game.game_id)
            is_here = f"GET /api/games/{game.game_id}" in one.log
        token = game.seats[0].token or ""
        path = f"{proxy.socket_url}/ws/games/{game.game_id}?token={token}"
        async with connect(path) as player:
            line.is_silent = True
            async for _ in player:
                pass
        assert player.close_code == 1001
        assert (await direct.get("/healthz")).status_code == 503
        assert (await direct.get("/readyz")).json()["parts"]["store"] == "does not answer"
        with pytest.raises(InvalidStatus, match="503"):
            await connect(path.replace(proxy.socket_url, one.socket_url))
        socket = None
        while socket is None:
            with suppress(InvalidStatus):
                socket = await connect(path)
        await client.move(game.game_id, token, "---")
        await socket.close()
        line.is_silent = False
        await in_service(direct)
        assert (await direct.get(f"/api/games/{game.game_id}")).json()["position"]["history"] == ["---"]


@pytest.mark.slow
@pytest.mark.timeout(300)  # two servers have to start
async def test_games_wait_for_bots_that_were_sent_away(tmp_path: Path, postgres: PostgresServer) -> None:
    async with (
        two_servers(tmp_path, postgres) as (line, _, one, other),
        http(one) as near,
        http(other) as far,
        asyncio.timeout(200),
    ):
        async with a_bot(one) as bot:
            secret = (await bot.attach("lab"))["resumeSecret"]
            game = await challenge(near, "lab:b1")
            headers = {"Authorization": f"Bearer lab:{secret}"}
            async with near.stream("GET", "/api/stream/events", headers=headers) as stream:
                line.is_silent = True
                assert await bot.closed() == (1001, "reconnect")
                last = [text async for text in stream.aiter_lines() if text][-1]
                assert "closes all connections" in last
        line.is_silent = False
        await in_service(near)
        async with joined(one, game["gameId"], f"?token={game['token']}"):  # The lease follows.
            await asyncio.sleep(1)
            assert (await position(far, game["gameId"]))["status"] == "playing"
            async with a_bot(other) as bot:
                await bot.attach("lab", secret=secret)
                await bot.ended(success=False)
                await bot.started()
                assert (await submit(far, game, "Ma2")).status_code == 200
                await bot.moved()
                await reached(far, game["gameId"], ply=2)
