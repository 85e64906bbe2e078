"""Scripted UHP clients of a running server, over TCP and over WebSockets, with the same methods."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol
from urllib.parse import urlencode

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from protocols.session import FrameLost
from protocols.uhp.lines import MAX_LINE_BYTES
from server.routes.services import Services
from tests.server.memory_connection import MemoryConnection
from tests.server.serving import Address, Served

PATIENCE = 60.0


class Peer(Protocol):
    """One connection."""

    async def send(self, line: str) -> None:
        """Sends one line."""

    async def line(self) -> str:
        """The next line; EOFError once the server has closed."""

    async def lines(self, count: int) -> list[str]:
        """So many lines."""

    async def answer(self) -> list[str]:
        """The lines before ``ok``."""

    async def end(self) -> list[str]:
        """Everything until the server closes."""


class _Peer:
    async def line(self) -> str:
        raise NotImplementedError

    async def lines(self, count: int) -> list[str]:
        return [await self.line() for _ in range(count)]

    async def answer(self) -> list[str]:
        found: list[str] = []
        while (line := await self.line()) != "ok":
            found.append(line)
        return found

    async def end(self) -> list[str]:
        found: list[str] = []
        try:
            while True:
                found.append(await self.line())
        except EOFError:
            return found


class TcpPeer(_Peer):
    """Over TCP."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def send(self, line: str) -> None:
        self.writer.write(f"{line}\n".encode())
        await self.writer.drain()

    async def line(self) -> str:
        async with asyncio.timeout(PATIENCE):
            try:
                raw = await self.reader.readline()
            except ConnectionError:
                raise EOFError from None
        if not raw.endswith(b"\n"):
            raise EOFError
        assert not raw.endswith(b"\r\n")
        return raw.decode().removesuffix("\n")


class WebPeer(_Peer):
    """Over a WebSocket. ``messages`` are those received so far, as they came."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.messages: list[str] = []
        self._held: list[str] = []

    async def send(self, line: str) -> None:
        await self.connection.send(line)

    async def line(self) -> str:
        if not self._held:
            async with asyncio.timeout(PATIENCE):
                try:
                    message = await self.connection.recv()
                except ConnectionClosed:
                    raise EOFError from None
            assert isinstance(message, str)
            self.messages.append(message)
            self._held = message.split("\n")
        return self._held.pop(0)


class MemoryPeer(_Peer):
    """Without a transport."""

    def __init__(self, connection: MemoryConnection) -> None:
        self._connection = connection
        self._held: list[str] = []

    async def send(self, line: str) -> None:
        self._connection.write(FrameLost("line too long") if len(line) > MAX_LINE_BYTES else line)

    async def line(self) -> str:
        if not self._held:
            self._held = (await self._connection.line()).split("\n")
        return self._held.pop(0)

    @property
    def unread(self) -> list[str]:
        """What has been sent and not been read."""
        return [*self._held, *self._connection.unread]


Open = Callable[[Served, str], AbstractAsyncContextManager[Peer]]
"""Opens a connection of this handshake, such as ``role=seat type=Base``. Nothing is read yet."""


@asynccontextmanager
async def tcp(served: Served, handshake: str) -> AsyncIterator[TcpPeer]:
    async with raw_tcp(served) as peer:
        await peer.send(f"plyhouse/1 {handshake}")
        yield peer


@asynccontextmanager
async def raw_tcp(served: Served) -> AsyncIterator[TcpPeer]:
    """Without a handshake."""
    reader, writer = await asyncio.open_connection(*served.uhp, limit=1 << 20)
    try:
        yield TcpPeer(reader, writer)
    finally:
        writer.transport.abort()


@asynccontextmanager
async def web(served: Address, handshake: str) -> AsyncIterator[WebPeer]:
    query = urlencode(dict(word.split("=", 1) for word in handshake.split()))
    async with connect(f"{served.socket_url}/uhp?{query}", compression=None) as connection:
        yield WebPeer(connection)


@asynccontextmanager
async def memory(services: Services, handshake: str) -> AsyncIterator[MemoryPeer]:
    """A connection to a server in this event loop."""
    connection = MemoryConnection()
    words = [tuple(word.split("=", 1)) for word in handshake.split()]
    serving = asyncio.ensure_future(
        services.uhp.receive(connection, [(name, value) for name, value in words])
    )
    try:
        yield MemoryPeer(connection)
    finally:
        connection.leave()
        await serving


@asynccontextmanager
async def opened(open_peer: Open, served: Served, handshake: str) -> AsyncIterator[Peer]:
    """A connection whose handshake was taken."""
    async with open_peer(served, handshake) as peer:
        assert await peer.line() == "ok"
        yield peer


async def new_game(served: Address, variant: str = "Base+MLP", **more: object) -> tuple[str, list[str]]:
    """A game of Hive between two people: its id and the tokens."""
    body = {"game": "hive", "variant": variant, "seats": [{"kind": "human"}, {"kind": "human"}], **more}
    async with httpx.AsyncClient(base_url=served.url, timeout=60) as client:
        answer = await client.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    game = answer.json()
    return game["gameId"], [seat["token"] for seat in game["seats"] if "token" in seat]


async def shown(served: Address, game_id: str) -> dict[str, object]:
    """The position of a game, as everybody can read it."""
    async with httpx.AsyncClient(base_url=served.url, timeout=60) as client:
        return dict((await client.get(f"/api/games/{game_id}")).json()["position"])


async def take_back(served: Served, game_id: str, tokens: Sequence[str], ply: int) -> None:
    """Both sides agree that only ``ply`` moves stay played."""
    async with httpx.AsyncClient(base_url=served.url, timeout=60) as client:
        for token in tokens:
            headers = {"Authorization": f"Bearer {token}"}
            answer = await client.post(f"/api/games/{game_id}/takeback", json={"toPly": ply}, headers=headers)
    assert answer.status_code == 200, answer.text


async def move_both(white: Peer, black: Peer) -> None:
    """Two players of a game that has just begun make their first moves; black has read all that there is."""
    await white.send("wA1")
    await black.lines(3)
    await black.send("bA1 -wA1")
    await black.line()


def small_buffer(peer: TcpPeer) -> None:
    """The peer's machine takes little."""
    connection = peer.writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
