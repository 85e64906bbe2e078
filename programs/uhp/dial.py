"""Connects to a UHP server, at its WebSocket ``/uhp`` or its TCP port.

After the handshake, both kinds of connection carry lines.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from urllib.parse import SplitResult, urlencode, urlsplit, urlunsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from programs.endpoints import TcpEndpoint
from protocols.uhp.lines import MAX_LINE_BYTES, iterate_lines
from protocols.uhp.remote.effects import NORMAL
from protocols.uhp.remote.handshake import MAGIC

CONNECT_SECONDS = 10.0
MAX_MESSAGE_BYTES = 16 * MAX_LINE_BYTES
SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
TCP = "tcp"


class BadServer(ValueError):
    """Not the address of a server; the text says why."""


class CannotConnect(Exception):
    """The connection failed; the text says why."""


async def dial(server: str, words: Mapping[str, str]) -> "ServerEndpoint":
    """Connects with these handshake parameters. Raises BadServer or CannotConnect."""
    address = server_address(server)
    try:
        if address.scheme == TCP:
            return await _dial_tcp(address, words)
        return await _dial_socket(address, words)
    except UnicodeError:
        raise BadServer(f"{server!r} is not an address: invalid host name") from None
    except InvalidStatus as refusal:
        raise CannotConnect(_refusal(refusal)) from None
    except (OSError, TimeoutError, WebSocketException) as error:
        raise CannotConnect(f"cannot connect to {server}: {str(error) or 'no answer'}") from None


def server_address(server: str) -> SplitResult:
    """Splits the address of a server. Raises BadServer."""
    try:
        address = urlsplit(server)
        is_full = address.port is not None and bool(address.hostname)
    except ValueError as error:
        raise BadServer(f"{server!r} is not an address: {error}") from None
    if address.scheme == TCP and not is_full:
        raise BadServer(f"{server!r} is not tcp://HOST:PORT")
    if address.scheme != TCP and not (address.scheme in SCHEMES and address.netloc):
        raise BadServer(
            f"{server!r} is not an address: write http://HOST:PORT, ws://HOST:PORT or tcp://HOST:PORT"
        )
    return address


def _refusal(refusal: InvalidStatus) -> str:
    body = (refusal.response.body or b"").decode(errors="replace").strip()
    return f"the server refused: {body or refusal}"


async def _dial_socket(address: SplitResult, words: Mapping[str, str]) -> "SocketEndpoint":
    """The handshake is in the query."""
    path = f"{address.path.rstrip('/').removesuffix('/uhp')}/uhp"
    url = urlunsplit((SCHEMES[address.scheme], address.netloc, path, urlencode(words), ""))
    return SocketEndpoint(
        await connect(url, compression=None, max_size=MAX_MESSAGE_BYTES, open_timeout=CONNECT_SECONDS)
    )


async def _dial_tcp(address: SplitResult, words: Mapping[str, str]) -> TcpEndpoint:
    """The handshake is the first line."""
    async with asyncio.timeout(CONNECT_SECONDS):
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    end = TcpEndpoint(reader, writer)
    await end.send(" ".join((MAGIC, *(f"{name}={value}" for name, value in words.items()))))
    return end


class SocketEndpoint:
    """A connection to a server's WebSocket."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    @property
    def is_done(self) -> bool:
        """Whether the server closed the connection because the session is over."""
        return self._connection.close_code == NORMAL

    async def lines(self) -> AsyncIterator[str]:
        """The server's lines."""
        with suppress(ConnectionClosed):
            async for message in self._connection:
                for line in iterate_lines(message if isinstance(message, str) else ""):
                    if isinstance(line, str):
                        yield line

    async def send(self, text: str) -> None:
        """Sends one message."""
        with suppress(ConnectionClosed):
            await self._connection.send(text)

    async def close(self) -> None:
        """Closes the connection."""
        await self._connection.close()


ServerEndpoint = SocketEndpoint | TcpEndpoint
"""A connection to a server."""


def now_ms() -> int:
    """The time of the event loop, for ``protocols.uhp.bridge``."""
    return round(asyncio.get_running_loop().time() * 1000)
