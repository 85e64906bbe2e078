"""A UHP engine, or the bridge, on our stdio: one line after another is answered.

Work is done in a thread, so that interrupts are handled at once, and a reader that goes away is detected.
"""

import asyncio
import logging
import time
from typing import Protocol

from programs.stdio import StdioDriver, StdioSession
from programs.uhp.engine_search import UhpSearch, Work
from protocols.session import Effect, Event
from protocols.uhp.engine_work import CountLeaves, FindMove, Interrupted, StopWork
from protocols.uhp.lines import Line, LineTooLong, read_command

log = logging.getLogger(__name__)

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


class AnsweringSession(StdioSession, Protocol):
    """A session that answers a viewer, some of whose commands need work: an engine, or the bridge."""

    def start(self) -> list[Effect]:
        """Returns the banner."""
        ...

    def receive(self, frame: Line, /) -> list[Effect]:
        """Handles one line from the viewer."""
        ...


class UhpStdio(StdioDriver[Event]):
    """One session; ``run`` returns the exit status. A longer line than ``most`` bytes is refused."""

    def __init__(self, session: AnsweringSession, most: int = MAX_INPUT_BYTES) -> None:
        super().__init__(session, log.info, most)
        self._answering = session
        self._search = UhpSearch()
        self._worked_at = -LATE_SECONDS

    async def run(self) -> int:
        """Runs until the session quits, or the reader of the output has gone."""
        try:
            await self._carry_out(self._answering.start())
            return await super().run()
        except BrokenPipeError:
            return 0
        finally:
            self._search.stop()  # Exiting while native code is running would crash.

    def interrupt(self) -> None:
        """Handles an interrupt by the user; called from a signal handler of the event loop."""
        if self._session.is_busy:
            self._search.stop()
        else:
            asyncio.get_running_loop().call_later(EARLY_SECONDS, self._interrupt_later)

    def _interrupt_later(self) -> None:
        """Handles an interrupt that came while no work was in progress: before a command, after an answer, or idle."""
        if self._session.is_busy:
            self._search.stop()
        elif time.monotonic() - self._worked_at > LATE_SECONDS:
            self._stdio.post(Interrupted())

    def _take(self, received: Line | Event | None) -> list[Effect]:
        if not isinstance(received, str | LineTooLong):
            return super()._take(received)
        if _is_work(received):
            self._worked_at = time.monotonic()
        return self._answering.receive(received)

    async def _do(self, effect: Effect) -> None:
        match effect:
            case FindMove() | CountLeaves():
                await self._begin(effect)
            case StopWork():
                self._search.stop()
            case _:
                await super()._do(effect)

    async def _begin(self, work: Work) -> None:
        """Starts the work, or does it: an engine reads no further line before it has answered."""
        await self._carry_out(self._session.notify(await self._work(work)))

    async def _work(self, work: Work) -> Event:
        """Does the work in a thread. Raises BrokenPipeError if nobody reads our output any more."""
        doing = self._search.start(work)
        while not (await asyncio.wait([doing], timeout=CHECK_SECONDS))[0]:
            if self._stdio.is_unread():
                raise BrokenPipeError
        self._worked_at = time.monotonic()
        return doing.result()


def _is_work(line: Line) -> bool:
    command = None if isinstance(line, LineTooLong) else read_command(line)
    return command is not None and command.keyword in WORK
