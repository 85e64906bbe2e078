"""Whether clients have to go to another server, since this one is cut off from the database and another one is not.

A server that can store no heartbeat asks the others, which answer once they have stored one since. If one answers, and
this server still can store none, the others have its games, and nothing that a client could do or see here would be
right. If none answers, the database may be away for all: clients stay, and see the games that are in memory.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
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

SILENT_LOOKS: Final = 3
"""How often in a row this server must have been silent before it asks."""

OWN_SECONDS = 0.5
"""How long this server may take to store a heartbeat after another one could: several that were cut off together need
not be back in the same moment.
"""

RETRY_SECONDS = 0.1
"""The pause after an attempt that has failed."""


class OutOfService:
    """Watches this server's heartbeat, and answers other servers that ask for theirs."""

    def __init__(self, bus: Bus, leases: Leases, now: Callable[[], int]) -> None:
        """``now`` is that of the leases."""
        self.is_out = False
        """Whether this server refuses clients, until its heartbeat is in time again."""
        self._bus = bus
        self._leases = leases
        self._now = now
        self._silent_looks = 0
        self._trying: asyncio.Task[None] | None = None
        self._answering: asyncio.Task[None] | None = None
        self._tasks = Tasks()

    def start(self, on_out: Callable[[], Awaitable[None]]) -> None:
        """Starts to watch the heartbeat. Calls ``on_out`` whenever this server has begun to refuse clients."""
        self._tasks.start(TopicReader(self._bus, SERVERS, self._concerns).follow(partial(self._take, on_out)))
        self._tasks.repeat(self._look_regularly)

    async def stop(self) -> None:
        """Stops watching and answering."""
        await self._tasks.stop()

    # ---- this server -----------------------------------------------------------------------------

    async def _look_regularly(self) -> None:
        await asyncio.sleep(LOOK_SECONDS)
        self._silent_looks = self._silent_looks + 1 if self._leases.is_silent else 0
        if self.is_out:
            self.is_out = self._leases.is_late
            if not self.is_out:
                log.warning("the database answers again: clients are served")
        elif self._silent_looks >= SILENT_LOOKS:
            await self._bus.publish(SERVERS, HeartbeatWanted(self._leases.server, self._now()))

    async def _try(self, on_out: Callable[[], Awaitable[None]]) -> None:
        """Goes out of service unless this server can store a heartbeat as well."""
        with suppress(TimeoutError):
            async with asyncio.timeout(OWN_SECONDS):
                await self._store_one()
                return
        log.warning(
            "the database does not answer this server, but another one: clients have to go to that one"
        )
        self.is_out = True
        self._leases.give_up()
        await on_out()

    async def _store_one(self) -> None:
        """Returns once a heartbeat is stored, however often that fails."""
        while True:
            with suppress(ApiError):
                await self._leases.show_new_life()
                return
            await asyncio.sleep(RETRY_SECONDS)

    # ---- messages --------------------------------------------------------------------------------

    def _concerns(self, message: object) -> bool:
        own = self._leases.server
        match message:
            case HeartbeatWanted(server=server):
                return server != own
            case HeartbeatStored(server=server, asker=asker):
                return asker == own and self._leases.knows_of(server)
        return False

    async def _take(
        self, on_out: Callable[[], Awaitable[None]], message: HeartbeatWanted | HeartbeatStored
    ) -> None:
        match message:
            case HeartbeatStored(at=asked_at):
                is_silent_since = self._leases.stored_at < asked_at
                if is_silent_since and not self.is_out and _is_over(self._trying):
                    self._trying = self._tasks.start(self._try(on_out))
            case HeartbeatWanted():
                if _is_over(self._answering):
                    self._answering = self._tasks.start(self._answer(message))

    async def _answer(self, question: HeartbeatWanted) -> None:
        """Answers as soon as a heartbeat that is sent from now on is stored, if it is."""
        with suppress(ApiError):
            await self._leases.show_new_life()
            await self._bus.publish(
                SERVERS, HeartbeatStored(self._leases.server, question.server, question.at)
            )


def _is_over(task: "asyncio.Task[None] | None") -> bool:
    return task is None or task.done()
