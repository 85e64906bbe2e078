"""Following a topic of the bus for as long as the server runs: what was missed is read anew.

Every service that follows the games does it like this. Whoever follows a topic for a while, such as a socket,
subscribes to the bus and gives up when it misses something.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

from server.domain.errors import ApiError, Code
from server.ports import Bus, OverrunError, Wants, everything

log = logging.getLogger(__name__)

WAITING_MESSAGES = 10_000
"""Messages that may wait for a service."""

RETRY_SECONDS = 1.0
"""When the store could not be read, it is tried again after this time."""


class Followed:
    """The messages of a topic that are wanted, followed from the construction on."""

    def __init__(self, bus: Bus, topic: str, wants: Wants = everything) -> None:
        self._bus = bus
        self._topic = topic
        self._wants = wants
        self._told = bus.subscribe(topic, WAITING_MESSAGES, wants)

    async def messages(self, read_again: Callable[[], Awaitable[None]]) -> AsyncGenerator[Any, None]:
        """Every message, without end. When some were missed, everything is read again before the next one."""
        while True:
            try:
                async for message in self._told:
                    yield message
            except OverrunError:
                log.warning("messages about %s were missed: everything is read again", self._topic)
                self._told = self._bus.subscribe(self._topic, WAITING_MESSAGES, self._wants)
                await until_read(read_again)


async def until_read(work: Callable[[], Awaitable[None]]) -> None:
    """Does something as often as the store cannot, so that whoever follows never stops; another refusal ends it."""
    while True:
        try:
            return await work()
        except ApiError as refusal:
            if refusal.code is not Code.UNAVAILABLE:
                log.warning("what was missed cannot be read: %s", refusal.text)
                return None
            log.warning("%s; tried again", refusal.text)
            await asyncio.sleep(RETRY_SECONDS)
