"""Sources and sinks of lines, to be connected in pairs: our own stdio, and a child process.

The third kind, a server, is in ``uhp_dial``; ``uhp_raw`` and ``uhp_bridge`` connect them. One event loop uses an end.
"""

import asyncio
import os
import select
import signal
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import Protocol

from protocols.uhp.lines import Line, LineSplitter

CHUNK_BYTES = 65_536
LEAVE_SECONDS = 1.0
"""How long a child may take to end by itself before it is killed."""

FAREWELL = "exit"
"""What a UHP engine is let go with."""


class End(Protocol):
    """One side of a conversation in lines."""

    def lines(self) -> AsyncIterator[Line]:
        """What the peer writes, line by line, until it is gone."""
        ...

    async def send(self, text: str) -> None:
        """Writes a line, or several joined by LF. A peer that is gone is noticed by ``lines``."""
        ...

    async def close(self) -> None:
        """Lets the peer go."""
        ...


class StdioEnd:
    """The parent process. Reads in a thread, because a file cannot be awaited."""

    def __init__(self, descriptor: int = 0) -> None:
        self._arrived: asyncio.Queue[Line | None] = asyncio.Queue()
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, name="uhp-input", daemon=True).start()

    async def lines(self) -> AsyncIterator[Line]:
        """The lines of our stdin."""
        while (line := await self._arrived.get()) is not None:
            yield line

    async def send(self, text: str) -> None:
        """Writes to our stdout. BrokenPipeError."""
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    def is_unread(self) -> bool:
        """Whether nobody is left to read our stdout."""
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        return bool(poll.poll(0))

    async def close(self) -> None:
        """Nothing to let go."""

    def _read(self) -> None:
        splitter = LineSplitter()
        with suppress(OSError):
            while chunk := os.read(self._descriptor, CHUNK_BYTES):
                self._hand_over(splitter.feed(chunk))
        self._hand_over([*splitter.end(), None])

    def _hand_over(self, lines: Sequence[Line | None]) -> None:
        for line in lines:
            with suppress(RuntimeError):  # The loop has ended.
                self._loop.call_soon_threadsafe(self._arrived.put_nowait, line)


class ChildEnd:
    """A program of the operator, in a process group of its own; its stderr is ours.

    ``farewell``: its last line, where the end of its input is not enough.
    """

    def __init__(self, process: asyncio.subprocess.Process, farewell: str | None) -> None:
        if process.stdin is None or process.stdout is None:
            raise OSError("a child process without pipes")
        self._process = process
        self._farewell = farewell
        self._input, self._output = process.stdin, process.stdout

    @classmethod
    async def start(cls, words: Sequence[str], farewell: str | None = FAREWELL) -> "ChildEnd":
        """Starts it. OSError."""
        process = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        return cls(process, farewell)

    async def lines(self) -> AsyncIterator[Line]:
        """The lines of its stdout."""
        splitter = LineSplitter()
        while chunk := await self._output.read(CHUNK_BYTES):
            for line in splitter.feed(chunk):
                yield line
        for line in splitter.end():
            yield line

    async def send(self, text: str) -> None:
        """Writes to its stdin."""
        with suppress(OSError, RuntimeError):
            self._input.write(f"{text}\n".encode())
            await self._input.drain()

    async def close(self) -> None:
        """Asks it to leave, then kills whatever is left of the group."""
        if self._farewell is not None:
            self._input.write(f"{self._farewell}\n".encode())
        self._input.close()
        drain = asyncio.ensure_future(self._drain())
        await self._await_end()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._await_end()
        drain.cancel()
        await asyncio.gather(drain, return_exceptions=True)

    async def _await_end(self) -> None:
        """Something that got away from the group may still hold the pipe: nobody waits for that for ever."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LEAVE_SECONDS):
                await self._process.wait()

    async def _drain(self) -> None:
        """Reads what nobody wants: a full pipe would keep the process from being seen to end."""
        while await self._output.read(CHUNK_BYTES):
            pass
