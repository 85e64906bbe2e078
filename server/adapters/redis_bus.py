"""The bus of a house of several processes: a memory bus each, and Redis between them. Fits ``ports.Bus``.

Whoever listens in this process is told at once, whatever Redis does; messages of shared topics also go to the
other processes.
"""

import logging

from server.adapters.bus_codec import SHARED_TOPICS, read_message, write_message
from server.adapters.letters import Letter
from server.adapters.memory_bus import MemoryBus, MemorySubscription
from server.adapters.redis_relay import Relay
from server.ports import BusState, Wants, everything

log = logging.getLogger(__name__)


class RedisBus:
    """Topics and their subscribers in this process, and a relay to the others."""

    def __init__(self, url: str) -> None:
        self._here = MemoryBus()
        self._relay = Relay(url, self._take, self._miss)

    async def start(self) -> None:
        """Connects; RedisUnreachableError."""
        await self._relay.start()

    async def stop(self) -> None:
        """Disconnects."""
        await self._relay.stop()

    async def publish(self, topic: str, message: object) -> None:
        """Hands the message to every subscriber; never waits for one, nor for Redis."""
        await self._here.publish(topic, message)
        if topic in SHARED_TOPICS:
            self._relay.send(topic, write_message(message))

    def subscribe(self, topic: str, limit: int = 256, wants: Wants = everything) -> MemorySubscription:
        """Subscribes at once."""
        return self._here.subscribe(topic, limit, wants)

    def has_subscribers(self, topic: str) -> bool:
        """Whether anybody in this process listens to the topic."""
        return self._here.has_subscribers(topic)

    def state(self) -> BusState:
        """How it goes."""
        relay = self._relay
        return BusState(
            kind="redis",
            trouble=relay.trouble,
            waiting=relay.waiting,
            sent=relay.sent,
            received=relay.received,
            lost=relay.lost,
            gaps=relay.gaps,
            overruns=self._here.overruns,
        )

    async def _take(self, letter: Letter) -> None:
        """What a process of another version says may be more than we know: then something is missing here."""
        if letter.topic not in SHARED_TOPICS:
            return
        try:
            message = read_message(letter.body)
        except (KeyError, TypeError, ValueError) as fault:
            log.warning("a message of another process cannot be read: %s", fault)
            self._miss()
        else:
            await self._here.publish(letter.topic, message)

    def _miss(self) -> None:
        for topic in SHARED_TOPICS:
            self._here.miss(topic)
