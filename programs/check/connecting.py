"""Programs that connect to a port of ours: the process, and the time that it has for that."""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from programs.check.conversation import NoAnswer, ProgramEnded
from programs.child_process import ChildEndpoint
from protocols.uhp.lines import LineTooLong

CONNECT_SECONDS = 30.0
"""From the start of the program: some load a network or another runtime first."""

EXIT_SECONDS = 2.0

T = TypeVar("T")


class ConnectingProcess(Protocol):
    """A program that connects."""

    async def exited(self) -> None:
        """Waits until it has exited."""
        ...

    async def ending(self) -> str:
        """How it has exited."""
        ...

    async def close(self) -> None:
        """Ends it."""
        ...


class ConnectingChild:
    """A process of ours that connects; ``log`` takes what it prints."""

    def __init__(self, child: ChildEndpoint, log: Callable[[str], None]) -> None:
        self._child = child
        self._printing = asyncio.ensure_future(self._print(log))

    @classmethod
    async def start(
        cls,
        words: Sequence[str],
        log: Callable[[str], None],
        folder: Path | None = None,
        own_environment: Mapping[str, str] | None = None,
    ) -> "ConnectingChild":
        """Starts it, with our environment and ``own_environment``. Raises OSError."""
        environment = os.environ | (own_environment or {})
        child = await ChildEndpoint.start(words, None, log, folder, environment)
        return cls(child, log)

    async def exited(self) -> None:
        """Waits until it has exited."""
        await self._child.exited()

    async def ending(self) -> str:
        """How it has exited."""
        return await self._child.ending()

    async def close(self) -> None:
        """Ends it."""
        await self._child.close()  # Its remaining output is still logged.
        self._printing.cancel()
        await asyncio.gather(self._printing, return_exceptions=True)

    async def _print(self, log: Callable[[str], None]) -> None:
        async for line in self._child.lines():
            if not isinstance(line, LineTooLong) and line.strip():
                log(line)


async def first_connection(
    connections: "asyncio.Queue[T]", seconds: float, process: ConnectingProcess | None
) -> T:
    """Waits for a connection. Raises NoAnswer, or ProgramEnded if the process exits before."""
    accepting = asyncio.ensure_future(connections.get())
    exiting = None if process is None else asyncio.ensure_future(process.exited())
    waiting = [accepting] if exiting is None else [accepting, exiting]
    try:
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if accepting.done():
            return accepting.result()
        if process is not None and exiting is not None and exiting.done():
            raise ProgramEnded(f"It has not connected, and has ended: {await process.ending()}.")
        raise NoAnswer(f"It has not connected within {seconds:g} s.")
    finally:
        for task in waiting:
            task.cancel()


async def ending_of(process: ConnectingProcess | None) -> str | None:
    """How the process has ended after its connection has; None if it runs on, or is not ours."""
    if process is None:
        return None
    exiting = asyncio.ensure_future(process.exited())
    done, _ = await asyncio.wait([exiting], timeout=EXIT_SECONDS)
    exiting.cancel()
    return await process.ending() if done else None
