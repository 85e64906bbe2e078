"""Reads a topic of the bus for as long as the server runs; after missed messages, everything is read again.

All services that follow the games use this. Temporary subscribers, such as sockets, subscribe to the bus directly and
end when they miss a message.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

from server.domain.errors import ApiError, Code
from server.services.cluster.bus import Bus, Filter, OverrunError, everything

log = logging.getLogger(__name__)

T = TypeVar("T")

WAITING_MESSAGES = 10_000
"""The maximum number of messages waiting for a service."""

RETRY_SECONDS = 1.0
"""The delay before another attempt if the store is unavailable."""


class TopicReader:
    """The messages published on a topic since the reader was created, if ``wants`` accepts them.

    More topics can be added; their messages are yielded in the order in which they were published.
    """

    def __init__(self, bus: Bus, topic: str, wants: Filter = everything) -> None:
        self._bus = bus
        self._topic = topic
        self._wants = wants
        self.added: set[str] = set()
        """The topics that were added."""
        self._subscription = bus.subscribe(topic, WAITING_MESSAGES, wants)

    def add(self, topic: str) -> None:
        """Reads another topic as well."""
        if topic not in self.added:
            self.added.add(topic)
            self._bus.join(topic, self._subscription)

    def remove(self, topic: str) -> None:
        """Stops reading an added topic."""
        self.added.discard(topic)
        self._bus.leave(topic, self._subscription)

    async def follow(
        self,
        handle: Callable[[Any], Awaitable[None]],
        read_again: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Handles messages endlessly. If some were missed, calls ``read_again`` before the next one, if it is given.

        While the store is unavailable, it tries the same message again. An unexpected error is logged, so that one
        message cannot end the following of all others.
        """
        while True:
            try:
                async for message in self._subscription:
                    await self._run(partial(handle, message))
            except OverrunError:
                self._subscribe_again()
                if read_again is None:
                    log.info("missed messages of topic %s, which are lost", self._topic)
                else:
                    log.info("missed messages of topic %s: reading everything again", self._topic)
                    await self._run(read_again)

    async def _run(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await retry_until_read(work)
        except Exception:
            log.exception("a message of topic %s could not be handled", self._topic)

    def _subscribe_again(self) -> None:
        self._subscription.close()
        self._subscription = self._bus.subscribe(self._topic, WAITING_MESSAGES, self._wants)
        for topic in self.added:
            self._bus.join(topic, self._subscription)


async def retry_until_read(work: Callable[[], Awaitable[object]]) -> None:
    """Repeats ``work`` while the store is unavailable, so that readers never stop; gives up on any other ApiError."""
    try:
        await retry_until_stored(work)
    except ApiError as refusal:
        log.warning("cannot read missed changes: %s", refusal.text)


async def retry_until_stored(work: Callable[[], Awaitable[T]]) -> T:
    """Repeats ``work`` while the store is unavailable, and returns its result. Raises any other ApiError."""
    while True:
        try:
            return await work()
        except ApiError as refusal:
            if refusal.code is not Code.UNAVAILABLE:
                raise
            log.warning("%s; trying again in %g s", refusal.text, RETRY_SECONDS)
            await asyncio.sleep(RETRY_SECONDS)
