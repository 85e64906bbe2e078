"""Deletes old games every day, and the oldest while there are too many, if the settings say so.

Every server does it: a game that another server is deleting is skipped, and what is deleted already is not found.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial

from server.ports.store import EndedGames, EndedKind, RetentionStore
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

FIRST_SECONDS = 60.0
"""The time from the start of the server to the first deletion."""

DAY_SECONDS = 86_400.0

HOUR_SECONDS = 3600.0

REST_SECONDS = 0.05
"""The pause between two transactions, so that others have the disk most of the time."""

BATCH = 8
"""How many games are looked at in one transaction, for which moves may have to wait."""

SMALL_BATCH = 5
"""The same where the space that games take decides when to stop."""


class Retention:
    """Deletes ended games that have not changed for so many days, by kind, and the oldest of more than so many bytes.

    ``most_bytes`` (for SQLite; None: no limit) is the most that the data may take. ``now`` returns milliseconds.
    """

    def __init__(
        self,
        store: RetentionStore,
        days: Mapping[EndedKind, int],
        most_bytes: int | None,
        now: Callable[[], int],
    ) -> None:
        self._store = store
        self._days = days
        self._most_bytes = most_bytes
        self._now = now
        self._tasks = Tasks()

    def start(self) -> None:
        """Deletes games soon, and then old ones every day, and by size every hour."""
        if self._days:
            self._tasks.start(self._run(self.delete_old, DAY_SECONDS))
        if self._most_bytes is not None:
            self._tasks.start(self._run(partial(self.delete_to_size, self._most_bytes), HOUR_SECONDS))

    async def stop(self) -> None:
        """Stops after the current transaction."""
        await self._tasks.stop()

    async def delete_old(self) -> int:
        """Deletes the games that are too old now; returns their number. ApiError if the database fails."""
        count = 0
        for kind, days in self._days.items():
            which: EndedGames | None = self._ended(kind, days, BATCH)
            while which is not None:
                which, deleted = await self._delete(which)
                count += deleted
        return count

    async def delete_to_size(self, most_bytes: int) -> int:
        """Deletes the oldest games of each kind, in turn, until the data takes at most so many bytes, or none is left.

        Returns their number. ApiError if the database fails.
        """
        count, left = 0, [self._ended(kind, 0, SMALL_BATCH) for kind in EndedKind]
        while await self._store.used_bytes() > most_bytes:
            if not left:
                log.warning(
                    "no more games can be deleted, but the data takes more than %s bytes", f"{most_bytes:,}"
                )
                break
            rest, deleted = await self._delete(left.pop(0))
            left += [] if rest is None else [rest]
            count += deleted
        return count

    async def _run(self, delete: Callable[[], Awaitable[int]], seconds: float) -> None:
        await asyncio.sleep(FIRST_SECONDS)
        self._tasks.repeat(partial(self._delete_and_wait, delete, seconds))

    async def _delete_and_wait(self, delete: Callable[[], Awaitable[int]], seconds: float) -> None:
        count = await delete()
        if count:
            log.info("deleted %s old games", f"{count:,}")
        await asyncio.sleep(seconds)

    def _ended(self, kind: EndedKind, days: int, look_at: int) -> EndedGames:
        """The first games of a kind that have not changed for so many days."""
        return EndedGames(kind, self._now() - round(days * DAY_SECONDS * 1000), look_at)

    async def _delete(self, which: EndedGames) -> tuple[EndedGames | None, int]:
        """Deletes the next games; returns those after them, None if there are no more, and how many were deleted."""
        done = await self._store.delete_ended(which)
        await asyncio.sleep(REST_SECONDS)
        return None if done.last is None else replace(which, after=done.last), done.count
