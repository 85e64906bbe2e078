"""A TCP proxy that can delay, cut, duplicate and withhold what passes, for ``benchmarks.faults``."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any

CHUNK_BYTES = 65_536
CUT = 0.02
"""The probability that a chunk is cut off somewhere, and its connection with it, while cutting is on."""
SILENT_SECONDS = 0.05
"""How often a silent proxy looks whether bytes may pass again."""

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Connect = Callable[[], Awaitable[Streams]]
"""Opens a connection to the program behind the proxy."""


class FaultyProxy:
    """Passes bytes on unchanged, until told otherwise. ``connect`` opens the connections behind it."""

    def __init__(self, connect: Connect, rng: random.Random) -> None:
        self._connect = connect
        self._rng = rng
        self._server: asyncio.Server | None = None
        self._pipes: set[asyncio.Task[None]] = set()
        self.port = 0
        self.delay_seconds = 0.0
        """The longest delay of a chunk."""
        self.is_cutting = False
        self.is_silent = False
        """Whether nothing passes, though connections stay open."""
        self.is_duplicating = False
        """Whether everything on a new connection is sent twice: the copy on its own connection, without answers."""

    async def start(self) -> None:
        """Listens on a free port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Cuts all connections and stops listening."""
        if self._server is not None:
            self._server.close()
        for pipe in self._pipes:
            pipe.cancel()
        await asyncio.gather(*self._pipes, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._pipes.add(task)
            task.add_done_callback(self._pipes.discard)
        writers = [writer]
        # asyncio reports a cancelled handler of a connection as an error.
        with suppress(OSError, asyncio.CancelledError):
            try:
                behind, there = await self._connect()
                writers.append(there)
                pipes = [self._pass(behind, [writer])]
                targets = [there]
                if self.is_duplicating:
                    answers, copy = await self._connect()
                    writers.append(copy)
                    targets.append(copy)
                    pipes.append(self._pass(answers, []))
                pipes.append(self._pass(reader, targets))
                await _until_one_ends(pipes)
            finally:
                for one in writers:
                    one.transport.abort()

    async def _pass(self, source: asyncio.StreamReader, targets: list[asyncio.StreamWriter]) -> None:
        with suppress(OSError):
            while chunk := await source.read(CHUNK_BYTES):
                while self.is_silent:  # noqa: ASYNC110 - polls
                    await asyncio.sleep(SILENT_SECONDS)
                if self.delay_seconds:
                    await asyncio.sleep(self._rng.uniform(0, self.delay_seconds))
                is_last = self.is_cutting and self._rng.random() < CUT
                if is_last:
                    chunk = chunk[: self._rng.randrange(len(chunk))]
                for target in targets:
                    target.write(chunk)
                    await target.drain()
                if is_last:
                    return


async def _until_one_ends(pipes: Sequence[Coroutine[Any, Any, None]]) -> None:
    tasks = [asyncio.ensure_future(pipe) for pipe in pipes]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
