"""A UHP engine whose options are set before a server drives it.

Reads the engine's banner in order to set the options, and passes it on afterwards as if it had just arrived. Used by
``plyhouse uhp --role engine --engine-option``. Each object belongs to one event loop.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence

from protocols.uhp.answers import EngineFailed
from protocols.uhp.lines import Line
from protocols.uhp.requests import SetOption
from server.adapters.driven_uhp_engine import START_SECONDS
from server.adapters.line_endpoints import ChildEndpoint, LineQueue
from server.services.uhp.asked_engine import REPLY_SECONDS, AskedEngine


class BadEngine(Exception):
    """The engine cannot be set up; the text says why."""


class ConfiguredEndpoint:
    """An engine with its options set. Implements ``line_endpoints.Endpoint``."""

    def __init__(self, engine: ChildEndpoint) -> None:
        self._output = LineQueue(engine)
        self._banner: list[Line] = []
        self.send, self.close = engine.send, self._output.close

    @classmethod
    async def start(cls, words: Sequence[str], options: Mapping[str, str]) -> "ConfiguredEndpoint":
        """Starts the engine and sets its options. Raises OSError, or BadEngine if it refuses one or does not answer."""
        end = cls(await ChildEndpoint.start(words))
        asked = AskedEngine(end.send)
        feeding = asyncio.ensure_future(end._feed(asked))
        try:
            await end._set_up(asked, options)
        except BaseException:
            await end.close()
            raise
        finally:
            feeding.cancel()
        return end

    async def lines(self) -> AsyncIterator[Line]:
        """The banner, then the engine's further output."""
        for line in self._banner:
            yield line
        while (arrived := await self._output.arrived.get()) is not None:
            yield arrived

    async def _set_up(self, engine: AskedEngine, options: Mapping[str, str]) -> None:
        what = "the engine"
        try:
            await engine.read_banner(START_SECONDS)
            banner = [*self._banner]
            for name, value in options.items():
                what = f"{name}={value}"
                await engine.ask(SetOption(name, value), REPLY_SECONDS)
        except EngineFailed as error:
            raise BadEngine(f"{what}: {error}") from None
        self._banner = banner

    async def _feed(self, engine: AskedEngine) -> None:
        """Passes the engine's lines on to the requests, and keeps them."""
        while (line := await self._output.arrived.get()) is not None:
            self._banner.append(line)
            engine.receive(line)
        engine.lose(self._output.ending)
