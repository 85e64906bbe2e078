"""The services shared by the drivers of all roles."""

from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from protocols.uhp.engine import Product
from protocols.uhp.remote.effects import TableChanged
from protocols.uhp.remote.game_lines import is_over
from protocols.uhp.remote.handshake import Handshake, Role
from protocols.values import Table
from server.services.bots.attached_analyst import Terms
from server.services.bots.bot_clients import BotClients
from server.services.cluster.bus import Bus
from server.services.cluster.presence import Presence
from server.services.driver import Stream
from server.services.games.claims import Claims
from server.services.games.game_follower import follow_tables
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
    """The services. ``product`` is the server's own description where it acts as an engine.

    ``bot_terms`` are for engines that join the ladder, as for all bot clients.
    """

    games: Games
    bus: Bus
    presence: Presence
    claims: Claims
    matchmaking: Matchmaking
    seat_connections: SeatConnections
    absences: Absences
    product: Product
    bot_clients: BotClients
    bot_terms: Terms
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

    async def tables(self, game_id: str) -> AsyncGenerator[Table, None]:
        """The state of a game, and each later one until it is over. Close the generator when leaving it early."""
        async with aclosing(follow_tables(self.games, self.bus, game_id)) as tables:
            async for table in tables:
                yield table
                if is_over(table):
                    return

    async def watch(self, game_id: str) -> Stream:
        """The same for the session of a spectator, who is present meanwhile."""
        async with self.presence.present(game_id, None), aclosing(self.tables(game_id)) as tables:
            async for table in tables:
                yield TableChanged(table)
