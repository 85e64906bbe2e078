"""Drives a session over a connection: passes lines and events in, carries out effects, and runs the role's tasks."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final

from protocols.session import MAX_BAD_MESSAGES, POLICY_VIOLATION, Close, Effect, Event, Log, Send, Session
from protocols.uhp.remote.effects import LineLost
from server.services.cluster.bus import OverrunError
from server.services.uhp.wire import Wire

log = logging.getLogger(__name__)

INTERNAL: Final = 1011
TRY_AGAIN_LATER: Final = 1013
Do = Callable[[Effect], Awaitable[Sequence[Event]]]
"""Carries out an effect of the role and returns the resulting events, which are passed to the session."""


async def no_effects(effect: Effect) -> Sequence[Event]:
    """For sessions without effects of their own."""
    raise TypeError(f"a session asks for {type(effect).__name__}")


class LineDriver:
    """One session."""

    def __init__(
        self, wire: Wire, session: Session, do: Do = no_effects, is_asked: Callable[[], bool] = lambda: False
    ) -> None:
        """``is_asked``: whether the peer's next line answers a request of ours."""
        self._wire = wire
        self._session = session
        self._do = do
        self._is_asked = is_asked
        self._bad_messages = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self.is_closed = False
        """Whether the session has closed the connection."""

    async def run(self, first: Sequence[Effect]) -> None:
        """Carries out the first effects and then the effects of the peer's lines, until the peer has gone."""
        try:
            await self.carry_out(first)
            await self._read()
        finally:
            for task in tuple(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Starts a task. The connection's end cancels it; an exception in it closes the connection.

        OverrunError: the peer reads too slowly to be told everything.
        """
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    async def tell(self, event: Event) -> None:
        """Passes an event to the session."""
        if not self.is_closed:
            await self.carry_out(self._session.notify(event))

    async def carry_out(self, effects: Sequence[Effect]) -> None:
        """Carries out effects in order, including those of the resulting events."""
        for effect in effects:
            match effect:
                case Send(text=text):
                    self._wire.send(text)
                case Close(code=code, reason=reason):
                    self.is_closed = True
                    self._wire.close(code, reason)
                case Log(text=text):
                    log.info("%s", text)
                case _:
                    for event in await self._do(effect):
                        await self.tell(event)

    async def _read(self) -> None:
        async for line in self._wire.lines:
            if self.is_closed:
                continue
            if self._is_asked():
                self._wire.give_back()
            if isinstance(line, LineLost):
                await self._take_bad(line)
            else:
                await self.carry_out(self._session.receive(line))

    async def _take_bad(self, lost: LineLost) -> None:
        self._bad_messages += 1
        if self._bad_messages >= MAX_BAD_MESSAGES:
            await self.carry_out([Close(POLICY_VIOLATION, "Too many unexpected messages")])
        else:
            await self.tell(lost)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, OverrunError):
            self._wire.close(TRY_AGAIN_LATER, "too slow")
        elif error is not None:
            log.error("a UHP connection failed", exc_info=error)
            self.is_closed = True
            self._wire.close(INTERNAL, "internal error")
