"""The programs of the operator that we start: line streams to their stdio, and how they have ended."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from programs.endpoints import CHUNK_BYTES, TcpEndpoint
from programs.orphan_killer import orphan_killer
from protocols.uhp.lines import MAX_LINE_BYTES, Line, LineSplitter

LEAVE_SECONDS = 1.0
"""How long a child process may take to exit by itself before it is killed."""

MAX_WAITING = 1024
"""Unread lines of a program; beyond it, the program blocks."""

FRAME = " \t\r\n│╭╮╰╯─|"
"""What surrounds the text of errors that are shown in a frame."""

FAREWELL = "exit"
"""The command that ends a UHP engine."""


class ChildEndpoint:
    """A program of the operator, in its own process group, which ends with us even if we are killed.

    It shares our stderr unless that is logged. ``farewell`` is sent as its last line, for programs that do not exit at
    the end of their input.
    """

    def __init__(self, process: asyncio.subprocess.Process, farewell: str | None, most: int) -> None:
        if process.stdin is None or process.stdout is None:
            raise OSError("a child process without pipes")
        self._process = process
        self.pid = process.pid
        self._farewell = farewell
        self._most = most
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
        most: int = MAX_LINE_BYTES,
    ) -> "ChildEndpoint":
        """Starts the program. ``log`` is called with the lines of its stderr. Raises OSError.

        ``folder`` is its working directory, and ``environment`` all of its environment; both are ours by default.
        ``most`` bytes of a line of its stdout are read.
        """
        pipe, orphans = asyncio.subprocess.PIPE, orphan_killer()
        process = await asyncio.create_subprocess_exec(
            *words,
            stdin=pipe,
            stdout=pipe,
            stderr=log and pipe,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        orphans.add(process.pid)
        child = cls(process, farewell, most)
        if log is not None and process.stderr is not None:
            child._notes = asyncio.ensure_future(child._take_notes(process.stderr, log))
        return child

    def lines(self) -> AsyncIterator[Line]:
        """The lines of its stdout."""
        return _lines_of(self._output, self._most)

    def write(self, text: str) -> bool:
        """Writes to its stdin without waiting; returns False if that is closed."""
        if self._input.is_closing():
            return False
        self._input.write(f"{text}\n".encode())
        return True

    async def send(self, text: str) -> None:
        """Writes to its stdin."""
        with suppress(OSError, RuntimeError):
            if self.write(text):
                await self._input.drain()

    def interrupt(self) -> None:
        """Sends SIGINT to the process group. Engines respond with their best move so far."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGINT)

    def end_input(self) -> None:
        """Closes its stdin, at whose end most programs exit."""
        self._input.close()

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
        how = f"exit status {status}" if status >= 0 else f"signal {_signal_name(-status)}"
        return how if self._last_note is None else f"{how}: {self._last_note}"

    async def close(self) -> None:
        """Asks the program to exit, then kills the rest of its process group."""
        if self._farewell is not None:
            self.write(self._farewell)
        self._input.close()
        drain = asyncio.ensure_future(self._drain())
        await self._await_end()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._await_end()
        orphan_killer().drop(self._process.pid)
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
                log(line.rstrip())
                if any(map(str.isalnum, line)):  # The last line may be the bottom of a frame.
                    self._last_note = line.strip(FRAME)


class LineQueue:
    """Reads all output of a program at once, so that one with much output never blocks on a full pipe."""

    def __init__(self, endpoint: ChildEndpoint | TcpEndpoint) -> None:
        self._endpoint = endpoint
        self.arrived: asyncio.Queue[Line | None] = asyncio.Queue(MAX_WAITING)
        """The lines that were not handled yet; None at the end of the output."""
        self.ending = ""
        """How the program has ended."""
        self._reader = asyncio.ensure_future(self._read())

    async def close(self) -> None:
        """Ends the program, or the connection to it."""
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)
        await self._endpoint.close()

    async def _read(self) -> None:
        async for line in self._endpoint.lines():
            await self.arrived.put(line)
        self.ending = await self._endpoint.ending()
        await self.arrived.put(None)


def _signal_name(number: int) -> str:
    """Such as ``SIGSEGV``; the number of a signal without a name."""
    with suppress(ValueError):
        return signal.Signals(number).name
    return str(number)


async def _lines_of(stream: asyncio.StreamReader, most: int = MAX_LINE_BYTES) -> AsyncIterator[Line]:
    """The lines of a stream, including a last one without a line end."""
    splitter = LineSplitter(most)
    while chunk := await stream.read(CHUNK_BYTES):
        for line in splitter.feed(chunk):
            yield line
    for line in splitter.end():
        yield line
