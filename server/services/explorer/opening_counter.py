"""Counts the openings of games that have ended. One server does this for all, as long as it is alive.

A game waits in the database from its end on, and the transaction that counts it removes it there, so each is counted
once, whatever servers crash or count the same games. Moves go first: the counter takes a few games at a time, on the
threads for heavy work, and rests as long as it has worked.
"""

import asyncio
import logging
from collections.abc import Sequence
from time import monotonic
from typing import Final, Protocol

from server.domain.errors import ApiError
from server.domain.events import Recorded
from server.domain.explored import PlayedOpening, opening_of
from server.domain.fold import fold
from server.ports.explorer import CountOpenings, ExplorerStore
from server.services.heavy_work import HeavyWork
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

DUTY: Final = "explorer"

LOOK_SECONDS: Final = 2.0
"""How long the counter waits when no game is left."""

LEAST_REST_SECONDS: Final = 0.05

BATCH: Final = 16
"""How many games are counted in one transaction: about 1,000 rows, a few milliseconds."""

REPORTED: Final = 10_000
"""After how many games the log gets a line."""


class CountingStore(ExplorerStore, Protocol):
    """The openings, and the logs that they are counted from."""

    async def events(self, game_id: str, *, after: int = 0, until: int | None = None) -> list[Recorded]:
        """See ``ports.store.Store``."""
        ...


class OpeningCounter:
    """Counts all games that wait, and then those that end."""

    def __init__(self, store: CountingStore, work: HeavyWork, server: str) -> None:
        """``server``: the id of this server."""
        self._store = store
        self._work = work
        self._server = server
        self._tasks = Tasks()
        self._counted = 0

    def start(self) -> None:
        """Starts to count."""
        self._tasks.repeat(self._look)

    async def stop(self) -> None:
        """Stops after the current games."""
        await self._tasks.stop()

    async def count_next(self) -> int:
        """Counts the next games; returns how many waited. ApiError if the database fails."""
        game_ids = await self._store.uncounted(BATCH)
        if game_ids:
            logs = [(game_id, await self._store.events(game_id)) for game_id in game_ids]
            openings = await self._work.run_accepted(_openings_of, logs)
            await self._store.count_openings(CountOpenings(game_ids, openings))
        return len(game_ids)

    async def _look(self) -> None:
        try:
            while await self._store.uncounted(1) and await self._store.take_duty(DUTY, self._server):
                began = monotonic()
                self._note(await self.count_next())
                await asyncio.sleep(max(LEAST_REST_SECONDS, monotonic() - began))
        except ApiError as refusal:  # The store logs that it cannot be used.
            log.info("openings could not be counted: %s", refusal.text)
        await asyncio.sleep(LOOK_SECONDS)

    def _note(self, count: int) -> None:
        before, self._counted = self._counted, self._counted + count
        if self._counted // REPORTED > before // REPORTED:
            log.info("counted the openings of %s games", f"{self._counted:,}")


def _openings_of(logs: Sequence[tuple[str, Sequence[Recorded]]]) -> list[PlayedOpening]:
    found = []
    for game_id, events in logs:
        try:
            state = fold(game_id, events)
            opening = None if state is None else opening_of(state)
        except Exception:  # One log that cannot be read must not keep all others waiting.
            log.exception("the opening of game %s cannot be counted", game_id)
            continue
        found += [] if opening is None else [opening]
    return found
