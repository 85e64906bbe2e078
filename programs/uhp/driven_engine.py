"""A running UHP engine: a process or a TCP connection that is asked one request at a time.

Every arena game, every worker of ``plyhouse engine --uhp`` and every engine with options at a server has an engine of
its own.
"""

import asyncio
from collections.abc import Callable, Mapping

from drivers.asked_engine import REPLY_SECONDS, AskedEngine
from programs.child_process import ChildEndpoint
from programs.endpoints import TcpEndpoint
from programs.uhp.command import UhpCommand
from protocols.uhp.answers import EngineFailed, Identity
from protocols.uhp.requests import SetOption

START_SECONDS = 20.0
"""Time limit for the banner: some engines load a runtime first."""


class DrivenUhpEngine(AskedEngine):
    """One engine, from its start to ``close``. Its output is read at once, so that it never blocks on a full pipe."""

    def __init__(self, engine: ChildEndpoint | TcpEndpoint, options: Mapping[str, str] | None = None) -> None:
        super().__init__(engine.send)
        self._engine = engine
        self._options = options or {}
        self._reader = asyncio.ensure_future(self._read())

    @classmethod
    async def start(
        cls, command: UhpCommand, log: Callable[[str], None]
    ) -> "tuple[DrivenUhpEngine, Identity]":
        """Starts an engine, and begins. ``log`` is called with the lines of its stderr.

        Raises OSError or EngineFailed.
        """
        engine = cls(await command.open(log), command.options)
        return engine, await engine.begin()

    async def begin(self) -> Identity:
        """Reads the banner and sets the options, or terminates the engine.

        Raises EngineFailed, which names a refused option.
        """
        try:
            identity = await self.read_banner(START_SECONDS)
            for name, value in self._options.items():
                try:
                    await self.ask(SetOption(name, value), REPLY_SECONDS)
                except EngineFailed as failure:
                    raise EngineFailed(failure.reason, f"{name}={value}: {failure}") from None
        except BaseException:
            await self.aclose()
            raise
        return identity

    def interrupt(self) -> None:
        """Interrupts the current search of a process; sockets carry no signals. Thread-safe."""
        if isinstance(self._engine, ChildEndpoint):
            self._engine.interrupt()

    async def aclose(self) -> None:
        """Terminates the engine."""
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)
        await self._engine.close()

    async def _read(self) -> None:
        async for line in self._engine.lines():
            self.receive(line)
        self.lose(await self._engine.ending())
