"""The bus of a server process: topics and their subscribers, which have bounded queues in memory.

Topics: ``game:<id>`` (one game), ``games`` (every game), ``presence`` (who is connected to which game), and for other
processes ``log:<id>`` (new log entries of one game) and ``logs`` (which games have changed).
``bus.shared_bus`` connects the buses of several processes.
"""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

from server.services.reader_queue import ReaderQueue

_END = object()


class OverrunError(Exception):
    """A subscriber has missed messages, usually because it was too slow, and must start again from current state."""


@dataclass(frozen=True, slots=True)
class BusState:
    """The state of a bus. ``trouble`` says why it cannot reach other processes; None if it can, or need not.

    ``waiting`` is the number of messages queued for other processes. The other numbers are totals since the start:
    messages sent and received, messages discarded unsent (``lost``), gaps in what other processes sent, and
    overruns of slow subscribers.
    """

    kind: str
    trouble: str | None = None
    waiting: int = 0
    sent: int = 0
    received: int = 0
    lost: int = 0
    gaps: int = 0
    overruns: int = 0


Filter = Callable[[Any], bool]
"""Whether a subscriber needs a message."""


def everything(message: object) -> bool:
    """A filter that passes every message."""
    return True


class Subscription:
    """The messages of its topics since the subscription. Iteration ends when the subscription is closed."""

    def __init__(self, bus: "Bus", limit: int, wants: Filter) -> None:
        self.topics: set[str] = set()
        self._bus = bus
        self._limit = limit
        self._wants = wants
        self._waiting = ReaderQueue[Any]()
        self._overrun = False
        self._listener: Callable[[Any], None] | None = None

    def offer(self, message: object) -> None:
        """Queues a message if it is wanted, or records a missed one; messages queued before are still delivered."""
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
        """Records that a message was missed."""
        if not self._overrun:
            self._overrun = True
            self._leave()
            self._bus.overruns += 1
            self._waiting.put_nowait(_END)

    def listen(self, listener: Callable[[Any], None]) -> None:
        """Calls ``listener`` with every message, starting with those not yet iterated over."""
        self._listener = listener
        while not self._waiting.empty():
            listener(self._waiting.get_nowait())

    async def __aiter__(self) -> AsyncIterator[Any]:
        """Yields the messages in order; raises OverrunError after a gap."""
        while (message := await self._waiting.get()) is not _END:
            yield message
        if self._overrun:
            raise OverrunError

    def close(self) -> None:
        """Unsubscribes; the iteration ends after the queued messages."""
        self._leave()
        self._listener = None  # It may own the subscription: reference counting frees no cycles.
        self._waiting.put_nowait(_END)

    def _leave(self) -> None:
        for topic in tuple(self.topics):
            self._bus.leave(topic, self)


class Bus:
    """Publishes messages to the subscribers of a topic. Used from one event loop."""

    def __init__(self) -> None:
        self._topics: dict[str, set[Subscription]] = {}
        self.overruns = 0
        """How many subscribers have missed messages."""

    @property
    def has_others(self) -> bool:
        """Whether messages of shared topics also go to other processes."""
        return False

    @property
    def is_cut_off(self) -> bool:
        """Whether there may be other processes that cannot be heard now."""
        return False

    def know_others(self, *, are_any: bool) -> None:
        """Notes whether other processes are running. None of them has this bus."""

    def expect_readers(self, topic: str) -> None:
        """Notes that another process may receive the messages on a topic from now on. None of them has this bus."""

    async def start(self) -> None:
        """Connects to other processes, if there are any. Must be called before anything is published."""

    async def stop(self) -> None:
        """Disconnects."""

    async def publish(self, topic: str, message: object) -> None:
        """Delivers the message to all subscribers, without waiting for any of them."""
        for subscription in tuple(self._topics.get(topic, ())):
            subscription.offer(message)

    def subscribe(self, topic: str, limit: int = 256, wants: Filter = everything) -> Subscription:
        """Subscribes immediately, so that nothing is missed between a snapshot and the iteration.

        ``limit`` is the number of messages that may wait before the subscriber is overrun. ``wants`` is called when a
        message is published; messages for which it returns False are skipped.
        """
        subscription = Subscription(self, limit, wants)
        self.join(topic, subscription)
        return subscription

    def join(self, topic: str, subscription: Subscription) -> None:
        """Adds a topic to a subscription."""
        subscription.topics.add(topic)
        self._topics.setdefault(topic, set()).add(subscription)

    def leave(self, topic: str, subscription: Subscription) -> None:
        """Removes a topic from a subscription."""
        subscription.topics.discard(topic)
        subscribers = self._topics.get(topic, set())
        subscribers.discard(subscription)
        if not subscribers:
            self._topics.pop(topic, None)

    def has_subscribers(self, topic: str) -> bool:
        """Whether the topic has subscribers in this process."""
        return topic in self._topics

    def miss(self, topic: str) -> None:
        """Records a missed message for every subscriber of the topic."""
        for subscription in tuple(self._topics.get(topic, ())):
            subscription.miss()

    def state(self) -> BusState:
        """Returns the bus's health and statistics."""
        return BusState("memory", overruns=self.overruns)
