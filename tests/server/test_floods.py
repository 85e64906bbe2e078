"""Clients that send too much, over real sockets: they are slowed down, then closed, and others are not affected."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from tests.server.bot_peers import a_bot, challenge, http, reached, submit
from tests.server.game_peers import new_game
from tests.server.serving import Served
from tests.server.test_uhp_engines import engines, play
from tests.server.uhp_clients import Open, opened, tcp, web

PING = '{"type":"ping"}'
PATHS = ("/ws/live-games", "/ws/games/{game}", "/ws/eval/{game}")


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a burst of 20 messages, 20 messages per second, and a patience of half a second."""
    limits = {
        "PLYHOUSE_MESSAGES_PER_SECOND": "20",
        "PLYHOUSE_MESSAGE_BURST": "20",
        "PLYHOUSE_MESSAGE_PATIENCE_SECONDS": "0.5",
    }
    with Served(tmp_path_factory.mktemp("strict"), "--uhp-port", "0", **limits) as served:
        yield served


@asynccontextmanager
async def a_client(served: Served, path: str) -> AsyncIterator[ClientConnection]:
    game, _ = await new_game(served)
    url = served.socket_url + path.format(game=game)
    async with connect(url, compression=None, max_queue=None) as connection:
        yield connection


async def close_code(connection: ClientConnection) -> tuple[int, str]:
    async with asyncio.timeout(60):
        try:
            while True:
                await connection.recv()
        except ConnectionClosed as closed:
            return (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (0, "")


def write(connection: ClientConnection, frames: list[Frame]) -> None:
    """Writes frames that the library would not send."""
    connection.transport.write(b"".join(frame.serialize(mask=True) for frame in frames))


@pytest.mark.parametrize("path", PATHS)
async def test_a_socket_that_sends_too_much_for_too_long_is_closed(strict: Served, path: str) -> None:
    async with a_client(strict, path) as connection:
        write(connection, [Frame(Opcode.TEXT, PING.encode())] * 500)
        assert await close_code(connection) == (1008, "Too many messages")


async def test_sockets_that_send_too_fast_are_counted(strict: Served) -> None:
    async with a_client(strict, PATHS[0]) as connection:
        write(connection, [Frame(Opcode.TEXT, PING.encode())] * 500)
        await close_code(connection)
    async with asyncio.timeout(60), httpx.AsyncClient(base_url=strict.url, timeout=60) as client:
        while "\nplyhouse_throttled_sockets_total 0.0" in (await client.get("/metrics")).text:  # noqa: ASYNC110
            await asyncio.sleep(0.05)  # There is no event to wait for.


@pytest.mark.parametrize("path", PATHS)
async def test_a_socket_slightly_over_the_limit_is_only_slowed_down(strict: Served, path: str) -> None:
    async with a_client(strict, path) as connection:
        write(connection, [Frame(Opcode.TEXT, PING.encode())] * 30)
        async with asyncio.timeout(60):
            pongs = 0
            while pongs < 30:
                pongs += '"pong"' in str(await connection.recv())


@pytest.mark.parametrize(
    "frame", [Frame(Opcode.PING, b""), Frame(Opcode.PONG, b""), Frame(Opcode.CONT, b"", fin=False)]
)
async def test_frames_without_messages_count_too(strict: Served, frame: Frame) -> None:
    async with a_client(strict, "/ws/live-games") as connection:
        if frame.opcode is Opcode.CONT:
            write(connection, [Frame(Opcode.TEXT, b"", fin=False)])
        write(connection, [frame] * 5000)
        assert await close_code(connection) == (1008, "Too many frames")


@pytest.mark.parametrize("open_peer", [tcp, web])
async def test_uhp_is_only_slowed_down(strict: Served, open_peer: Open) -> None:
    async with opened(open_peer, strict, "role=viewer") as viewer:
        await viewer.answer()
        for _ in range(35):
            await viewer.send("info")
        for _ in range(35):
            assert len(await viewer.answer()) == 2


# ---- what does not count -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a burst of ten messages and one message per ten seconds."""
    limits = {"PLYHOUSE_MESSAGES_PER_SECOND": "0.1", "PLYHOUSE_MESSAGE_BURST": "10"}
    with Served(tmp_path_factory.mktemp("slow"), "--uhp-port", "0", **limits) as served:
        yield served


async def test_answers_of_a_bot_do_not_count(slow: Served) -> None:
    async with http(slow) as client, a_bot(slow) as bot:
        await bot.attach("c")
        game = await challenge(client, "c:b1")
        assert (await submit(client, game, "---", 0)).status_code == 200
        await bot.started()
        await bot.evaluated(0, "---")
        for ply in range(0, 20, 2):
            await bot.applied(ply, "---")
            await bot.evaluated(ply + 1, "---")
            await bot.applied(ply + 1, "---")
            await bot.evaluated(ply + 2, "---")
            await reached(client, game["gameId"], ply=ply + 2)
            assert (await submit(client, game, "---", ply + 2)).status_code == 200


@pytest.mark.parametrize("open_peer", [tcp, web])
async def test_answers_of_an_engine_do_not_count(slow: Served, open_peer: Open) -> None:
    async with engines(slow, open_peer) as (_, white, black):
        await play((white, black), ("wA1", "bA1 -wA1", "wQ wA1-", "bQ \\bA1"), "Base+MLP")


# ---- other clients -------------------------------------------------------------------------------


async def test_a_flood_does_not_delay_others(strict: Served) -> None:
    game, tokens = await new_game(strict)
    async with Flood(strict), httpx.AsyncClient(base_url=strict.url, timeout=60) as client:
        for ply in range(20):
            headers = {"Authorization": f"Bearer {tokens[ply % 2]}"}
            answer = await client.post(f"/api/games/{game}/moves", json={"move": "---"}, headers=headers)
            assert answer.status_code == 200


class Flood:
    """Repeatedly opens a socket and writes pings as fast as possible."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self._begun = asyncio.Event()

    async def __aenter__(self) -> "Flood":
        self._task = asyncio.ensure_future(self._run())
        await self._begun.wait()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            async with a_client(self._served, "/ws/live-games") as connection:
                write(connection, [Frame(Opcode.TEXT, PING.encode())] * 10_000)
                self._begun.set()
                await close_code(connection)
