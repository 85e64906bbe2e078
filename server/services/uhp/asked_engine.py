"""A UHP engine that is asked one request at a time: gives ``protocols.uhp.viewer`` its lines and awaits the answers.

For engines that have connected to the server (``engine_role``), and those that run in processes
(``adapters.driven_uhp_engine``). Belongs to one event loop.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from engines import Position
from protocols.session import Effect, Send
from protocols.uhp.answers import Chosen, Identity, RequestFailed
from protocols.uhp.lines import Line
from protocols.uhp.requests import BestMove, Depth, MoveTime, Request
from protocols.uhp.viewer import EngineGone, RequestStarted, TimeIsUp, Viewer, ViewerState

REPLY_SECONDS = 10.0
"""Time limit for every answer other than a move."""


class EngineFailed(Exception):
    """The engine did not do what it was asked to do; the text is a sentence."""

    def __init__(self, failed: RequestFailed) -> None:
        super().__init__(failed.text)
        self.failed = failed


class AskedEngine:
    """One engine. ``send`` writes a line to it. All methods that ask something raise EngineFailed."""

    def __init__(self, send: Callable[[str], Awaitable[None]]) -> None:
        self._send = send
        self._viewer = Viewer()
        self._viewer.start()
        self._answer: asyncio.Future[Effect] = asyncio.get_running_loop().create_future()
        """The end of the current request. The first one is the banner, which nobody asks for."""
        self.failure: RequestFailed | None = None
        """How the engine has failed while nothing was asked."""

    @property
    def is_asked(self) -> bool:
        """Whether a request is unanswered."""
        return self._viewer.state is ViewerState.ASKED

    # ---- what the engine writes ------------------------------------------------------------------

    def receive(self, line: Line) -> None:
        """Handles a line of the engine."""
        self._take(self._viewer.receive(line))

    def lose(self, ending: str) -> None:
        """Called when the engine has closed its output; ``ending`` says how, if that is known."""
        self._take(self._viewer.notify(EngineGone(ending)))

    def _take(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            if not self._answer.done():
                self._answer.set_result(effect)
            elif isinstance(effect, RequestFailed):
                self.failure = effect

    # ---- what it is asked ------------------------------------------------------------------------

    async def read_banner(self, seconds: float) -> Identity:
        """Reads the banner."""
        await self._complete((), seconds)
        return self._viewer.identity

    async def ask(self, request: Request, seconds: float | None) -> Effect:
        """Sends a request and returns the effect that ends it."""
        if self.failure is not None:
            raise EngineFailed(self.failure)
        effects = self._viewer.ask(request)
        self._answer = asyncio.get_running_loop().create_future()
        return await self._complete(effects, seconds)

    async def go_to(self, position: Position) -> None:
        """Brings the engine to this position. Raises BadGameString if it has no GameString."""
        while (step := self._viewer.step_to(position)) is not None:
            await self.ask(step, REPLY_SECONDS)

    async def best_move(self, limit: MoveTime | Depth, seconds: float | None) -> Chosen:
        """The engine's move in its current position, within ``seconds``; None: whenever it comes."""
        chosen = await self.ask(BestMove(limit), seconds)
        if not isinstance(chosen, Chosen):
            raise TypeError(f"a search ended with {type(chosen).__name__}")
        return chosen

    async def _complete(self, effects: Iterable[Effect], seconds: float | None) -> Effect:
        try:
            async with asyncio.timeout(seconds):
                for effect in effects:
                    match effect:
                        case Send(text=text):
                            await self._send(text)
                        case RequestStarted():
                            pass
                        case _:
                            raise TypeError(f"a viewer asks for {type(effect).__name__}")
                end = await self._answer
        except TimeoutError:
            (end,) = self._viewer.notify(TimeIsUp())
        if isinstance(end, RequestFailed):
            raise EngineFailed(end)
        return end
