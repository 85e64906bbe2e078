"""The bus of a house that runs as one process: subscribers have bounded queues in memory.

Fits ``ports.Bus``.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

from server.ports import BusState, OverrunError, Wants, everything

_END = object()


class MemorySubscription:
    """The messages of a topic from the moment of subscribing on, at most ``limit`` of them waiting."""

    def __init__(self, bus: "MemoryBus", topic: str, limit: int, wants: Wants) -> None:
        self._bus = bus
        self._topic = topic
        self._limit = limit
        self._wants = wants
        self._waiting: asyncio.Queue[Any] = asyncio.Queue()
        self._overrun = False
        self._listener: Callable[[Any], None] | None = None

    def offer(self, message: object) -> None:
        """Takes a message that is wanted, or notes that one was missed; then the messages taken before still come."""
        if not self._wants(message):
            return
        if self._listener is not None:
            self._listener(message)
            return
        if self._overrun:
            return
        if self._waiting.qsize() >= self._limit:
            self.miss()
            return
        self._waiting.put_nowait(message)

    def miss(self) -> None:
        """Notes that a message was missed."""
        if not self._overrun:
            self._overrun = True
            self._bus.forget(self._topic, self)
            self._bus.overruns += 1
            self._waiting.put_nowait(_END)

    def listen(self, listener: Callable[[Any], None]) -> None:
        """Calls ``listener`` with every message, those first that wait to be iterated."""
        self._listener = listener
        while not self._waiting.empty():
            listener(self._waiting.get_nowait())

    async def __aiter__(self) -> AsyncIterator[Any]:
        """The messages in order; raises OverrunError after a gap."""
        while (message := await self._waiting.get()) is not _END:
            yield message
        if self._overrun:
            raise OverrunError

    def close(self) -> None:
        """No further message; the iteration ends after those that are waiting."""
        self._bus.forget(self._topic, self)
        self._waiting.put_nowait(_END)


class MemoryBus:
    """Topics and their subscribers. Used from one event loop."""

    def __init__(self) -> None:
        self._topics: dict[str, set[MemorySubscription]] = {}
        self.overruns = 0
        """Subscribers that have missed messages."""

    async def start(self) -> None:
        """Nothing to connect."""

    async def stop(self) -> None:
        """Nothing to let go of."""

    async def publish(self, topic: str, message: object) -> None:
        """Hands the message to every subscriber; never waits for one."""
        for subscription in tuple(self._topics.get(topic, ())):
            subscription.offer(message)

    def subscribe(self, topic: str, limit: int = 256, wants: Wants = everything) -> MemorySubscription:
        """Subscribes at once."""
        subscription = MemorySubscription(self, topic, limit, wants)
        self._topics.setdefault(topic, set()).add(subscription)
        return subscription

    def has_subscribers(self, topic: str) -> bool:
        """Whether anybody listens to the topic."""
        return topic in self._topics

    def miss(self, topic: str) -> None:
        """Tells every subscriber of the topic that a message was missed."""
        for subscription in tuple(self._topics.get(topic, ())):
            subscription.miss()

    def state(self) -> BusState:
        """It has no other process to reach."""
        return BusState("memory", overruns=self.overruns)

    def forget(self, topic: str, subscription: MemorySubscription) -> None:
        """Takes a subscriber off the topic."""
        subscribers = self._topics.get(topic, set())
        subscribers.discard(subscription)
        if not subscribers:
            self._topics.pop(topic, None)
