"""Line streams: our own stdio, a child process, and a TCP connection.

Connections to servers are in ``uhp_dial``; ``uhp_raw`` and ``uhp_bridge`` connect them to a stream of this module.
``driven_uhp_engine`` drives engines. Each object belongs to one event loop.
"""

import asyncio
import os
import select
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from protocols.uhp.lines import MAX_LINE_BYTES, Line, LineSplitter

CHUNK_BYTES = 65_536
LEAVE_SECONDS = 1.0
"""How long a child process may take to exit by itself before it is killed."""

FAREWELL = "exit"
"""The command that ends a UHP engine."""


class Endpoint(Protocol):
    """One side of a conversation in lines."""

    def lines(self) -> AsyncIterator[Line]:
        """The peer's lines until it has gone."""
        ...

    async def send(self, text: str) -> None:
        """Writes one line, or several joined by LF. If the peer has gone, ``lines`` ends."""
        ...

    async def close(self) -> None:
        """Ends the peer or the connection to it."""
        ...


class StdioEndpoint:
    """The parent process, on our stdio. Reads in a thread, because files cannot be awaited."""

    def __init__(self, most: int = MAX_LINE_BYTES, errors: str = "replace") -> None:
        """``most`` and ``errors`` as in ``LineSplitter``."""
        self._arrived: asyncio.Queue[Line | None] = asyncio.Queue()
        self._splitter = LineSplitter(most, errors)
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, name="uhp-input", daemon=True).start()

    async def lines(self) -> AsyncIterator[Line]:
        """The lines of our stdin."""
        while (line := await self._arrived.get()) is not None:
            yield line

    async def send(self, text: str) -> None:
        """Writes to our stdout. Raises BrokenPipeError."""
        sys.stdout.buffer.write(f"{text}\n".encode())
        sys.stdout.buffer.flush()

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
                self._hand_over(self._splitter.feed(chunk))
        self._hand_over([*self._splitter.end(), None])

    def _hand_over(self, lines: Sequence[Line | None]) -> None:
        for line in lines:
            with suppress(RuntimeError):  # The event loop is closed.
                self._loop.call_soon_threadsafe(self._arrived.put_nowait, line)


class ChildEndpoint:
    """A program of the operator, in its own process group; it shares our stderr unless that is logged.

    ``farewell`` is sent as its last line, for programs that do not exit at the end of their input.
    """

    def __init__(self, process: asyncio.subprocess.Process, farewell: str | None) -> None:
        if process.stdin is None or process.stdout is None:
            raise OSError("a child process without pipes")
        self._process = process
        self._farewell = farewell
        self._input, self._output = process.stdin, process.stdout
        self._last_note: str | None = None
        self._notes: asyncio.Task[None] | None = None

    @classmethod
    async def start(
        cls,
        words: Sequence[str],
        farewell: str | None = FAREWELL,
        log: Callable[[str], None] | None = None,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> "ChildEndpoint":
        """Starts the program. ``log`` is called with the lines of its stderr. Raises OSError.

        ``folder`` is its working directory, and ``environment`` all of its environment; both are ours by default.
        """
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *words,
            stdin=pipe,
            stdout=pipe,
            stderr=log and pipe,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        child = cls(process, farewell)
        if log is not None and process.stderr is not None:
            child._notes = asyncio.ensure_future(child._take_notes(process.stderr, log))
        return child

    def lines(self) -> AsyncIterator[Line]:
        """The lines of its stdout."""
        return _lines_of(self._output)

    async def send(self, text: str) -> None:
        """Writes to its stdin."""
        with suppress(OSError, RuntimeError):
            self._input.write(f"{text}\n".encode())
            await self._input.drain()

    def interrupt(self) -> None:
        """Sends SIGINT to the process group. Engines respond with their best move so far."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGINT)

    async def exited(self) -> None:
        """Waits until the program has exited and nobody has its output open."""
        await self._process.wait()

    async def ending(self) -> str:
        """How the program has ended: its exit status, and the last line of its stderr if that is logged."""
        await self._await_end()
        status = self._process.returncode
        if status is None:
            return "it has closed its output"
        if self._notes is not None:
            await asyncio.wait([self._notes], timeout=LEAVE_SECONDS)
        how = f"exit status {status}" if status >= 0 else f"signal {-status}"
        return how if self._last_note is None else f"{how}: {self._last_note}"

    async def close(self) -> None:
        """Asks the program to exit, then kills the rest of its process group."""
        if self._farewell is not None:
            self._input.write(f"{self._farewell}\n".encode())
        self._input.close()
        drain = asyncio.ensure_future(self._drain())
        await self._await_end()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._await_end()
        tasks = [drain] if self._notes is None else [drain, self._notes]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _await_end(self) -> None:
        """Waits for the exit with a time limit: a process that left the group may keep the pipe open."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LEAVE_SECONDS):
                await self._process.wait()

    async def _drain(self) -> None:
        """Discards remaining output: asyncio reports no exit while the pipe has unread data."""
        while await self._output.read(CHUNK_BYTES):
            pass

    async def _take_notes(self, stderr: asyncio.StreamReader, log: Callable[[str], None]) -> None:
        async for line in _lines_of(stderr):
            if isinstance(line, str) and line.strip():
                self._last_note = line.rstrip()
                log(self._last_note)


class TcpEndpoint:
    """A connection to a TCP port. ``farewell`` is sent as the last line."""

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


async def _lines_of(stream: asyncio.StreamReader) -> AsyncIterator[Line]:
    """The lines of a stream, including a last one without a line end."""
    splitter = LineSplitter()
    while chunk := await stream.read(CHUNK_BYTES):
        for line in splitter.feed(chunk):
            yield line
    for line in splitter.end():
        yield line
