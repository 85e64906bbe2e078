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
from server.services.cluster.out_of_service import LATE_LOOKS, OutOfService
from server.services.cluster.server_messages import SERVERS, HeartbeatStored
from tests.server.buses import until
from tests.server.databases import template
from tests.server.game_peers import SMALL
from tests.server.services import app_with, settings
from tests.server.serving import Served
from tools.services.caddy import Caddy
from tools.services.postgres import PostgresServer
from tools.services.redis import RedisServer

LOOK_SECONDS = 0.05
LATE_SECONDS = 0.2
LONG = 2 * (LATE_SECONDS + LATE_LOOKS * LOOK_SECONDS) + 0.5
"""Longer than it takes to go out of service."""


@pytest.fixture
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers soon ask each other."""
    monkeypatch.setattr(leases, "HEARTBEAT_SECONDS", 0.02)
    monkeypatch.setattr(leases, "LATE_SECONDS", LATE_SECONDS)
    monkeypatch.setattr(out_of_service, "LOOK_SECONDS", LOOK_SECONDS)


class Heartbeats:
    """The store of all servers, each of which can be cut off from it."""

    def __init__(self, *names: str) -> None:
        self.stored = dict.fromkeys(names, 0)
        self.cut_off: set[str] = set()

    async def beat(self, heartbeat: Heartbeat) -> Pulse:
        if heartbeat.server in self.cut_off:
            raise store_unavailable("it is cut off")
        self.stored[heartbeat.server] += 1
        others = {name: OtherServer(at, 1) for name, at in self.stored.items() if name != heartbeat.server}
        return Pulse(others, {}, was_dead=False, may_claim_more=False)

    async def leases(self, server: str) -> Mapping[str, int]:
        return {}

    async def retire(self, server: str) -> None: ...


class Member:
    """One server of several."""

    def __init__(self, store: Heartbeats, bus: Bus, name: str) -> None:
        self.leases = Leases(store, name, now_ms, nothing, nothing, nothing, nothing)  # type: ignore[arg-type]  # a part of the port
        self.service = OutOfService(bus, self.leases)
        self.times_out = 0

    def count(self) -> None:
        self.times_out += 1


def now_ms() -> int:
    return time.time_ns() // 1_000_000


async def nothing(*_: object) -> None:
    pass


@asynccontextmanager
async def members(store: Heartbeats, bus: Bus) -> AsyncIterator[list[Member]]:
    async with AsyncExitStack() as stack:
        store.stored |= dict.fromkeys(store.stored, 0)
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
            assert (one.times_out, "game" in one.leases) == (times, False)
            await asyncio.sleep(LONG)
            assert one.times_out == times
            store.cut_off = set()
            await until(lambda: not one.service.is_out)
        assert [other.times_out for other in others] == [0, 0]


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
async def test_only_servers_of_the_same_database_count() -> None:
    store, bus = Heartbeats("a"), Bus()
    async with members(store, bus) as (one,), members(Heartbeats("b"), bus):
        store.cut_off = {"a"}
        await asyncio.sleep(LONG)
        assert not one.service.is_out


@pytest.mark.usefixtures("impatience")
async def test_an_answer_counts_only_while_the_heartbeat_is_late() -> None:
    store, bus = Heartbeats("a", "b"), Bus()
    async with members(store, bus) as (one, _):
        await bus.publish(SERVERS, HeartbeatStored("b", "a"))
        time.sleep(2 * LATE_SECONDS)  # noqa: ASYNC251 - both are frozen
        await bus.publish(SERVERS, HeartbeatStored("b", "a"))
        await asyncio.sleep(LONG)
        assert one.times_out == 0


async def test_what_clients_get(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(out_of_service, "LOOK_SECONDS", 600)
    listener = listen("127.0.0.1", 0)
    app = app_with(settings(tmp_path), uhp_listener=listener)
    async with app.router.lifespan_context(app), asyncio.timeout(60):
        transport = httpx.ASGITransport(app)
        client = httpx.AsyncClient(transport=transport, base_url="http://services", timeout=60)
        viewer, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(b"plyhouse/1 role=viewer\n")
        assert await viewer.readline() == b"ok\n"
        services = app.state.services
        services.out_of_service.is_out = True
        services.close_connections()
        await viewer.read()  # to its end
        writer.close()
        for path in ("/healthz", "/", "/api/games/abcdefgh", "/api/rules"):
            answer = await client.get(path)
            assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
            assert answer.headers["x-content-type-options"] == "nosniff"
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
) -> AsyncIterator[tuple[FaultyProxy, Caddy, Served]]:
    """Two servers behind a proxy, and the line between the first one, which is returned, and the database."""
    database = make_url(postgres.new_database(template(postgres)))
    line = FaultyProxy(
        partial(asyncio.open_unix_connection, f"{database.query['host']}/.s.PGSQL.5432"), Random(1)
    )
    await line.start()
    there = database.set(host="127.0.0.1", port=line.port, query={})
    with RedisServer() as redis, ExitStack() as stack:
        servers = []
        for name, url in (("one", there), ("other", database)):
            (folder / name).mkdir()
            shared = ("--database", url.render_as_string(), "--redis", redis.url)
            servers.append(Served(folder / name, *shared))
            stack.callback(servers[-1].__exit__)
            await asyncio.to_thread(servers[-1].start)
        yield line, stack.enter_context(Caddy([server.url for server in servers])), servers[0]
        await line.stop()


@pytest.mark.slow
@pytest.mark.timeout(300)  # two servers have to start
async def test_players_go_on_at_another_server(tmp_path: Path, postgres: PostgresServer) -> None:
    async with (
        two_servers(tmp_path, postgres) as (line, proxy, one),
        plyhouse.AsyncClient(proxy.url) as client,
        httpx.AsyncClient(base_url=one.url, timeout=60) as direct,
        asyncio.timeout(200),
    ):
        is_here = False
        while not is_here:
            game = await client.create("wallwars", ["human", "human"], config=SMALL)
            await client.state(game.game_id)
            is_here = f"GET /api/games/{game.game_id}" in one.log
        await asyncio.sleep(2 * leases.HEARTBEAT_SECONDS)  # It knows the other one by its own heartbeat.
        token = game.seats[0].token or ""
        path = f"{proxy.socket_url}/ws/games/{game.game_id}?token={token}"
        async with connect(path) as player:
            line.is_silent = True
            async for _ in player:
                pass
        assert player.close_code == 1001
        assert (await direct.get("/healthz")).status_code == 503
        assert (await direct.get("/readyz")).json()["parts"]["store"] == "does not answer"
        socket = None
        while socket is None:
            with suppress(InvalidStatus):
                socket = await connect(path)
        await client.move(game.game_id, token, "---")
        await socket.close()
        line.is_silent = False
        while (await direct.get("/healthz")).status_code != 200:  # noqa: ASYNC110 - polls
            await asyncio.sleep(0.05)
        assert (await direct.get(f"/api/games/{game.game_id}")).json()["position"]["history"] == ["---"]
