"""The services shared by the drivers of all roles."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from protocols.uhp.engine import Product
from protocols.uhp.remote.handshake import Handshake, Role
from server.services.cluster.bus import Bus
from server.services.cluster.presence import Presence
from server.services.games.games import Games
from server.services.uhp.absences import Absences
from server.services.uhp.engine_matches import EngineMatches
from server.services.uhp.matchmaking import Matchmaking
from server.services.uhp.seat_access import SeatAccess, seat_by_token, take_seat
from server.services.uhp.seat_connections import SeatConnections

Run = Callable[[], Coroutine[Any, Any, None]]
"""Serves a connection until it ends."""


@dataclass(frozen=True, slots=True)
class UhpContext:
    """The services. ``product`` is the server's own description where it acts as an engine."""

    games: Games
    bus: Bus
    presence: Presence
    matchmaking: Matchmaking
    seat_connections: SeatConnections
    absences: Absences
    product: Product
    matches: EngineMatches = field(default_factory=EngineMatches)
    connections: dict[Role, int] = field(default_factory=lambda: dict.fromkeys(Role, 0))
    """Open connections by role."""

    async def seat(self, handshake: Handshake) -> SeatAccess | None:
        """The seat named in the handshake, or None. Raises ApiError."""
        if handshake.token is not None:
            return await seat_by_token(self.games, handshake.token, handshake.game)
        if handshake.game is not None:
            return await take_seat(
                self.games, handshake.game, handshake.criteria.seat, handshake.criteria.name
            )
        return None
