"""Drives one session over one wire: lines and events in, answers out, and work of the session's role beside it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final

from protocols.session import (
    MAX_BAD_MESSAGES,
    POLICY_VIOLATION,
    Close,
    Effect,
    Event,
    Log,
    Send,
    Session,
)
from protocols.uhp.remote.words import LineLost
from server.services.uhp.wire import Wire

log = logging.getLogger(__name__)

INTERNAL: Final = 1011
Do = Callable[[Effect], Awaitable[Sequence[Event]]]
"""Carries out an effect of the session's own role; the events that follow from it are told to the session."""


class Pump:
    """One session."""

    def __init__(
        self, wire: Wire, session: Session, do: Do, is_asked: Callable[[], bool] = lambda: False
    ) -> None:
        """``is_asked``: whether the peer's next line answers something that we have asked."""
        self._wire = wire
        self._session = session
        self._do = do
        self._is_asked = is_asked
        self._bad_messages = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self.is_closed = False
        """Whether the session has ended the connection."""

    async def run(self, first: Sequence[Effect]) -> None:
        """Carries out the first effects, then what follows from the peer's lines, until the peer is gone."""
        try:
            await self.carry_out(first)
            await self._read()
        finally:
            for task in tuple(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Does some work beside reading. It ends with the connection; a defect in it ends the connection."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    async def tell(self, event: Event) -> None:
        """Tells the session something."""
        if not self.is_closed:
            await self.carry_out(self._session.notify(event))

    async def carry_out(self, effects: Sequence[Effect]) -> None:
        """Carries out effects in their order, and what follows from them."""
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
        if error is not None:
            log.error("a UHP connection failed", exc_info=error)
            self.is_closed = True
            self._wire.close(INTERNAL, "internal error")
