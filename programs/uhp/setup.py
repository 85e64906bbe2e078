"""A UHP engine whose options are set before a server drives it.

We are its viewer until then; afterwards, it introduces itself again. Used by ``plyhouse uhp --role engine
--engine-option``. Each object belongs to one event loop.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence

from programs.child_process import MAX_WAITING, ChildEndpoint
from programs.uhp.driven_engine import DrivenUhpEngine
from protocols.uhp.lines import OK, Line


class ConfiguredEndpoint(DrivenUhpEngine):
    """An engine with its options set. Implements ``endpoints.Endpoint``."""

    def __init__(self, engine: ChildEndpoint, options: Mapping[str, str]) -> None:
        self._banner: list[str] = []
        """Known once the options are set."""
        self._output: asyncio.Queue[Line | None] = asyncio.Queue(MAX_WAITING)
        """What the engine writes from then on; None at the end."""
        super().__init__(engine, options)
        self.send, self.close, self.ending = engine.send, self.aclose, engine.ending

    @classmethod
    async def open(cls, words: Sequence[str], options: Mapping[str, str]) -> "ConfiguredEndpoint":
        """Starts the engine and sets its options. Raises OSError, or EngineFailed if it refuses one."""
        end = cls(await ChildEndpoint.start(words), options)
        identity = await end.begin()
        end._banner = [f"id {identity.name}", ";".join(sorted(identity.capabilities)), OK]
        return end

    async def lines(self) -> AsyncIterator[Line]:
        """The banner, then the engine's further output."""
        for line in self._banner:
            yield line
        while (arrived := await self._output.get()) is not None:
            yield arrived

    async def _read(self) -> None:
        async for line in self._engine.lines():
            if self._banner:
                await self._output.put(line)
            else:
                self.receive(line)
        self.lose(await self._engine.ending())
        await self._output.put(None)
