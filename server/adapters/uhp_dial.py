"""Connecting to a server that speaks UHP: its WebSocket ``/uhp``, or its TCP port. The dialler's side.

What comes after the handshake is lines, whatever role they belong to.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Protocol
from urllib.parse import SplitResult, urlencode, urlsplit, urlunsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from protocols.uhp.lines import MAX_LINE_BYTES, OK, LineSplitter, LineTooLong, split_message
from protocols.uhp.remote.handshake import MAGIC
from protocols.uhp.remote.words import NORMAL
from server.adapters.uhp_ends import End

CONNECT_SECONDS = 10.0
MAX_MESSAGE_BYTES = 16 * MAX_LINE_BYTES
CHUNK_BYTES = 65_536
SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}


class BadServer(ValueError):
    """No address of a server; the text says why."""


class CannotConnect(Exception):
    """There is no connection; the text says why."""


class ServerEnd(End, Protocol):
    """A connection to a server."""

    def lines(self) -> AsyncIterator[str]:
        """What the server writes, until it is gone. It writes no line that is too long."""
        ...

    @property
    def is_done(self) -> bool:
        """Whether it is over for good, as far as that can be told."""
        ...


async def dial(server: str, words: Mapping[str, str]) -> ServerEnd:
    """A connection with these words of the handshake. BadServer, CannotConnect."""
    address = _split(server)
    try:
        if address.scheme == "tcp":
            return await _dial_tcp(address.hostname or "", _port(server), words)
        return await _dial_socket(socket_url(server, words))
    except UnicodeError:
        raise BadServer(f"{server!r} is no address: no host has such a name") from None
    except InvalidStatus as refusal:
        raise CannotConnect(_refusal(refusal)) from None
    except (OSError, TimeoutError, WebSocketException) as error:
        raise CannotConnect(f"cannot connect to {server}: {str(error) or 'no answer'}") from None


def check_server(server: str) -> None:
    """BadServer for what is no address."""
    if _split(server).scheme == "tcp":
        _port(server)
    else:
        socket_url(server, {})


def socket_url(server: str, words: Mapping[str, str]) -> str:
    """The address of the WebSocket. BadServer."""
    address = _split(server)
    scheme = SCHEMES.get(address.scheme)
    if scheme is None or not address.netloc:
        raise BadServer(
            f"{server!r} is no address: write http://HOST:PORT, ws://HOST:PORT or tcp://HOST:PORT"
        )
    path = address.path.rstrip("/")
    path = path if path.endswith("/uhp") else f"{path}/uhp"
    return urlunsplit((scheme, address.netloc, path, urlencode(words), ""))


def _split(server: str) -> SplitResult:
    """The parts; the port is a number."""
    try:
        address = urlsplit(server)
        address.port  # noqa: B018  a port that is none is noticed when it is read
    except ValueError as error:
        raise BadServer(f"{server!r} is no address: {error}") from None
    return address


def _port(server: str) -> int:
    address = _split(server)
    if address.port is None or not address.hostname:
        raise BadServer(f"{server!r} is not tcp://HOST:PORT")
    return address.port


def _refusal(refusal: InvalidStatus) -> str:
    body = (refusal.response.body or b"").decode(errors="replace").strip()
    return f"the server refuses: {body or refusal}"


async def _dial_socket(url: str) -> ServerEnd:
    return SocketEnd(
        await connect(url, compression=None, max_size=MAX_MESSAGE_BYTES, open_timeout=CONNECT_SECONDS)
    )


async def _dial_tcp(host: str, port: int, words: Mapping[str, str]) -> ServerEnd:
    async with asyncio.timeout(CONNECT_SECONDS):
        reader, writer = await asyncio.open_connection(host, port)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    end = TcpEnd(reader, writer)
    await end.send(" ".join((MAGIC, *(f"{name}={value}" for name, value in words.items()))))
    return end


class SocketEnd:
    """A server at its WebSocket."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    @property
    def is_done(self) -> bool:
        """Whether the server has closed it because nothing is left to say."""
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
        """Hangs up."""
        await self._connection.close()


class TcpEnd:
    """A server at its TCP port."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @property
    def is_done(self) -> bool:
        """A TCP connection ends in the same way whatever has happened."""
        return False

    async def lines(self) -> AsyncIterator[str]:
        """The server's lines."""
        splitter = LineSplitter()
        with suppress(OSError):
            while chunk := await self._reader.read(CHUNK_BYTES):
                for line in splitter.feed(chunk):
                    if not isinstance(line, LineTooLong):
                        yield line

    async def send(self, text: str) -> None:
        """Sends lines."""
        with suppress(OSError, RuntimeError):
            self._writer.write(f"{text}\n".encode())
            await self._writer.drain()

    async def close(self) -> None:
        """Hangs up."""
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()


def is_greeting(line: str) -> bool:
    """Whether a first line is the server's word that it takes the handshake."""
    return line == OK or line.startswith(f"{OK} ")
