"""A UHP engine whose options are set before a server drives it.

Reads the engine's banner in order to set the options, and passes it on afterwards as if it had just arrived. Used by
``plyhouse uhp --role engine --engine-option``. Each object belongs to one event loop.
"""

from collections.abc import AsyncIterator, Mapping, Sequence

from protocols.uhp.lines import Line
from protocols.uhp.requests import SetOption
from server.adapters.driven_uhp_engine import DrivenUhpEngine, EngineFailed
from server.adapters.line_endpoints import ChildEndpoint


class BadEngine(Exception):
    """The engine cannot be set up; the text says why."""


class ConfiguredEndpoint:
    """An engine with its options set. Implements ``line_endpoints.Endpoint``."""

    def __init__(self, engine: DrivenUhpEngine) -> None:
        self._engine = engine
        self._banner: list[Line] = []
        self.send, self.close = engine.send, engine.aclose

    @classmethod
    async def start(cls, words: Sequence[str], options: Mapping[str, str]) -> "ConfiguredEndpoint":
        """Starts the engine and sets its options. Raises OSError, or BadEngine if it refuses one or does not answer."""
        end = cls(DrivenUhpEngine(await ChildEndpoint.start(words)))
        try:
            await end._set_up(options)
        except BaseException:
            await end.close()
            raise
        return end

    async def lines(self) -> AsyncIterator[Line]:
        """The banner, then the engine's further output."""
        for line in self._banner:
            yield line
        while (arrived := await self._engine.arrived.get()) is not None:
            yield arrived

    async def _set_up(self, options: Mapping[str, str]) -> None:
        what = "the engine"
        try:
            await self._engine.read_banner()
            self._banner = self._engine.answer
            for name, value in options.items():
                what = f"{name}={value}"
                await self._engine.ask(SetOption(name, value))
        except EngineFailed as error:
            raise BadEngine(f"{what}: {error}") from None
