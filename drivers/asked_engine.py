"""A UHP engine that is asked one request at a time: gives ``protocols.uhp.viewer`` its lines and awaits the answers.

For engines that have connected to the server (``server.services.uhp.engine_lines``), and those that run in processes
(``programs.uhp.driven_engine``). Belongs to one event loop.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from engines import Position
from protocols.uhp.answers import Chosen, Done, EngineFailed, Identity, Outcome
from protocols.uhp.lines import Line
from protocols.uhp.requests import BestMove, Depth, MoveTime, Request
from protocols.uhp.viewer import Viewer, ViewerState

REPLY_SECONDS = 10.0
"""Time limit for every answer other than a move."""


class AskedEngine:
    """One engine. ``send`` writes a line to it. All methods that ask something raise EngineFailed."""

    def __init__(self, send: Callable[[str], Awaitable[None]]) -> None:
        self._send = send
        self._viewer = Viewer()
        self._outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        """The end of the current request. The first one is the banner, which nobody asks for."""
        self.failure: EngineFailed | None = None
        """How the engine has failed while nothing was asked."""

    @property
    def is_asked(self) -> bool:
        """Whether a request is unanswered."""
        return self._viewer.state is ViewerState.ASKED

    @property
    def is_over(self) -> bool:
        """Whether the engine cannot be asked any more: it has ended, did not answer in time, or wrote too much."""
        return self._viewer.state is ViewerState.OVER

    # ---- what the engine writes ------------------------------------------------------------------

    def receive(self, line: Line) -> None:
        """Handles a line of the engine."""
        self._take(self._viewer.receive(line))

    def lose(self, ending: str) -> None:
        """Called when the engine has closed its output; ``ending`` says how, if that is known."""
        self._take(self._viewer.lose(ending))

    def _take(self, outcome: Outcome | None) -> None:
        if outcome is not None and not self._outcome.done():
            self._outcome.set_result(outcome)
        elif isinstance(outcome, EngineFailed):
            self.failure = outcome

    # ---- what it is asked ------------------------------------------------------------------------

    async def read_banner(self, seconds: float) -> Identity:
        """Reads the banner."""
        await self._complete(None, seconds)
        return self._viewer.identity

    async def ask(self, request: Request, seconds: float | None) -> Done | Chosen:
        """Sends a request and returns its outcome."""
        if self.failure is not None:
            raise self.failure
        line = self._viewer.ask(request)
        self._outcome = asyncio.get_running_loop().create_future()
        return await self._complete(line, seconds)

    async def go_to(self, position: Position, seconds: float | None = None) -> None:
        """Brings the engine to this position, each step within ``seconds``; None: the limit for every answer.

        Raises BadGameString if it has no GameString.
        """
        while (step := self._viewer.step_to(position)) is not None:
            await self.ask(step, REPLY_SECONDS if seconds is None else seconds)

    async def best_move(self, limit: MoveTime | Depth, seconds: float | None) -> str:
        """The engine's move in its current position, within ``seconds``; None: whenever it comes."""
        chosen = await self.ask(BestMove(limit), seconds)
        if not isinstance(chosen, Chosen):
            raise TypeError(f"a search ended with {type(chosen).__name__}")
        return chosen.move

    async def _complete(self, line: str | None, seconds: float | None) -> Done | Chosen:
        """Sends the line and returns the outcome. An outcome that is known when the time is up still counts."""
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    if line is not None:
                        await self._send(line)
                    await asyncio.wait(
                        [self._outcome]
                    )  # At the time limit, this leaves the outcome as it is.
            outcome = self._outcome.result() if self._outcome.done() else self._viewer.time_is_up()
        finally:
            self._outcome.cancel()
        if isinstance(outcome, EngineFailed):
            raise outcome
        return outcome
