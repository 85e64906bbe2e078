"""Which connection holds which seat over UHP: one per seat, the newest.

In memory, for the connections of this process. ``absences`` handles seats without a connection.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from protocols.uhp.remote.effects import NORMAL
from server.ports.connection import Connection
from server.services.cluster.presence import Presence
from server.services.uhp.absences import Absences
from server.services.uhp.seat_access import SeatAccess

REMEMBERED = 20_000
"""Maximum number of seats kept in memory, not counting those with a connection."""


@dataclass(slots=True)
class SeatConnection:
    """A seat of a game, and the connection that holds it.

    ``tries`` illegal moves were sent at ply ``tried_at``, over all connections.
    """

    connection: Connection | None = None
    tries: int = 0
    tried_at: int = -1

    def try_again(self, ply: int) -> int:
        """Counts an illegal move at this ply; returns how many there were."""
        self.tries = self.tries + 1 if ply == self.tried_at else 1
        self.tried_at = ply
        return self.tries


class SeatConnections:
    """All seats held now or recently by connections of this process."""

    def __init__(self, presence: Presence, absences: Absences) -> None:
        self._presence = presence
        self._absences = absences
        self._connections: dict[tuple[str, int], SeatConnection] = {}

    @asynccontextmanager
    async def held(self, seat_access: SeatAccess, connection: Connection) -> AsyncIterator[SeatConnection]:
        """Holds the seat within this context, or until another connection takes it; then closes this one."""
        key = (seat_access.game_id, seat_access.seat)
        self._make_room()
        place = self._connections.setdefault(key, SeatConnection())
        if place.connection is not None:
            place.connection.send("err another connection has taken this seat")
            place.connection.close(NORMAL, "replaced")
        place.connection = connection
        try:
            async with self._presence.present(*key):
                self._absences.welcome(*key)
                yield place
        finally:
            if place.connection is connection:
                place.connection = None

    def _make_room(self) -> None:
        """Removes the entries of the seats that have been without a connection for longest."""
        if len(self._connections) >= REMEMBERED:
            idle = [key for key, place in self._connections.items() if place.connection is None]
            for key in idle[: REMEMBERED // 2]:
                del self._connections[key]
