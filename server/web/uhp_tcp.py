"""UHP over TCP: lines in both directions, starting with the handshake. Sessions are driven by ``services.uhp``.

Output that a peer does not read is buffered per connection; a peer that leaves too much unread is disconnected. TCP
keep-alive detects vanished peers within a minute.
"""

import asyncio
import logging
import socket
import sys
from collections.abc import AsyncIterator, Hashable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from time import monotonic
from typing import Final

from protocols.session import FrameLost
from protocols.uhp.lines import ERROR, MAX_LINE_BYTES, OK, LineSplitter, LineTooLong, frame_of
from server.domain.client_address import client_address
from server.domain.errors import ApiError
from server.domain.token_bucket import MessageLimits
from server.services.message_rate import MessageRate
from server.services.payer import payer
from server.services.request_id import new_request_id, request_id
from server.services.uhp.acceptor import Acceptor
from server.web.connection_limit import ConnectionLimit
from server.web.tcp_lag import lag_ms

log = logging.getLogger(__name__)

access_log = logging.getLogger(f"{__name__}.access")
"""Has a line when a connection is opened, and one when it has ended."""

CHUNK_BYTES = 4096
"""Bytes read at once."""

UNREAD_BYTES = 256 * 1024
"""Maximum bytes buffered for a peer that does not read: about forty of the longest GameStrings."""

DROPPED_BYTES = 1 << 20
"""The most bytes of lines that are too long, before the connection is closed, and again before it is cut."""

LINGER_SECONDS = 1.0
"""How long a peer that keeps sending may take to read why it is cut."""

CLOSE_SECONDS = 5.0
"""How long a peer may take to read the last lines."""

GOODBYE_SECONDS = 1.0
"""How long peers may take to close their side when the server stops."""

SILENT_SECONDS: Final = 20
SILENT_PROBES: Final = 2
"""A silent connection is probed after this many seconds, and closed after this many unanswered probes."""


class TcpConnection:
    """One connection. Implements ``ports.connection.Connection``."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limits: MessageLimits
    ) -> None:
        """``limits`` apply to the peer's lines. Excess lines are delayed; the connection is kept."""
        self._pace = MessageRate(limits.without_end())
        peer = writer.get_extra_info("peername")
        self.address = client_address(peer[0] if peer else None, (), ())
        self._reader = reader
        self._writer = writer
        self._is_closing = False
        self.is_slow = False
        """Whether the connection was cut because its peer read too slowly."""
        self.ending = "closed by the client"
        """How the connection has ended."""
        self.frames: AsyncIterator[str | FrameLost] = self._lines()

    def send(self, text: str, key: Hashable = None) -> None:
        """Sends an answer of one or more lines, whatever its key. Ignored if the peer has already gone."""
        if self._is_closing or self._writer.transport.is_closing():
            return
        self._writer.write(f"{text}\n".encode())
        if self._writer.transport.get_write_buffer_size() > UNREAD_BYTES:
            log.info("closing a UHP connection whose peer reads too slowly")
            self.ending = "closed by the server: the peer reads too slowly"
            self.is_slow = self._is_closing = True
            self._writer.transport.abort()

    def close(self, code: int, reason: str = "") -> None:
        """Closes the connection after sending all output; TCP has no codes or reasons, which only the log shows."""
        if not self._is_closing:
            self.ending = f"closed by the server: {code} {reason}".strip()
            self.end()

    def end(self) -> None:
        """Closes our side after sending all output."""
        if not self._is_closing:
            self._is_closing = True
            if not self._writer.transport.is_closing():
                self._writer.write_eof()
            asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._writer.transport.abort)

    def cut(self) -> None:
        """Ends the connection without waiting for the peer."""
        self._writer.transport.abort()

    async def wait_closed(self) -> None:
        """Reads until the peer has closed its side too: with unread input, the system would discard our last output.

        A peer that keeps sending is cut off.
        """
        dropped = 0
        while dropped <= DROPPED_BYTES and (chunk := await self._read()):
            dropped += len(chunk)
        if dropped > DROPPED_BYTES:
            await asyncio.sleep(LINGER_SECONDS)
            self._writer.transport.abort()
        self._writer.close()

    def give_back(self) -> None:
        """Does not count the last line against the peer's limit."""
        self._pace.give_back()

    async def is_alive(self, seconds: float) -> bool:
        """Whether the system still has the connection: TCP has no pings."""
        return not self._writer.transport.is_closing()

    def lag_ms(self) -> int:
        """Half the round-trip time in milliseconds."""
        return lag_ms(self._writer.get_extra_info("socket"))

    async def _lines(self) -> AsyncIterator[str | FrameLost]:
        splitter = LineSplitter()
        while (chunk := await self._read()) and not self._is_closing:
            if splitter.dropped > DROPPED_BYTES:
                log.info("closing a UHP connection: its lines are too long")
                self.ending = "closed by the server: lines are too long"
                self.send(f"{ERROR} {LineTooLong(MAX_LINE_BYTES)}\n{OK}")
                return
            for line in splitter.feed(chunk):
                await self._pace.keep()
                yield frame_of(line)
        for line in splitter.end():
            yield frame_of(line)

    async def _read(self) -> bytes:
        try:
            return await self._reader.read(CHUNK_BYTES)
        except OSError:
            if not self._is_closing:
                self.ending = "the connection was lost"
            return b""


class UhpPort:
    """A listening port. Its connections are closed by ``acceptor``, like all others."""

    def __init__(self, acceptor: Acceptor, limits: MessageLimits, connection_limit: ConnectionLimit) -> None:
        """``limits`` apply to the lines of each connection."""
        self._acceptor = acceptor
        self._limits = limits
        self._connection_limit = connection_limit
        self._open: dict[asyncio.Task[None], TcpConnection] = {}

    @asynccontextmanager
    async def open(self, listener: socket.socket) -> AsyncIterator[None]:
        """Accepts connections within this context, at whose end the ``acceptor`` has closed them."""
        server = await asyncio.start_server(self._accepted, sock=listener)
        try:
            yield
        finally:
            server.close()
            await self._end_all()

    async def _end_all(self) -> None:
        if self._open:
            await asyncio.wait(self._open, timeout=GOODBYE_SECONDS)
        for connection in self._open.values():
            connection.cut()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = writer.get_extra_info("peername")
        try:
            release = self._connection_limit.open(peer[0] if peer else None)
        except ApiError as refusal:
            writer.write(f"{ERROR} {refusal.text}\n".encode())
            writer.close()
            return
        try:
            await self._serve(reader, writer)
        finally:
            release()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _keep_alive(writer.get_extra_info("socket"))
        connection = TcpConnection(reader, writer, self._limits)
        task = asyncio.ensure_future(self._run(connection, writer.get_extra_info("peername")))
        self._open[task] = connection
        task.add_done_callback(self._open.pop)
        await task

    async def _run(self, connection: TcpConnection, peer: Sequence[object] | None) -> None:
        payer.set(connection.address)
        request_id.set(new_request_id(None))
        with _logged(connection, peer):
            try:
                await self._acceptor.receive(connection)
            except Exception:
                log.exception("a UHP connection failed")
                connection.ending = "the server failed"
            finally:
                connection.end()
                await connection.wait_closed()
                self._acceptor.slow += connection.is_slow


@contextmanager
def _logged(connection: TcpConnection, peer: Sequence[object] | None) -> Iterator[None]:
    name, began = f'{f"{peer[0]}:{peer[1]} - " if peer else ""}"UHP"', monotonic()
    access_log.info("%s opened", name)
    try:
        yield
    finally:
        access_log.info("%s ended after %.1f s: %s", name, monotonic() - began, connection.ending)


def _keep_alive(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if sys.platform == "linux":
        for option, value in (
            (socket.TCP_KEEPIDLE, SILENT_SECONDS),
            (socket.TCP_KEEPINTVL, SILENT_SECONDS),
            (socket.TCP_KEEPCNT, SILENT_PROBES),
        ):
            connection.setsockopt(socket.IPPROTO_TCP, option, value)
