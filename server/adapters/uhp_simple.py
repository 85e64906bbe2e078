"""An AI that reads one GameString a line and writes one MoveString a line, as a UHP engine.

It is sent nothing else; when it is let go, its input ends. The rules, the game and every other command are those of
our own engine session; only best moves are the AI's.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence

from protocols.session import Effect, Event, Send
from protocols.uhp.engine import EngineSession, Product
from protocols.uhp.engine_options import engine_options
from protocols.uhp.engine_work import CountLeaves, FindMove, Found, Quit, StopWork, WorkFailed
from protocols.uhp.game_string import write
from protocols.uhp.lines import LineTooLong
from server.adapters.uhp_ends import ChildEnd

log = logging.getLogger(__name__)


class SimpleEnd:
    """The AI behind an engine session. Its ``lines`` are answers, what is sent to it are commands."""

    def __init__(self, name: str, ai: ChildEnd) -> None:
        self._session = EngineSession(Product(name, ()), engine_options(1))
        self._ai = ai
        self._ai_lines = ai.lines()
        self._answers: asyncio.Queue[str | None] = asyncio.Queue()

    @classmethod
    async def start(cls, words: Sequence[str]) -> "SimpleEnd":
        """Starts the AI. OSError."""
        end = cls(words[0].rpartition("/")[2], await ChildEnd.start(words, farewell=None))
        await end._carry_out(end._session.start())
        return end

    async def lines(self) -> AsyncIterator[str]:
        """The answers, until the AI is gone."""
        while (line := await self._answers.get()) is not None:
            yield line

    async def send(self, text: str) -> None:
        """Takes commands; a best move is waited for."""
        for line in text.split("\n"):
            await self._carry_out(self._session.receive(line))

    async def close(self) -> None:
        """Lets the AI go."""
        await self._ai.close()

    async def _carry_out(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(text=text):
                    self._answers.put_nowait(text)
                case FindMove():
                    await self._carry_out(self._session.notify(await self._ask(effect)))
                case CountLeaves():
                    refusal = WorkFailed("this engine counts nothing")
                    await self._carry_out(self._session.notify(refusal))
                case Quit() | StopWork():
                    self._answers.put_nowait(None)
                case _:
                    raise TypeError(f"an engine session asks for {type(effect).__name__}")

    async def _ask(self, wanted: FindMove) -> Event:
        """The AI's answer: the first line that is not empty."""
        await self._ai.send(write(wanted.position))
        async for line in self._ai_lines:
            if isinstance(line, LineTooLong):
                return WorkFailed(str(line))
            if line.strip():
                return Found(line.strip())
        self._answers.put_nowait(None)
        return WorkFailed("the AI has ended")
