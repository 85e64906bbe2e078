"""Deletes old games every day, if the settings say so.

Every server does it: a game that another server is deleting is skipped, and what is deleted already is not found.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace

from server.ports.store import EndedGames, EndedKind, RetentionStore
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

FIRST_SECONDS = 60.0
"""The time from the start of the server to the first deletion."""

DAY_SECONDS = 86_400.0

REST_SECONDS = 0.05
"""The pause between two transactions, so that others have the disk most of the time."""

BATCH = 50
"""How many games are deleted in one transaction, for which moves may have to wait."""


class Retention:
    """Deletes games that have not changed for so many days since they ended, by kind. ``now`` returns milliseconds."""

    def __init__(self, store: RetentionStore, days: Mapping[EndedKind, int], now: Callable[[], int]) -> None:
        self._store = store
        self._days = days
        self._now = now
        self._tasks = Tasks()

    def start(self) -> None:
        """Deletes old games soon, and then every day."""
        if self._days:
            self._tasks.start(self._run())

    async def stop(self) -> None:
        """Stops after the current transaction."""
        await self._tasks.stop()

    async def delete_old(self) -> int:
        """Deletes the games that are too old now; returns their number. ApiError if the database fails."""
        return sum([await self._delete(kind, days) for kind, days in self._days.items()])

    async def _run(self) -> None:
        await asyncio.sleep(FIRST_SECONDS)
        self._tasks.repeat(self._delete_and_wait)

    async def _delete_and_wait(self) -> None:
        count = await self.delete_old()
        if count:
            log.info("deleted %s old games", f"{count:,}")
        await asyncio.sleep(DAY_SECONDS)

    async def _delete(self, kind: EndedKind, days: int) -> int:
        which = EndedGames(kind, self._now() - round(days * DAY_SECONDS * 1000), BATCH)
        count = 0
        while deleted := await self._store.delete_ended(which):
            count += len(deleted)
            which = replace(which, after=deleted[-1])
            await asyncio.sleep(REST_SECONDS)
        return count
