"""The events that wait for one reader. A reader that is too slow, or gives way to another one, is told why."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

from server.services.client_events.client_event import ClientEvent, StreamClosed
from server.services.reader_queue import ReaderQueue

log = logging.getLogger(__name__)

MOST_WAITING: Final = 256
"""How many events may wait for a reader."""

KEEP_ALIVE_SECONDS: Final = 5.0
"""How long a reader hears nothing at most."""

LAST_SECONDS: Final = 10.0
"""How long a reader may take to read to the end once its stream is ended, before its connection is cut."""

TOO_SLOW: Final = f"{MOST_WAITING} events waited for you: read faster, and connect again"


class EventStream:
    """One reader, which first gets ``known``. ``cut`` ends its connection at once."""

    def __init__(
        self,
        known: Sequence[ClientEvent],
        address: str | None,
        cut: Callable[[], None],
        keep_alive: float = KEEP_ALIVE_SECONDS,
    ) -> None:
        self.address = address
        self._known = known
        self._cut = cut
        self._keep_alive = keep_alive
        self._waiting = ReaderQueue[ClientEvent]()
        self._cutting: asyncio.TimerHandle | None = None

    @property
    def is_ended(self) -> bool:
        """Whether nothing more is added."""
        return self._cutting is not None

    def offer(self, event: ClientEvent) -> None:
        """Adds an event; ends the stream instead if too many wait."""
        if self.is_ended:
            return
        if self._waiting.qsize() >= MOST_WAITING:
            self.end(StreamClosed(event.at, TOO_SLOW))
        else:
            self._waiting.put_nowait(event)

    def end(self, last: StreamClosed) -> None:
        """Adds the last event. The reader has ``LAST_SECONDS`` to read it."""
        if not self.is_ended:
            self._waiting.put_nowait(last)
            self._cutting = asyncio.get_running_loop().call_later(LAST_SECONDS, self._give_up)

    def release(self) -> None:
        """Called when the reader has read everything, or has left."""
        if self._cutting is not None:
            self._cutting.cancel()

    def _give_up(self) -> None:
        log.info("closing an event stream: its client has not read it to the end")
        self._cut()

    async def events(self) -> AsyncIterator[ClientEvent | None]:
        """Yields the events up to the last one; None whenever there was none for a while, and at the beginning."""
        yield None
        for event in self._known:
            yield event
        self._known = ()
        while True:
            try:
                async with asyncio.timeout(self._keep_alive):
                    event = await self._waiting.get()
            except TimeoutError:
                yield None
                continue
            yield event
            if isinstance(event, StreamClosed):
                return
