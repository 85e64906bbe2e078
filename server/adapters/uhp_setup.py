"""A UHP engine whose options are set before a server drives it.

Its banner is read here, so that its options can be set, and handed on afterwards as if it had just come. Used by
``plyhouse uhp --role engine --engine-option``; one event loop uses an end.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence

from protocols.session import Effect, Send
from protocols.uhp.answers import Failed
from protocols.uhp.lines import Line, LineTooLong
from protocols.uhp.requests import SetOption
from protocols.uhp.viewer import EngineGone, Overlong, TimeIsUp, Viewer
from server.adapters.uhp_ends import ChildEnd
from server.adapters.uhp_engine import CHECK_SECONDS, START_SECONDS


class BadEngine(Exception):
    """The engine cannot be set up; the text says why."""


class ConfiguredEnd:
    """An engine with its options. Fits ``uhp_ends.End``."""

    def __init__(self, engine: ChildEnd) -> None:
        self._engine = engine
        self._engine_lines = engine.lines()
        self._viewer = Viewer()
        self._read: list[Line] = []

    @classmethod
    async def start(cls, words: Sequence[str], options: Mapping[str, str]) -> "ConfiguredEnd":
        """Starts the engine and sets its options. OSError, BadEngine: it refuses one, or does not answer."""
        end = cls(await ChildEnd.start(words))
        try:
            await end._set_up(options)
        except BaseException:
            await end.close()
            raise
        return end

    async def lines(self) -> AsyncIterator[Line]:
        """The banner, and then what the engine writes."""
        for line in self._read:
            yield line
        async for line in self._engine_lines:
            yield line

    async def send(self, text: str) -> None:
        """Writes to the engine."""
        await self._engine.send(text)

    async def close(self) -> None:
        """Ends the engine."""
        await self._engine.close()

    async def _set_up(self, options: Mapping[str, str]) -> None:
        await self._complete("the engine", self._viewer.start(), START_SECONDS)
        banner = self._read
        for name, value in options.items():
            await self._complete(f"{name}={value}", self._viewer.ask(SetOption(name, value)), CHECK_SECONDS)
        self._read = banner

    async def _complete(self, what: str, effects: list[Effect], seconds: float) -> None:
        """Carries out effects until the request has come to its end; ``_read`` has the lines of the answer."""
        self._read = []
        try:
            async with asyncio.timeout(seconds):
                while not await self._carry_out(what, effects):
                    effects = await self._next()
        except TimeoutError:
            await self._carry_out(what, self._viewer.notify(TimeIsUp()))

    async def _carry_out(self, what: str, effects: list[Effect]) -> bool:
        """Whether the request is over."""
        for effect in effects:
            if isinstance(effect, Failed):
                raise BadEngine(f"{what}: {effect.text}")
            if isinstance(effect, Send):
                await self.send(effect.text)
        return self._viewer.is_idle

    async def _next(self) -> list[Effect]:
        line = await anext(self._engine_lines, None)
        if line is None:
            return self._viewer.notify(EngineGone())
        self._read.append(line)
        if isinstance(line, LineTooLong):
            return self._viewer.notify(Overlong())
        return self._viewer.receive(line)
