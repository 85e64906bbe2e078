"""The bus of several server processes: a bus in each, and a relay between them.

Subscribers in this process are notified at once, whatever the state of the relay; messages of shared topics are also
sent to the other processes.
"""

import logging
from collections.abc import Callable
from typing import Protocol

from server.bus.codec import SHARED_TOPICS, read_message
from server.bus.medium import Medium
from server.bus.message import BusMessage
from server.bus.message_relay import MessageRelay
from server.services.cluster.bus import Bus, BusState, Subscription
from server.services.cluster.changes import LOG_PREFIX
from server.services.cluster.server_messages import EVAL_PREFIX

log = logging.getLogger(__name__)

CHANNEL_PREFIXES = (LOG_PREFIX, EVAL_PREFIX)
"""The starts of the topics that only some processes need."""


class Channels(Protocol):
    """The topics whose messages this process receives, of those that only some processes need."""

    def add(self, topic: str) -> None:
        """Receives the messages of a topic from some moment later on."""
        ...

    def remove(self, topic: str) -> None:
        """Receives them no more."""
        ...

    def expect_readers(self, topic: str) -> None:
        """Sends messages on a topic again, though nobody has received the last ones."""
        ...

    def is_unread(self, topic: str) -> bool:
        """Whether messages on a topic need not be sent, since no other process has received the last one."""
        ...


class SharedBus(Bus):
    """Topics and their subscribers in this process, connected to the others by ``medium``.

    ``write`` encodes messages of shared topics. ``channels`` is told which topics of ``CHANNEL_PREFIXES`` have
    subscribers here; None: the medium carries all messages to all processes.
    """

    def __init__(
        self, medium: Medium, write: Callable[[object], bytes], channels: Channels | None = None
    ) -> None:
        super().__init__()
        self._channels = channels
        self._kind = medium.name.lower()
        self._write = write
        self._relay = MessageRelay(medium, self._take, self._miss, self._miss_evaluations)

    @property
    def has_others(self) -> bool:
        """Whether there may be other processes. Nothing is sent while there are none."""
        return not self._relay.is_alone

    @property
    def is_cut_off(self) -> bool:
        """Whether there may be other processes that cannot be heard now."""
        return self.has_others and self._relay.trouble is not None

    def know_others(self, *, are_any: bool) -> None:
        """Notes whether other processes are running; until then, and when one is heard, there may be some."""
        if are_any:
            self._relay.wake()
        else:
            self._relay.rest()

    def expect_readers(self, topic: str) -> None:
        """Notes that another process may receive the messages on a topic from now on."""
        if self._channels is not None:
            self._channels.expect_readers(topic)

    async def start(self) -> None:
        """Connects; BusUnreachableError if that fails."""
        await self._relay.start()

    async def stop(self) -> None:
        """Disconnects."""
        await self._relay.stop()

    async def publish(self, topic: str, message: object) -> None:
        """Delivers the message to all subscribers, without waiting for them or for the relay."""
        await super().publish(topic, message)
        is_unread = self._channels is not None and self._channels.is_unread(topic)
        if _is_shared(topic) and not is_unread:
            self._relay.send(topic, self._write(message), is_numbered=topic in SHARED_TOPICS)

    def join(self, topic: str, subscription: Subscription) -> None:
        """Adds a topic to a subscription."""
        super().join(topic, subscription)
        if self._channels is not None and topic.startswith(CHANNEL_PREFIXES):
            self._channels.add(topic)

    def leave(self, topic: str, subscription: Subscription) -> None:
        """Removes a topic from a subscription."""
        super().leave(topic, subscription)
        if (
            self._channels is not None
            and topic.startswith(CHANNEL_PREFIXES)
            and not self.has_subscribers(topic)
        ):
            self._channels.remove(topic)

    def state(self) -> BusState:
        """The state of the bus, for metrics and readiness checks."""
        relay = self._relay
        return BusState(
            kind=self._kind,
            trouble=relay.trouble,
            waiting=relay.waiting,
            sent=relay.sent,
            received=relay.received,
            lost=relay.lost,
            gaps=relay.gaps,
            overruns=self.overruns,
        )

    async def _take(self, message: BusMessage) -> None:
        """Publishes a message here. One that cannot be read, as from a newer version, counts as missed."""
        topic = message.topic or ""
        if not _is_shared(topic) or not self.has_subscribers(topic):
            return
        try:
            content = read_message(topic, message.body)
        except ValueError as fault:
            log.warning("a message from another process cannot be read: %s", fault)
            self._miss()
        else:
            await super().publish(topic, content)

    def _miss(self) -> None:
        for topic in SHARED_TOPICS:
            self.miss(topic)

    def _miss_evaluations(self) -> None:
        """Those sent while the medium was away may be lost, and no numbered message tells of them."""
        for topic in [topic for topic in self._topics if topic.startswith(EVAL_PREFIX)]:
            self.miss(topic)


def _is_shared(topic: str) -> bool:
    return topic in SHARED_TOPICS or topic.startswith(CHANNEL_PREFIXES)
