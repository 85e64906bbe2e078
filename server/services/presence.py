"""Which players are there: how many sockets each seat of each game has open.

In memory only; told on the bus.
"""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from server.ports import Bus
from server.services.changes import game_topic


@dataclass(frozen=True, slots=True)
class PresenceChange:
    """The seats of a game whose player is there now."""

    connected: frozenset[int]


class Presence:
    """Counts open sockets by game and seat."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._games: dict[str, Counter[int]] = {}

    def connected(self, game_id: str) -> frozenset[int]:
        """The seats of a game whose player is there."""
        return frozenset(self._games.get(game_id, ()))

    @asynccontextmanager
    async def present(self, game_id: str, seat: int | None) -> AsyncIterator[None]:
        """The player of ``seat`` is there as long as this lasts; a spectator (None) is not counted."""
        if seat is None:
            yield
            return
        await self._count(game_id, seat, 1)
        try:
            yield
        finally:
            await self._count(game_id, seat, -1)

    async def _count(self, game_id: str, seat: int, by: int) -> None:
        before = self.connected(game_id)
        counts = self._games.setdefault(game_id, Counter())
        counts[seat] += by
        if counts[seat] <= 0:
            del counts[seat]
        if not counts:
            del self._games[game_id]
        if self.connected(game_id) != before:
            await self._bus.publish(game_topic(game_id), PresenceChange(self.connected(game_id)))
