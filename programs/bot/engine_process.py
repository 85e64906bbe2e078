"""An engine that speaks JSON lines, as a child process that is restarted when it exits.

It is ready once it has answered the requests of a trial game.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from programs.child_process import ChildEndpoint
from protocols.bgs import messages as bgs
from protocols.bgs.codec import BadFieldsError, decode_response, encode
from protocols.bgs.trial import TRIAL_ID, trial_requests
from protocols.reconnecting import Pauses
from protocols.session import RemoteError
from protocols.uhp.lines import Line, LineTooLong

log = logging.getLogger(__name__)

MAX_LINE_BYTES = 1 << 20
"""Longer lines are dropped; the session has a lower limit."""

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0
"""Seconds before restarting an engine that exited, doubled each time that it exits soon after it was ready."""

SOON_SECONDS = 60.0


class EngineUser(Protocol):
    """Who is told what an engine does. ``bot_id`` is its bot."""

    def take_line(self, bot_id: str, line: str) -> None:
        """It has written a line to its stdout."""

    def use_engine(self, bot_id: str) -> None:
        """It has answered the trial game."""

    def lose_engine(self, bot_id: str) -> None:
        """It has exited."""


class EngineProcess:
    """The engine of one bot. It has ``ready_seconds`` to answer its trial game, or is started again."""

    def __init__(
        self, bot: bgs.BotEntry, command: Sequence[str], ready_seconds: float, user: EngineUser
    ) -> None:
        self._bot = bot
        self._name = f"engine of {bot.bot_id}"
        self._command = command
        self._ready_seconds = ready_seconds
        self._user = user
        self._process: ChildEndpoint | None = None

    async def start(self) -> None:
        """Starts the process. OSError if that fails."""
        self._process = await ChildEndpoint.start(self._command, farewell=None, most=MAX_LINE_BYTES)
        log.info("%s: started, process %d", self._name, self._process.pid)

    def write(self, line: str) -> None:
        """Writes a line. An engine that has exited gets none."""
        if self._process is not None:
            self._process.write(line)

    async def keep(self) -> None:
        """Reads the engine's output and restarts it whenever it exits, until cancelled."""
        loop = asyncio.get_running_loop()
        pauses = Pauses(FIRST_PAUSE, LONGEST_PAUSE)
        while True:
            ready_at = None if self._process is None else await self._run(self._process)
            self._user.lose_engine(self._bot.bot_id)
            if ready_at is not None and loop.time() - ready_at > SOON_SECONDS:
                pauses.restart()
            pause = pauses.next()
            log.info("%s: restarting in %.1f s", self._name, pause)
            await asyncio.sleep(pause)
            try:
                await self.start()
            except OSError as error:
                log.warning("%s: %s", self._name, error)

    async def stop(self) -> None:
        """Stops the engine: closes its input, and kills it if it does not exit."""
        process, self._process = self._process, None
        if process is not None:
            await process.close()

    async def _run(self, process: ChildEndpoint) -> float | None:
        """Uses the engine until it exits, or fails its trial game. Returns when it was ready, in the loop's time."""
        lines, ready_at = process.lines(), None
        try:
            async with asyncio.timeout(self._ready_seconds):
                is_ready = await self._try(lines)
        except TimeoutError:
            log.warning("%s: has not answered a trial game within %g s", self._name, self._ready_seconds)
        else:
            if is_ready:
                ready_at = asyncio.get_running_loop().time()
                self._user.use_engine(self._bot.bot_id)
                async for line in lines:
                    self._pass_on(line)
            log.warning("%s: exited (%s)", self._name, await process.ending())
        await self.stop()
        return ready_at

    async def _try(self, lines: AsyncIterator[Line]) -> bool:
        """Plays the trial game; returns False if the engine exits meanwhile."""
        log.info("%s: waiting for the answers to a trial game", self._name)
        for request in trial_requests(self._bot):
            self.write(encode(request))
            answer = await self._answer(lines)
            if answer is None:
                return False
            if answer and not isinstance(request, bgs.EndGameSession):
                log.warning("%s: refuses a trial game: %s", self._name, answer)
                break
        log.info("%s: ready", self._name)
        return True

    async def _answer(self, lines: AsyncIterator[Line]) -> str | None:
        """Waits for an answer about the trial game. Returns its error, if it has one; None if the engine exits."""
        async for line in lines:
            try:
                answer = decode_response("" if isinstance(line, LineTooLong) else line)
            except BadFieldsError as error:
                return str(error)
            except RemoteError:
                continue
            if answer.bgs_id == TRIAL_ID:
                return "" if answer.success else answer.error or "without a reason"
        return None

    def _pass_on(self, line: Line) -> None:
        if isinstance(line, LineTooLong):
            log.warning("%s: dropped a line that is too long", self._name)
        else:
            self._user.take_line(self._bot.bot_id, line)
