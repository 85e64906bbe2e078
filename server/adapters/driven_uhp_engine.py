"""A running UHP engine: carries out the effects of ``protocols.uhp.viewer`` and enforces time limits.

Every arena game, every worker of ``plyhouse engine --uhp`` and every engine with options at a server has an engine of
its own.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import aclosing

from engines import Position
from protocols.jsontext import JsonDict
from protocols.session import Effect, Send
from protocols.uhp.answers import Chosen, Identity, RequestFailed
from protocols.uhp.game_string import GAME, TYPES
from protocols.uhp.lines import Line, LineTooLong
from protocols.uhp.requests import BestMove, Depth, MoveTime, Request, SetOption
from protocols.uhp.viewer import EngineGone, Overlong, TimeIsUp, Viewer
from server.adapters.background_loop import wait_for
from server.adapters.line_endpoints import ChildEndpoint, LineQueue, TcpEndpoint
from server.adapters.uhp_command import UhpCommand

START_SECONDS = 20.0
"""Time limit for the banner: some engines load a runtime first."""

CHECK_SECONDS = 10.0
"""Time limit for everything except the banner and searches."""


class EngineFailed(Exception):
    """The engine did not do what it was asked to do; the text is a sentence."""

    def __init__(self, failed: RequestFailed) -> None:
        super().__init__(failed.text)
        self.failed = failed


class DrivenUhpEngine:
    """One engine, from its start to ``close``. Belongs to one event loop."""

    def __init__(self, engine: ChildEndpoint | TcpEndpoint, options: Mapping[str, str] | None = None) -> None:
        self._engine = engine
        self._options = options or {}
        self._viewer = Viewer()
        self._output = LineQueue(engine)
        self.arrived = self._output.arrived
        """The lines that were not read yet; None at the end of the output."""
        self.answer: list[Line] = []
        """The lines of the last answer."""

    @classmethod
    async def start(cls, command: UhpCommand, log: Callable[[str], None]) -> "DrivenUhpEngine":
        """Starts an engine; ``log`` is called with the lines of its stderr. Raises OSError."""
        return cls(await command.open(log), command.options)

    async def begin(self) -> Identity:
        """Reads the banner and sets the options. Raises EngineFailed."""
        identity = await self.read_banner()
        for name, value in self._options.items():
            await self.ask(SetOption(name, value))
        return identity

    async def read_banner(self) -> Identity:
        """Reads the banner. Raises EngineFailed."""
        await self._complete(self._viewer.start(), START_SECONDS)
        return self._viewer.identity

    async def ask(self, request: Request, seconds: float = CHECK_SECONDS) -> Effect:
        """Sends a request and returns the effect that ends it. Raises EngineFailed."""
        # Output between two requests is ignored, unless the engine has exited.
        while not self.arrived.empty():
            _raise_failure(self._hand_over(self.arrived.get_nowait()))
        return await self._complete(self._viewer.ask(request), seconds)

    async def go_to(self, position: Position) -> None:
        """Brings the engine to this position. Raises EngineFailed, or BadGameString if it has no GameString."""
        while (step := self._viewer.step_to(position)) is not None:
            await self.ask(step)

    async def best_move(self, limit: MoveTime | Depth, seconds: float) -> Chosen:
        """The engine's move in its current position, within ``seconds``. Raises EngineFailed."""
        chosen = await self.ask(BestMove(limit), seconds)
        if not isinstance(chosen, Chosen):
            raise TypeError(f"a search ended with {type(chosen).__name__}")
        return chosen

    def interrupt(self) -> None:
        """Interrupts the current search of a process; sockets carry no signals. Thread-safe."""
        if isinstance(self._engine, ChildEndpoint):
            self._engine.interrupt()

    async def send(self, text: str) -> None:
        """Writes a line to the engine."""
        await self._engine.send(text)

    async def aclose(self) -> None:
        """Terminates the engine."""
        await self._output.close()

    async def _complete(self, effects: list[Effect], seconds: float) -> Effect:
        """Carries out effects until the request has ended; returns its final effect."""
        self.answer = []
        try:
            async with asyncio.timeout(seconds):
                while (end := await self._carry_out(effects)) is None:
                    line = await self.arrived.get()
                    if line is not None:
                        self.answer.append(line)
                    effects = self._hand_over(line)
                return end
        except TimeoutError:
            (failed,) = self._viewer.notify(TimeIsUp())
            _raise_failure([failed])
            return failed

    async def _carry_out(self, effects: list[Effect]) -> Effect | None:
        """Carries out effects; returns the one that ends the request, if it is among them."""
        _raise_failure(effects)
        for effect in effects:
            if isinstance(effect, Send):
                await self._engine.send(effect.text)
            elif self._viewer.is_idle:
                return effect
        return None

    def _hand_over(self, line: Line | None) -> list[Effect]:
        if line is None:
            return self._viewer.notify(EngineGone(self._output.ending))
        return (
            self._viewer.notify(Overlong()) if isinstance(line, LineTooLong) else self._viewer.receive(line)
        )


def _raise_failure(effects: list[Effect]) -> None:
    for effect in effects:
        if isinstance(effect, RequestFailed):
            raise EngineFailed(effect)


def identify(command: UhpCommand) -> Identity:
    """Starts an engine, reads its identity and terminates it. Raises OSError or EngineFailed if it is unusable."""
    return wait_for(_identify(command))


async def _identify(command: UhpCommand) -> Identity:
    async with aclosing(await DrivenUhpEngine.start(command, ignore_line)) as engine:
        return await engine.begin()


def offer_of(engine: Identity) -> tuple[str, dict[str, JsonDict]]:
    """The game of UHP engines, with an offer for each variant that this engine supports, for attaching it as a bot."""
    return GAME, {name: {} for name in TYPES if not engine.lacks(name)}


def ignore_line(line: str) -> None:
    """Ignores a line of stderr, for callers without a log. The last line is still quoted if the engine dies."""
