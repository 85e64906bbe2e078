"""The bus of several server processes: a bus in each, and a relay between them.

Subscribers in this process are notified at once, whatever the state of the relay; messages of shared topics are also
sent to the other processes.
"""

import logging
from collections.abc import Callable

from server.adapters.bus_codec import SHARED_TOPICS, is_urgent, read_message
from server.adapters.bus_message import BusMessage
from server.adapters.message_relay import Medium, MessageRelay
from server.services.bus import Bus, BusState

log = logging.getLogger(__name__)


class SharedBus(Bus):
    """Topics and their subscribers in this process, connected to the others by ``medium``.

    ``write`` encodes messages of shared topics.
    """

    def __init__(self, medium: Medium, write: Callable[[object], bytes]) -> None:
        super().__init__()
        self._kind = medium.name.lower()
        self._write = write
        self._relay = MessageRelay(medium, self._take, self._miss)

    async def start(self) -> None:
        """Connects; BusUnreachableError if that fails."""
        await self._relay.start()

    async def stop(self) -> None:
        """Disconnects."""
        await self._relay.stop()

    async def publish(self, topic: str, message: object) -> None:
        """Delivers the message to all subscribers, without waiting for them or for the relay."""
        await super().publish(topic, message)
        if topic in SHARED_TOPICS:
            self._relay.send(topic, self._write(message), is_urgent=is_urgent(message))

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
        if message.topic not in SHARED_TOPICS:
            return
        try:
            content = read_message(message.topic, message.body)
        except ValueError as fault:
            log.warning("a message from another process cannot be read: %s", fault)
            self._miss()
        else:
            await super().publish(message.topic, content)

    def _miss(self) -> None:
        for topic in SHARED_TOPICS:
            self.miss(topic)
