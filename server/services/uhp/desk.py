"""What the drivers of all roles share: the games, who waits for whom, who holds which seat, and who is missed."""

from dataclasses import dataclass, field

from protocols.uhp.engine import Product
from protocols.uhp.remote.handshake import Handshake, Role
from server.ports import Bus
from server.services.games import Games
from server.services.presence import Presence
from server.services.uhp.absences import Absences
from server.services.uhp.matchmaking import Matchmaking
from server.services.uhp.places import Places
from server.services.uhp.seating import Seating, seat_by_token, take_seat
from server.services.uhp.tables import EngineTables


@dataclass(frozen=True, slots=True)
class Desk:
    """The parts. ``product`` is what the server says of itself where it is the engine."""

    games: Games
    bus: Bus
    presence: Presence
    matchmaking: Matchmaking
    places: Places
    absences: Absences
    product: Product
    tables: EngineTables = field(default_factory=EngineTables)
    connections: dict[Role, int] = field(default_factory=lambda: dict.fromkeys(Role, 0))
    """Open connections by role."""

    async def seat(self, handshake: Handshake) -> Seating | None:
        """The seat that the handshake names; None where it names none. NoSeat."""
        if handshake.token is not None:
            return await seat_by_token(self.games, handshake.token, handshake.game)
        if handshake.game is not None:
            return await take_seat(self.games, handshake.game, handshake.wish.seat, handshake.wish.name)
        return None
