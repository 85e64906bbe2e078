"""Makes an AI that reads one GameString per line and writes one MoveString per line into a UHP engine.

The AI is sent nothing else; closing its input ends it. Our own engine session provides the rules, the game and all
commands except ``bestmove``.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence

from programs.child_process import ChildEndpoint
from protocols.session import Effect, Event, Send
from protocols.uhp.engine import Product, UhpEngineSession
from protocols.uhp.engine_options import engine_options
from protocols.uhp.engine_work import CountLeaves, FindMove, Found, Quit, StopWork, WorkFailed
from protocols.uhp.game_string import write
from protocols.uhp.lines import LineTooLong

log = logging.getLogger(__name__)


class SimpleEndpoint:
    """An engine session with the AI behind it. ``lines`` are its answers, ``send`` takes commands."""

    def __init__(self, name: str, ai: ChildEndpoint) -> None:
        self._session = UhpEngineSession(Product(name, ()), engine_options(1))
        self._ai = ai
        self._ai_lines = ai.lines()
        self._answers: asyncio.Queue[str | None] = asyncio.Queue()

    @classmethod
    async def start(cls, words: Sequence[str]) -> "SimpleEndpoint":
        """Starts the AI. Raises OSError."""
        end = cls(words[0].rpartition("/")[2], await ChildEndpoint.start(words, farewell=None))
        await end._carry_out(end._session.start())
        return end

    async def lines(self) -> AsyncIterator[str]:
        """The answers, until the AI has exited."""
        while (line := await self._answers.get()) is not None:
            yield line

    async def send(self, text: str) -> None:
        """Executes commands; waits for a best move."""
        for line in text.split("\n"):
            await self._carry_out(self._session.receive(line))

    async def ending(self) -> str:
        """How the AI has ended."""
        return await self._ai.ending()

    async def close(self) -> None:
        """Terminates the AI."""
        await self._ai.close()

    async def _carry_out(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(text=text):
                    self._answers.put_nowait(text)
                case FindMove():
                    await self._carry_out(self._session.notify(await self._ask(effect)))
                case CountLeaves():
                    refusal = WorkFailed("this engine does not support perft")
                    await self._carry_out(self._session.notify(refusal))
                case Quit() | StopWork():
                    self._answers.put_nowait(None)
                case _:
                    raise TypeError(f"an engine session asks for {type(effect).__name__}")

    async def _ask(self, wanted: FindMove) -> Event:
        """The AI's answer: its first non-empty line."""
        await self._ai.send(write(wanted.position))
        async for line in self._ai_lines:
            if isinstance(line, LineTooLong):
                return WorkFailed(str(line))
            if line.strip():
                return Found(line.strip())
        self._answers.put_nowait(None)
        return WorkFailed("the AI has ended")
