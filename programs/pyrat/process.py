"""One process of a PyRat bot, with the session that drives it: sends its lines, reads the bot's, and keeps time limits.

``program`` decides what to ask, and starts another process if one hangs.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from programs.child_process import ChildEndpoint, LineQueue
from programs.seat_programs import BROKEN, GONE, LATE, ProgramFailed
from protocols.pyrat.text import host
from protocols.pyrat.text.board import BotTimes
from protocols.pyrat.text.lines import BadLine
from protocols.session import Effect, Log, Send
from protocols.uhp.lines import Line, LineTooLong

GREETING_SECONDS = 30.0
"""The protocol has no limit for the handshake; some bots load a runtime first."""

READING_SECONDS = 10.0
"""How long a full pipe may keep a line from the bot. Only boards are longer than a pipe."""

REASONS = {host.Cause.EXITED: GONE, host.Cause.FLOOD: BROKEN, host.Cause.SILENT: LATE}


@dataclass(frozen=True, slots=True)
class PyratSetup:
    """How to start a bot: its command, the options to set, its times; ``log`` is called with lines for the operator."""

    text: str
    words: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    times: BotTimes
    log: Callable[[str], None]


class PyratProcess:
    """A running bot. The driver calls a method of ``host`` and passes its effects to ``complete``."""

    def __init__(self, setup: PyratSetup, child: ChildEndpoint) -> None:
        self.host = host.BotHost()
        self._setup = setup
        self._child = child
        self._output = LineQueue(child)

    @classmethod
    async def start(cls, setup: PyratSetup) -> "PyratProcess":
        """Starts a process, up to the end of the handshake, and sets its options. Raises OSError or ProgramFailed."""
        child = await ChildEndpoint.start(setup.words, None, lambda line: setup.log(f"{setup.text}: {line}"))
        process = cls(setup, child)
        try:
            await process.complete(process.host.greet(), GREETING_SECONDS)
            await process.set_options(setup.options)
        except BaseException:
            await process.kill()
            raise
        return process

    async def set_options(self, options: Sequence[tuple[str, str]]) -> None:
        """Sets options. Raises ProgramFailed if the bot does not have them."""
        try:
            await self._carry_out(self.host.set_options(options))
        except BadLine as error:
            raise ProgramFailed(BROKEN, f"{self._setup.text}: {error}") from None

    async def complete(self, effects: list[Effect], *limits: float) -> Effect:
        """Carries out effects until the request has ended; returns the effect that ends it.

        ``limits``: seconds until the session is first told that time is up, until the next time, and so on.
        Raises ProgramFailed.
        """
        loop, left = asyncio.get_running_loop(), list(limits)
        end = await self._carry_out(effects)
        deadline = loop.time() + left.pop(0) if left else 0.0
        while end is None:
            try:
                async with asyncio.timeout_at(deadline):
                    line = await self._output.arrived.get()
            except TimeoutError:
                end = await self._carry_out(self.host.notify(host.TimeUp()))
                deadline = loop.time() + (left.pop(0) if left else 0.0)
            else:
                end = await self._carry_out(self._hand_over(line))
        return end

    async def kill(self) -> None:
        """Closes the bot's input, and kills its process group if it does not exit by itself."""
        await self._output.close()

    def _hand_over(self, line: Line | None) -> list[Effect]:
        if line is None:
            return self.host.notify(host.BotExited(self._output.ending))
        return (
            self.host.notify(host.OverlongLine())
            if isinstance(line, LineTooLong)
            else self.host.receive(line)
        )

    async def _carry_out(self, effects: list[Effect]) -> Effect | None:
        """Carries out effects; returns the one that ends a request, if there is one. Raises ProgramFailed."""
        end: Effect | None = None
        for effect in effects:
            match effect:
                case Send(text=text):
                    await self._send(text)
                case Log(text=text):
                    self._setup.log(f"{self._setup.text}: {text}")
                case host.Information(words=("string", *words)):
                    self._setup.log(f"{self._setup.text}: {' '.join(words)}")
                case host.Information():
                    pass
                case host.TextBotFailed(cause=cause, text=text):
                    raise ProgramFailed(REASONS[cause], f"{self._setup.text} {text}.")
                case _:
                    end = effect
        return end

    async def _send(self, text: str) -> None:
        """Raises ProgramFailed if the bot does not read its input, so that the pipe is full."""
        try:
            async with asyncio.timeout(READING_SECONDS):
                await self._child.send(text)
        except TimeoutError:
            raise ProgramFailed(LATE, f"{self._setup.text} does not read its input.") from None
