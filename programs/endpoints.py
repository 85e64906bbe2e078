"""Line streams: our own stdio, and a TCP connection. ``child_process`` has those of the programs that we start.

Connections to servers are in ``uhp.dial``; ``uhp.raw`` and ``uhp.bridge`` connect them to a stream of this module.
``uhp.driven_engine`` drives engines. Each object belongs to one event loop.
"""

import asyncio
import os
import select
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final, Generic, Protocol, TypeVar

from protocols.uhp.lines import MAX_LINE_BYTES, Line, LineSplitter

CHUNK_BYTES = 65_536

E = TypeVar("E")


class Endpoint(Protocol):
    """One side of a conversation in lines."""

    def lines(self) -> AsyncIterator[Line]:
        """The peer's lines until it has gone."""
        ...

    async def send(self, text: str) -> None:
        """Writes one line, or several joined by LF. If the peer has gone, ``lines`` ends."""
        ...

    async def ending(self) -> str:
        """How the peer has ended."""
        ...

    async def close(self) -> None:
        """Ends the peer or the connection to it."""
        ...


class StdioEndpoint(Generic[E]):
    """The parent process, on our stdio. Reads in a thread, because files cannot be awaited.

    Events of type ``E`` can be posted among its lines.
    """

    def __init__(self, most: int = MAX_LINE_BYTES, errors: str = "replace") -> None:
        """``most`` and ``errors`` as in ``LineSplitter``."""
        self.events: asyncio.Queue[Line | E | None] = asyncio.Queue()
        """The lines of our stdin and what was posted, in the order of their arrival; None at the end of the input."""
        self._splitter = LineSplitter(most, errors)
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, name="uhp-input", daemon=True).start()

    async def lines(self) -> AsyncIterator[Line | E]:
        """The lines of our stdin, and what was posted before its end."""
        while (line := await self.events.get()) is not None:
            yield line

    def post(self, *events: Line | E | None) -> None:
        """Adds to ``events``. Thread-safe; may be called after the event loop has closed, when the process exits."""
        for event in events:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self.events.put_nowait, event)

    async def send(self, text: str) -> None:
        """Writes to our stdout. Raises BrokenPipeError; then nothing of it is written again at exit."""
        try:
            sys.stdout.buffer.write(f"{text}\n".encode())
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise

    async def ending(self) -> str:
        """A fixed text: nothing is known about how the parent has ended."""
        return "the input has ended"

    def is_unread(self) -> bool:
        """Whether the reader of our stdout has closed it."""
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        return bool(poll.poll(0))

    async def close(self) -> None:
        """Does nothing: our stdio stays open."""

    def _read(self) -> None:
        with suppress(OSError):
            while chunk := os.read(sys.stdin.fileno(), CHUNK_BYTES):
                self.post(*self._splitter.feed(chunk))
        self.post(*self._splitter.end(), None)


class TcpEndpoint:
    """A connection to a TCP port. ``farewell`` is sent as the last line."""

    is_done: Final = False
    """Whether a server closed the connection because the session is over: TCP has no close codes."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, farewell: str | None = None
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._farewell = farewell

    async def lines(self) -> AsyncIterator[Line]:
        """The peer's lines. One that is cut off by the end of the connection is dropped."""
        splitter = LineSplitter()
        with suppress(OSError):
            while chunk := await self._reader.read(CHUNK_BYTES):
                for line in splitter.feed(chunk):
                    yield line

    async def send(self, text: str) -> None:
        """Sends one or more lines."""
        with suppress(OSError, RuntimeError):
            self._writer.write(f"{text}\n".encode())
            await self._writer.drain()

    async def ending(self) -> str:
        """A fixed text: nothing is known about how the peer ended."""
        return "the connection is closed"

    async def close(self) -> None:
        """Closes the connection."""
        if self._farewell is not None:
            await self.send(self._farewell)
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()
