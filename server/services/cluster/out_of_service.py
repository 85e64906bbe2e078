"""Whether clients have to go to another server, since this one is cut off from the database and another one is not.

A server that stores no heartbeats soon counts as dead. It asks the others, which answer once they have stored one
since. If one answers, the games here go on there, and nothing that a client could do or see here would be right. If
none does, the database may be away for all; then clients stay, and see the games that are in memory.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

from server.domain.errors import ApiError
from server.services.cluster.bus import Bus
from server.services.cluster.leases import Leases
from server.services.cluster.server_messages import SERVERS, HeartbeatStored, HeartbeatWanted
from server.services.cluster.topic_reader import TopicReader
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.5

LATE_LOOKS: Final = 3
"""How often in a row the heartbeat must be late. After a freeze, it is late only until the next one is stored."""


class OutOfService:
    """Watches this server's heartbeat, and answers other servers that ask for theirs."""

    def __init__(self, bus: Bus, leases: Leases) -> None:
        self.is_out = False
        """Whether they have to, until a heartbeat is stored again."""
        self._bus = bus
        self._leases = leases
        self._late_looks = 0
        self._is_answered = False
        """Whether another server has stored a heartbeat since this server asked."""
        self._answering: asyncio.Task[None] | None = None
        self._tasks = Tasks()

    def start(self, on_out: Callable[[], None]) -> None:
        """Starts to watch the heartbeat, and calls ``on_out`` each time when clients have to go from now on."""
        self._tasks.start(TopicReader(self._bus, SERVERS, self._concerns).follow(self._take))
        self._tasks.repeat(partial(self._look_regularly, on_out))

    async def stop(self) -> None:
        """Stops that."""
        await self._tasks.stop()

    async def _look_regularly(self, on_out: Callable[[], None]) -> None:
        await asyncio.sleep(LOOK_SECONDS)
        if not self._leases.is_late:
            if self.is_out:
                log.warning("the database answers again: clients are served")
            self._late_looks, self._is_answered, self.is_out = 0, False, False
            return
        self._late_looks += 1
        if self.is_out or self._late_looks < LATE_LOOKS:
            return
        if self._is_answered:
            log.warning(
                "the database does not answer this server, but another one: clients have to go to that one"
            )
            self.is_out = True
            self._leases.give_up()
            on_out()
        else:
            await self._bus.publish(SERVERS, HeartbeatWanted(self._leases.server))

    def _concerns(self, message: object) -> bool:
        own = self._leases.server
        match message:
            case HeartbeatWanted(server=server):
                return server != own
            case HeartbeatStored(server=server, asker=asker):
                return asker == own and self._leases.knows_of(server)
        return False

    async def _take(self, message: HeartbeatWanted | HeartbeatStored) -> None:
        match message:
            case HeartbeatStored():
                self._is_answered = self._late_looks >= LATE_LOOKS
            case HeartbeatWanted(server=asker):
                if self._answering is None or self._answering.done():
                    self._answering = self._tasks.start(self._answer(asker))

    async def _answer(self, asker: str) -> None:
        """Answers as soon as a heartbeat that is sent from now on is stored, if it is."""
        with suppress(ApiError):
            await self._leases.show_new_life()
            await self._bus.publish(SERVERS, HeartbeatStored(self._leases.server, asker))
