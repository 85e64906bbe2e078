"""A UHP engine on our stdio: one line after another is answered.

Work is done in a thread, so that interrupts are handled at once, and a reader that goes away is detected.
"""

import asyncio
import os
import sys
import time
from typing import Never

from protocols.session import Effect, Event, Send
from protocols.uhp.engine import UhpEngineSession
from protocols.uhp.engine_work import CountLeaves, FindMove, Interrupted, Quit
from protocols.uhp.lines import Line, LineTooLong, read_command
from server.adapters.line_endpoints import StdioEndpoint
from server.adapters.uhp_engine_search import UhpSearch, Work

MAX_INPUT_BYTES = 1 << 20
"""Maximum length of a line. Games have no ply limit here, and viewers may send back what we wrote."""

CHECK_SECONDS = 1.0
"""Interval of checks, during a long search, whether the output is still being read."""

LATE_SECONDS = 1.0
"""An interrupt this soon after an answer was meant for the work, not for the process."""

EARLY_SECONDS = 0.1
"""An interrupt may be meant for a command that arrives this much later."""

WORK = ("bestmove", "perft")
"""Commands that an interrupt may be meant for. A forced move is answered without any work."""


class UhpStdio:
    """The engine; ``run`` returns the exit status."""

    def __init__(self, session: UhpEngineSession) -> None:
        self._session = session
        self._stdio = StdioEndpoint[Never](MAX_INPUT_BYTES)
        self._search = UhpSearch()
        self._worked_at = -LATE_SECONDS
        self._status: int | None = None
        self._answering: asyncio.Task[None] | None = None

    async def run(self) -> int:
        """Answers commands until the end of the input, ``exit``, an interrupt, or the end of the output's reader."""
        self._answering = asyncio.ensure_future(self._answer_all())
        try:
            await asyncio.wait([self._answering])
            if not self._answering.cancelled():
                self._answering.result()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        finally:
            self._search.stop()  # Exiting while native code is running would crash.
        return self._status or 0

    def interrupt(self) -> None:
        """Handles an interrupt by the user; called from a signal handler of the event loop."""
        if self._session.is_busy:
            self._search.stop()
        else:
            asyncio.get_running_loop().call_later(EARLY_SECONDS, self._interrupt_later)

    def _interrupt_later(self) -> None:
        """Handles an interrupt that came while no work was in progress: before a command, after an answer, or idle."""
        if self._session.is_busy:
            self.interrupt()
        elif time.monotonic() - self._worked_at > LATE_SECONDS and self._answering is not None:
            for effect in self._session.notify(Interrupted()):
                if isinstance(effect, Quit):
                    self._status = effect.status
            self._answering.cancel()

    async def _answer_all(self) -> None:
        work = await self._carry_out(self._session.start())
        async for line in self._stdio.lines():
            if _is_work(line):
                self._worked_at = time.monotonic()
            work = await self._carry_out(self._session.receive(line))
            while work is not None:
                work = await self._carry_out(self._session.notify(await self._do(work)))
            if self._status is not None:
                return

    async def _do(self, work: Work) -> Event:
        """Does the work in a thread. Raises BrokenPipeError if nobody reads our output any more."""
        doing = self._search.start(work)
        while not (await asyncio.wait([doing], timeout=CHECK_SECONDS))[0]:
            if self._stdio.is_unread():
                raise BrokenPipeError
        self._worked_at = time.monotonic()
        return doing.result()

    async def _carry_out(self, effects: list[Effect]) -> Work | None:
        """Carries out effects; returns the work to do, if any."""
        work: Work | None = None
        for effect in effects:
            match effect:
                case Send(text=text):
                    await self._stdio.send(text)
                case FindMove() | CountLeaves():
                    work = effect
                case Quit(status=status):
                    self._status = status
                case _:
                    raise TypeError(f"an engine session asks for {type(effect).__name__}")
        return work


def _is_work(line: Line) -> bool:
    command = None if isinstance(line, LineTooLong) else read_command(line)
    return command is not None and command.keyword in WORK
