"""Two servers on Postgres and Redis behind the proxy of docker-compose.yml, and what clients notice when one stops."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, suppress
from typing import NamedTuple

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

import plyhouse
from tests.server.bot_peers import a_bot, a_viewer, challenge, evaluating, reached, submit
from tests.server.game_peers import SMALL, Json, Peer, joined
from tests.server.serving import Served
from tests.server.test_bot_command import ENGINE, attached, bot
from tests.server.test_uhp_bridge import a_viewer as a_uhp_viewer
from tests.server.test_uhp_bridge import accepted
from tests.server.uhp_clients import new_game
from tools.services.caddy import Caddy
from tools.services.postgres import PostgresServer
from tools.services.redis import RedisServer

# Two servers have to start, several times.
pytestmark = pytest.mark.timeout(300)

SITE = "https://play.example"
SOCKETS = 8
"""The limit on connections per client address."""


class Fleet(NamedTuple):
    """The proxy, and the servers behind it."""

    proxy: Caddy
    servers: tuple[Served, Served]


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer) -> Iterator[Fleet]:
    """Shared by all tests; those that stop a server start it again."""
    with RedisServer() as redis, ExitStack() as stack:
        shared = ("--database", postgres.new_database(), "--redis", redis.url)
        # All of loopback: the clients of these tests have different addresses in it.
        options = (*shared, "--public-url", SITE, "--trust-proxy", "127.0.0.0/8")
        limits = {"PLYHOUSE_CONNECTIONS_PER_ADDRESS": str(SOCKETS)}
        servers = []
        for name in ("one", "other"):
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = str(free.getsockname()[1])
            served = Served(tmp_path_factory.mktemp(name), *options, "--port", port, **limits)
            servers.append(stack.enter_context(served))
        proxy = stack.enter_context(Caddy([served.url for served in servers]))
        yield Fleet(proxy, (servers[0], servers[1]))


async def restart(fleet: Fleet, served: Served, address: str) -> None:
    """Starts a server again, and waits until the proxy sends it the requests of this client address."""
    await asyncio.to_thread(served.start)
    before = served.log.count("/api/bots")
    async with asyncio.timeout(60), client_at(address, fleet) as client:
        while served.log.count("/api/bots") == before:
            await client.get("/api/bots")
            await asyncio.sleep(0.05)  # The proxy checks at intervals whether a server is back.


def home_of(fleet: Fleet, entry: str) -> int:
    """The index of the server whose log has this entry."""
    return [entry in served.log for served in fleet.servers].index(True)


async def game_at(fleet: Fleet, client: plyhouse.AsyncClient, home: int) -> plyhouse.NewGame:
    """A new game whose requests the proxy sends to this server."""
    while True:
        game = await client.create("wallwars", ["human", "human"], config=SMALL)
        await client.state(game.game_id)
        if f"GET /api/games/{game.game_id}" in fleet.servers[home].log:
            return game


async def move(client: httpx.AsyncClient, game: Json, text: str, ply: int) -> None:
    """Plays a move. The proxy does not repeat a request that a server has received when it stops; players do."""
    while (await submit(client, game, text, ply)).status_code != 200:  # noqa: ASYNC110 - polls
        await asyncio.sleep(0.1)


@asynccontextmanager
async def client_at(address: str, fleet: Fleet) -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP client of the proxy, with this address."""
    transport = httpx.AsyncHTTPTransport(local_address=address)
    async with httpx.AsyncClient(base_url=fleet.proxy.url, timeout=60, transport=transport) as client:
        yield client


async def clients_of(fleet: Fleet) -> list[str]:
    """One client address for each server, which gets the requests of that client."""
    found: dict[int, str] = {}
    for number in range(1, 255):
        address = f"127.0.0.{number}"
        async with client_at(address, fleet) as client:
            await client.get(f"/api/games/of-{address}")
        logs = [served.log for served in fleet.servers]
        found.setdefault([f"/api/games/of-{address} " in log for log in logs].index(True), address)
        if len(found) == len(fleet.servers):
            return [found[server] for server in range(len(fleet.servers))]
    raise AssertionError("all clients get to the same server")


@pytest.mark.slow
async def test_everything_works_through_the_proxy(fleet: Fleet) -> None:
    proxy = fleet.proxy
    near, far = await clients_of(fleet)
    async with client_at(near, fleet) as one, client_at(far, fleet) as other:
        page = await one.get("/", headers={"Host": "play.example"})
        assert page.text.startswith("<!doctype html>")
        assert (await one.get("/", headers={"Host": "evil.example"})).json()["code"] == "forbidden-origin"
        await _play(fleet, other, (near, far))
        async with a_bot(proxy) as machine:
            await machine.attach("lab")
            await attached(other, "lab:b1")
            game = await challenge(other, "lab:b1", is_first=False)
            await machine.started()
            await machine.evaluated(0, "Cb2")
            await machine.applied(0, "Cb2")
            await machine.evaluated(1, "Cb2")
            await reached(other, game["gameId"], ply=1)
            assert (await submit(other, game, "Cb2", 1)).status_code == 200
            await machine.applied(1, "Cb2")


async def _play(fleet: Fleet, client: httpx.AsyncClient, addresses: tuple[str, str]) -> None:
    """A game whose players have pages of the site, from addresses whose other requests go to different servers."""
    body = {"game": "wallwars", "config": SMALL, "seats": [{"kind": "human"}, {"kind": "human"}]}
    game = (await client.post("/api/games", json=body)).json()
    assert game["seats"][1]["inviteUrl"].startswith(f"{SITE}/")
    tokens = [seat["token"] for seat in game["seats"]]
    with pytest.raises(InvalidStatus, match="403"):
        async with joined(fleet.proxy, game["gameId"], origin="https://evil.example"):
            pass
    ends = {"origin": SITE}
    async with (
        joined(
            fleet.proxy, game["gameId"], f"?token={tokens[0]}", local_addr=(addresses[0], 0), **ends
        ) as player,
        joined(
            fleet.proxy, game["gameId"], f"?token={tokens[1]}", local_addr=(addresses[1], 0), **ends
        ) as rival,
    ):
        await player.opening()
        await rival.opening()
        await player.send(type="submit-move", move="Cb2")
        assert (await rival.until("state"))["state"]["moveCount"] == 1
        await rival.send(type="submit-move", move="Cb2")
        assert (await _after(player, 2))["turn"] == 1
    async with a_viewer(fleet.proxy, game["gameId"]) as viewer:
        assert (await viewer.shake(game["gameId"]))["type"] == "eval-handshake-accepted"
        assert [entry["ply"] for entry in await viewer.history()] == [0, 1, 2]
    sockets = [served.log.count(f"WebSocket /ws/games/{game['gameId']}") for served in fleet.servers]
    assert min(sockets) == 0 < max(sockets)


async def test_everything_of_a_game_goes_to_one_server(fleet: Fleet) -> None:
    homes = set()
    async with httpx.AsyncClient(base_url=fleet.proxy.url, timeout=60) as client:
        for number in range(20):
            game = f"{number:_>8}"
            await client.get(f"/api/games/{game}")
            await client.post(f"/api/games/{game}/moves?x", json={})
            for address in (f"ws/games/{game}?token=x", f"ws/eval/{game}", f"uhp?role=watch&game={game}",
                            f"uhp?resume={game}%3Ax&role=seat"):  # fmt: skip
                with suppress(InvalidStatus):
                    async with connect(f"{fleet.proxy.socket_url}/{address}"):
                        pass
            seen = [served.log.count(game) for served in fleet.servers]
            assert min(seen) == 0 < max(seen)
            homes.add(seen.index(max(seen)))
    assert len(homes) == 2


async def _after(peer: Peer, moves: int) -> Json:
    """The state after this many moves."""
    while (state := (await peer.until("state"))["state"])["moveCount"] != moves:
        pass
    return dict(state)


async def test_limits_apply_to_the_clients_and_not_to_the_proxy(fleet: Fleet) -> None:
    async def socket(address: str, claimed: str) -> ClientConnection:
        """A socket of a client, which claims to be a proxy for another address."""
        claim = {"X-Forwarded-For": claimed}
        url = f"{fleet.proxy.socket_url}/ws/live-games"
        return await connect(url, local_addr=(address, 0), additional_headers=claim)

    sockets = [await socket("127.0.0.2", f"192.0.2.{number}") for number in range(SOCKETS)]
    with pytest.raises(InvalidStatus, match="429"):
        await socket("127.0.0.2", "192.0.2.99")
    sockets.append(await socket("127.0.0.3", "192.0.2.99"))
    for one in sockets:
        await one.close()


@pytest.mark.slow
async def test_clients_go_on_at_the_other_server_when_theirs_stops(fleet: Fleet) -> None:
    proxy = fleet.proxy
    addresses = await clients_of(fleet)
    async with plyhouse.AsyncClient(proxy.url) as client:
        with bot("--server", proxy.url, "--engine", ENGINE, "--client-id", "keen"):
            async with client_at(addresses[0], fleet) as http:
                await attached(http, "keen:engine")
            home = home_of(fleet, "bot client keen attached with")
            stopping, staying = fleet.servers[home], fleet.servers[1 - home]
            near, far = addresses[home], addresses[1 - home]
            async with client_at(far, fleet) as http:
                await attached(http, "keen:engine")
                game = await game_at(fleet, client, home)
                tokens = [seat.token or "" for seat in game.seats]
                states = client.follow(game.game_id)
                assert (await anext(states)).ply == 0
                running = await challenge(http, "keen:engine", boardWidth=5, boardHeight=5, is_first=False)
                assert (await reached(http, running["gameId"], ply=1))["ply"] == 1
                async with joined(proxy, game.game_id, local_addr=(near, 0)) as spectator:
                    stopped = asyncio.create_task(asyncio.to_thread(stopping.stop, signal.SIGTERM))
                    assert await spectator.close_code() == (1001, "reconnect")
                assert (await client.move(game.game_id, tokens[0], "Cb2")).ply == 1
                async with asyncio.timeout(60):
                    while (await anext(states)).ply == 0:
                        pass
                await move(http, running, "---", 1)
                await reached(http, running["gameId"], ply=3)
                assert "bot client keen attached with" in staying.log
                assert await bots_of(staying) == ["keen:engine"]
            await states.aclose()
            await stopped
    await restart(fleet, stopping, near)


async def attach_twice(fleet: Fleet, address: str, client_id: str, pause: float) -> None:
    """A bot client like the Wallwars site's own, which keeps no secret.

    After it has lost its connection, it waits for so many seconds and tries to connect once.
    """
    for _ in range(2):
        async with a_bot(fleet.proxy, local_addr=(address, 0)) as machine:
            assert (await machine.attach(client_id))["type"] == "attached"
            with suppress(ConnectionClosed):
                await evaluating(machine)
        await asyncio.sleep(pause)
    raise AssertionError("the client has lost its second connection")


@pytest.mark.parametrize(
    ("how", "pause"),
    [
        pytest.param(signal.SIGTERM, 1.0, marks=pytest.mark.soak),
        (signal.SIGKILL, 1.0),
        pytest.param(signal.SIGKILL, 3.0, marks=pytest.mark.soak),
    ],
)
@pytest.mark.slow
async def test_a_bot_client_that_tries_once_goes_on_at_the_other_server(
    fleet: Fleet, how: signal.Signals, pause: float
) -> None:
    (near, far), name = await clients_of(fleet), f"once-{how.name}-{pause:.0f}"
    machine = asyncio.create_task(attach_twice(fleet, near, name, pause))
    async with client_at(far, fleet) as http:
        await attached(http, f"{name}:b1")
        assert f"bot client {name} attached with" in fleet.servers[0].log
        game = await challenge(http, f"{name}:b1", boardWidth=5, boardHeight=5)
        await submit(http, game, "---", 0)
        await reached(http, game["gameId"], ply=2)
        await asyncio.to_thread(fleet.servers[0].stop, how)
        await move(http, game, "---", 2)
        await reached(http, game["gameId"], ply=4)
        assert f"bot client {name} attached with" in fleet.servers[1].log
    assert not machine.done()
    machine.cancel()
    await restart(fleet, fleet.servers[0], near)


async def test_a_viewer_over_uhp_goes_on_at_the_other_server(fleet: Fleet) -> None:
    addresses = await clients_of(fleet)
    game, (white, black) = await new_game(fleet.proxy, variant="Base")
    async with (
        a_uhp_viewer(fleet.proxy.url, "--token", white) as viewer,
        plyhouse.AsyncClient(fleet.proxy.url) as client,
    ):
        await viewer.change("newgame Base")
        await viewer.play("wA1")
        home = home_of(fleet, '"WebSocket /uhp')
        await asyncio.to_thread(fleet.servers[home].stop, signal.SIGTERM)
        await client.move(game, black, "bB1 -wA1")
        # The viewer plays what the bridge says that the opponent has played.
        assert await accepted(viewer, "bestmove time 00:00:05") == "bB1 -wA1"
        await viewer.play("bB1 -wA1")
        assert await accepted(viewer, "play wQ wA1-") == "Base;InProgress;Black[2];wA1;bB1 -wA1;wQ wA1-"
    await restart(fleet, fleet.servers[home], addresses[home])


async def bots_of(served: Served) -> list[str]:
    """The bots that are attached to this server."""
    async with httpx.AsyncClient(base_url=served.url, timeout=60) as client:
        found = (await client.get("/api/bots")).json()["bots"]
    return [one["id"] for one in found if not one["id"].startswith("plyhouse:")]
