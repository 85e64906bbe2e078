"""Connects to a UHP server, at its WebSocket ``/uhp`` or its TCP port.

After the handshake, both kinds of connection carry lines.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Final
from urllib.parse import SplitResult, urlencode, urlsplit, urlunsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from protocols.uhp.lines import MAX_LINE_BYTES, OK, split_message
from protocols.uhp.remote.effects import NORMAL
from protocols.uhp.remote.handshake import MAGIC
from server.adapters.line_endpoints import TcpEndpoint

CONNECT_SECONDS = 10.0
MAX_MESSAGE_BYTES = 16 * MAX_LINE_BYTES
CHUNK_BYTES = 65_536
SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}


class BadServer(ValueError):
    """Not the address of a server; the text says why."""


class CannotConnect(Exception):
    """The connection failed; the text says why."""


async def dial(server: str, words: Mapping[str, str]) -> "ServerEndpoint":
    """Connects with these handshake parameters. Raises BadServer or CannotConnect."""
    address = _split(server)
    try:
        if address.scheme == "tcp":
            return await _dial_tcp(address.hostname or "", _port(server), words)
        return await _dial_socket(socket_url(server, words))
    except UnicodeError:
        raise BadServer(f"{server!r} is not an address: invalid host name") from None
    except InvalidStatus as refusal:
        raise CannotConnect(_refusal(refusal)) from None
    except (OSError, TimeoutError, WebSocketException) as error:
        raise CannotConnect(f"cannot connect to {server}: {str(error) or 'no answer'}") from None


def check_server(server: str) -> None:
    """Raises BadServer unless ``server`` is an address."""
    if _split(server).scheme == "tcp":
        _port(server)
    else:
        socket_url(server, {})


def socket_url(server: str, words: Mapping[str, str]) -> str:
    """The address of the WebSocket with the handshake in its query. Raises BadServer."""
    address = _split(server)
    scheme = SCHEMES.get(address.scheme)
    if scheme is None or not address.netloc:
        raise BadServer(
            f"{server!r} is not an address: write http://HOST:PORT, ws://HOST:PORT or tcp://HOST:PORT"
        )
    path = address.path.rstrip("/")
    path = path if path.endswith("/uhp") else f"{path}/uhp"
    return urlunsplit((scheme, address.netloc, path, urlencode(words), ""))


def _split(server: str) -> SplitResult:
    """Splits an address and validates its port. Raises BadServer."""
    try:
        address = urlsplit(server)
        address.port  # noqa: B018  reading an invalid port raises
    except ValueError as error:
        raise BadServer(f"{server!r} is not an address: {error}") from None
    return address


def _port(server: str) -> int:
    address = _split(server)
    if address.port is None or not address.hostname:
        raise BadServer(f"{server!r} is not tcp://HOST:PORT")
    return address.port


def _refusal(refusal: InvalidStatus) -> str:
    body = (refusal.response.body or b"").decode(errors="replace").strip()
    return f"the server refused: {body or refusal}"


async def _dial_socket(url: str) -> "SocketEndpoint":
    return SocketEndpoint(
        await connect(url, compression=None, max_size=MAX_MESSAGE_BYTES, open_timeout=CONNECT_SECONDS)
    )


async def _dial_tcp(host: str, port: int, words: Mapping[str, str]) -> "TcpServerEndpoint":
    async with asyncio.timeout(CONNECT_SECONDS):
        reader, writer = await asyncio.open_connection(host, port)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    end = TcpServerEndpoint(reader, writer)
    await end.send(" ".join((MAGIC, *(f"{name}={value}" for name, value in words.items()))))
    return end


class TcpServerEndpoint(TcpEndpoint):
    """A connection to a server's TCP port."""

    is_done: Final = False
    """Whether the server closed the connection because the session is over: TCP has no close codes."""


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
                for line in split_message(message if isinstance(message, str) else ""):
                    if isinstance(line, str):
                        yield line

    async def send(self, text: str) -> None:
        """Sends one message."""
        with suppress(ConnectionClosed):
            await self._connection.send(text)

    async def close(self) -> None:
        """Closes the connection."""
        await self._connection.close()


ServerEndpoint = SocketEndpoint | TcpServerEndpoint
"""A connection to a server."""


def is_greeting(line: str) -> bool:
    """Whether this first line accepts the handshake."""
    return line == OK or line.startswith(f"{OK} ")
