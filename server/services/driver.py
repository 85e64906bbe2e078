"""Drives a session over a connection: passes frames and events in, and carries out effects.

A session is pure and knows no sockets. Sending, closing and logging are the same for all sessions; ``do`` carries out
the effects of the session's own protocol.
"""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any, Final

from protocols.session import (
    MAX_BAD_MESSAGES,
    POLICY_VIOLATION,
    Close,
    Effect,
    Event,
    FrameLost,
    Log,
    Send,
    Session,
)
from server.ports.connection import Connection
from server.services.cluster.bus import OverrunError
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

INTERNAL: Final = 1011
TRY_AGAIN_LATER: Final = 1013

Stream = AsyncGenerator[Event, None]
Do = Callable[[Effect], Awaitable[Sequence[Event] | Stream]]
"""Carries out an effect and returns the resulting events, which are passed to the session: a sequence at once, a stream
as they come, while the driver goes on. The connection's end closes streams."""


async def no_effects(effect: Effect) -> Sequence[Event]:
    """For sessions without effects of their own."""
    raise TypeError(f"a session asks for {type(effect).__name__}")


class Driver:
    """One session."""

    def __init__(self, connection: Connection, session: Session, do: Do) -> None:
        self._connection = connection
        self._session = session
        self._do = do
        self._lost = 0
        """How many frames could not be read."""
        self._tasks = Tasks()
        self._is_closed = False
        """Whether the session has closed the connection."""

    async def run(self, first: Sequence[Effect] = ()) -> None:
        """Carries out the first effects and then those of the peer's frames, until the peer has gone."""
        try:
            await self.carry_out(first)
            async for frame in self._connection.frames:
                if not self._is_closed:
                    await self.carry_out(self._receive(frame))
        finally:
            await self._tasks.stop()

    def spawn(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Starts a task that does ``work``. The connection's end cancels it; an exception in it closes the connection.

        OverrunError: the peer reads too slowly to be told everything.
        """
        self._tasks.start(self._guard(work))

    async def tell(self, event: Event) -> None:
        """Passes an event to the session."""
        if not self._is_closed:
            await self.carry_out(self._session.notify(event))

    async def carry_out(self, effects: Sequence[Effect]) -> None:
        """Carries out effects in order, including those of the resulting events."""
        for effect in effects:
            match effect:
                case Send(text=text):
                    self._connection.send(text)
                case Close(code=code, reason=reason):
                    self._is_closed = True
                    self._connection.close(code, reason)
                case Log(text=text):
                    log.info("%s", text)
                case _:
                    events = await self._do(effect)
                    if isinstance(events, AsyncGenerator):
                        self.spawn(partial(self._tell_all, events))
                    else:
                        for event in events:
                            await self.tell(event)

    async def _tell_all(self, events: Stream) -> None:
        async with aclosing(events):
            async for event in events:
                await self.tell(event)

    def _receive(self, frame: str | FrameLost) -> list[Effect]:
        if isinstance(frame, str):
            return self._session.receive(frame)
        self._lost += 1
        if self._lost >= MAX_BAD_MESSAGES:
            return [Close(POLICY_VIOLATION, "Too many unexpected messages")]
        return self._session.notify(frame)

    async def _guard(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await work()
        except OverrunError:
            self._connection.close(TRY_AGAIN_LATER, "too slow")
        except Exception:
            log.exception("a connection failed")
            self._is_closed = True
            self._connection.close(INTERNAL, "internal error")
