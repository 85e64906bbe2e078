"""Who holds which seat over UHP: one connection each, the newest; and what becomes of a seat that nobody holds.

In memory, for the games of this process's connections. How long a game waits is said by ``domain.absence``.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from server.domain.absence import Grace, due
from server.domain.errors import ApiError
from server.domain.events import LeaveReason
from server.domain.game import GameState
from server.services.games import Games
from server.services.presence import Presence
from server.services.uhp.seating import Seating

log = logging.getLogger(__name__)

RETRY_MS = 1000
"""When the store could not be asked, it is asked again after this time."""

REMEMBERED = 20_000
"""Seats that are known at once, beyond those that are held."""

Dismiss = Callable[[], None]
"""Tells a connection that another one has its seat now."""


@dataclass(slots=True)
class Place:
    """A seat of a game. ``tries`` illegal moves were sent at ply ``tried_at``, by whichever connection."""

    dismiss: Dismiss | None = None
    tries: int = 0
    tried_at: int = -1
    absence: asyncio.Task[None] | None = None

    def try_again(self, ply: int) -> int:
        """One illegal move more at this ply: how many those are."""
        self.tries = self.tries + 1 if ply == self.tried_at else 1
        self.tried_at = ply
        return self.tries


class Places:
    """All seats that connections of this process hold or have just left."""

    def __init__(self, games: Games, presence: Presence, grace: Grace) -> None:
        self._games = games
        self._presence = presence
        self._grace = grace
        self._places: dict[tuple[str, int], Place] = {}
        self._is_stopping = False

    @asynccontextmanager
    async def held(self, seating: Seating, dismiss: Dismiss) -> AsyncIterator[Place]:
        """The seat is held as long as this lasts, or until another connection takes it, which ``dismiss`` tells."""
        key = (seating.game_id, seating.seat)
        self._make_room()
        place = self._places.setdefault(key, Place())
        if place.absence is not None:
            place.absence.cancel()
        if place.dismiss is not None:
            place.dismiss()
        place.dismiss = dismiss
        try:
            async with self._presence.present(*key):
                yield place
        finally:
            if place.dismiss is dismiss:
                self._leave(key, place)

    def stop(self) -> None:
        """Waits for nobody any more: the server stops, and everybody leaves by that."""
        self._is_stopping = True
        for place in self._places.values():
            if place.absence is not None:
                place.absence.cancel()

    def _make_room(self) -> None:
        """Forgets the seats that were left first, whose games have ended or will by their clocks."""
        if len(self._places) >= REMEMBERED:
            idle = [
                key for key, place in self._places.items() if place.dismiss is None and place.absence is None
            ]
            for key in idle[: REMEMBERED // 2]:
                del self._places[key]

    def _leave(self, key: tuple[str, int], place: Place) -> None:
        place.dismiss = None
        if not self._is_stopping:
            place.absence = asyncio.ensure_future(self._wait(key))

    # ---- waiting ---------------------------------------------------------------------------------

    async def _wait(self, key: tuple[str, int]) -> None:
        """Ends the game for who does not come back, if no clock does."""
        left_at = self._games.now()
        while (moment := await self._due(key, left_at)) is not None:
            now = self._games.now()
            if moment <= now:
                await self._end(key)
            await asyncio.sleep(max(moment - now, RETRY_MS if moment <= now else 0) / 1000)
        self._places[key].absence = None

    async def _due(self, key: tuple[str, int], left_at: int) -> int | None:
        """When the game has waited long enough; None when it need not wait."""
        game_id, seat = key
        try:
            state = await self._games.get(game_id)
        except ApiError:
            return self._games.now() + RETRY_MS
        return None if self._is_there(state, seat) else due(state, seat, left_at, self._grace)

    def _is_there(self, state: GameState, seat: int) -> bool:
        """Whether the player has come back another way, on a page."""
        return seat in self._presence.attendance(state.id).here

    async def _end(self, key: tuple[str, int]) -> None:
        game_id, seat = key
        try:
            await self._games.forfeit(game_id, seat, LeaveReason.DISCONNECT)
        except ApiError as refusal:
            log.info("game %s: seat %d is gone, but: %s", game_id, seat, refusal)
