"""UHP over TCP: lines in both directions, the handshake first. Sessions are driven by ``services.uhp``.

What a peer does not read waits in its connection's buffer; who leaves too much there is cut. A peer that is gone
without a word is noticed by the system's keep-alive within a minute.
"""

import asyncio
import logging
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from protocols.uhp.lines import ERROR, LineSplitter, LineTooLong
from server.adapters.connection_limit import ConnectionLimit
from server.adapters.tcp_lag import lag_ms
from server.domain.client_address import client_address
from server.domain.errors import ApiError
from server.domain.pace import PaceLimits
from server.services.pace import Pace
from server.services.uhp.reception import Reception
from server.services.uhp.wire import TOO_LONG, Received

log = logging.getLogger(__name__)

CHUNK_BYTES = 4096
"""Read at once."""

UNREAD_BYTES = 256 * 1024
"""What may wait for a peer that does not read: some forty of the longest GameStrings."""

CLOSE_SECONDS = 5.0
"""How long a peer that does not read is given to take the last lines."""

SILENT_SECONDS: Final = 20
SILENT_PROBES: Final = 2
"""A connection that has been silent is probed after so many seconds, and given up when it misses so many probes."""


class TcpWire:
    """One connection. Fits ``services.uhp.wire.Wire``."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limits: PaceLimits
    ) -> None:
        """``limits``: of the lines that the peer sends, which is never cut for sending more."""
        self._pace = Pace(limits.without_end())
        peer = writer.get_extra_info("peername")
        self.address = client_address(peer[0] if peer else None, (), ())
        self._reader = reader
        self._writer = writer
        self._is_closing = False
        self.is_slow = False
        """Whether it was cut because its peer read too slowly."""
        self.lines: AsyncIterator[Received] = self._lines()

    def send(self, text: str) -> None:
        """Sends an answer, its lines each with an end. The peer may be gone though lines of its are still unread."""
        if self._is_closing or self._writer.transport.is_closing():
            return
        self._writer.write(f"{text}\n".encode())
        if self._writer.transport.get_write_buffer_size() > UNREAD_BYTES:
            log.info("a UHP connection reads too slowly and is cut")
            self.is_slow = self._is_closing = True
            self._writer.transport.abort()

    def close(self, code: int, reason: str) -> None:
        """Sends nothing more after everything sent so far; TCP has neither codes nor reasons."""
        if not self._is_closing:
            self._is_closing = True
            if not self._writer.transport.is_closing():
                self._writer.write_eof()
            asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._writer.transport.abort)

    async def wait_closed(self) -> None:
        """Reads until the peer has closed, too: unread data would make the system drop what it has not read yet."""
        while await self._read():
            pass
        self._writer.close()

    def give_back(self) -> None:
        """The last line does not count among those that the peer may send."""
        self._pace.give_back()

    def lag_ms(self) -> int:
        """Half the round-trip time."""
        return lag_ms(self._writer.get_extra_info("socket"))

    async def _lines(self) -> AsyncIterator[Received]:
        splitter = LineSplitter()
        while (chunk := await self._read()) and not self._is_closing:
            for line in splitter.feed(chunk):
                await self._pace.keep()
                yield TOO_LONG if isinstance(line, LineTooLong) else line
        for line in splitter.end():
            yield TOO_LONG if isinstance(line, LineTooLong) else line

    async def _read(self) -> bytes:
        try:
            return await self._reader.read(CHUNK_BYTES)
        except OSError:
            return b""


class UhpPort:
    """A listening port. Its connections are closed by ``reception``, as all others."""

    def __init__(self, reception: Reception, limits: PaceLimits, connection_limit: ConnectionLimit) -> None:
        """``limits``: of the lines of each connection."""
        self._reception = reception
        self._limits = limits
        self._connection_limit = connection_limit

    @asynccontextmanager
    async def open(self, listener: socket.socket) -> AsyncIterator[None]:
        """Accepts connections as long as this lasts."""
        server = await asyncio.start_server(self._accepted, sock=listener)
        try:
            yield
        finally:
            server.close()

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
        wire = TcpWire(reader, writer, self._limits)
        try:
            await self._reception.receive(wire)
        except Exception:
            log.exception("a UHP connection failed")
        finally:
            wire.close(0, "done")
            await wire.wait_closed()
            self._reception.slow += wire.is_slow


def _keep_alive(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if sys.platform == "linux":
        for option, value in (
            (socket.TCP_KEEPIDLE, SILENT_SECONDS),
            (socket.TCP_KEEPINTVL, SILENT_SECONDS),
            (socket.TCP_KEEPCNT, SILENT_PROBES),
        ):
            connection.setsockopt(socket.IPPROTO_TCP, option, value)
