"""Who holds which seat over UHP: one connection each, the newest.

In memory, for the games of this process's connections. Who holds none any more is missed by ``absences``.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from server.services.presence import Presence
from server.services.uhp.absences import Absences
from server.services.uhp.seating import Seating

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

    def try_again(self, ply: int) -> int:
        """One illegal move more at this ply: how many those are."""
        self.tries = self.tries + 1 if ply == self.tried_at else 1
        self.tried_at = ply
        return self.tries


class Places:
    """All seats that connections of this process hold or have held lately."""

    def __init__(self, presence: Presence, absences: Absences) -> None:
        self._presence = presence
        self._absences = absences
        self._places: dict[tuple[str, int], Place] = {}

    @asynccontextmanager
    async def held(self, seating: Seating, dismiss: Dismiss) -> AsyncIterator[Place]:
        """The seat is held as long as this lasts, or until another connection takes it, which ``dismiss`` tells."""
        key = (seating.game_id, seating.seat)
        self._make_room()
        place = self._places.setdefault(key, Place())
        if place.dismiss is not None:
            place.dismiss()
        place.dismiss = dismiss
        try:
            async with self._presence.present(*key):
                self._absences.welcome(*key)
                yield place
        finally:
            if place.dismiss is dismiss:
                place.dismiss = None

    def _make_room(self) -> None:
        """Forgets the tries at the seats that were left first."""
        if len(self._places) >= REMEMBERED:
            idle = [key for key, place in self._places.items() if place.dismiss is None]
            for key in idle[: REMEMBERED // 2]:
                del self._places[key]
