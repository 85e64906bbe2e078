"""Which players are there: how many sockets each seat of each game has open, and which bots are away.

In memory only; told on the bus.
"""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from protocols.play.table import Attendance
from server.ports import Bus
from server.services.changes import game_topic


@dataclass(frozen=True, slots=True)
class PresenceChange:
    """Who is there now."""

    attendance: Attendance


class Presence:
    """Counts open sockets by game and seat, and knows which bots are away."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._games: dict[str, Counter[int]] = {}
        self._away: dict[str, frozenset[int]] = {}

    def attendance(self, game_id: str) -> Attendance:
        """Who is there in a game."""
        return Attendance(frozenset(self._games.get(game_id, ())), self._away.get(game_id, frozenset()))

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

    async def set_away(self, game_id: str, seat: int) -> None:
        """The bot of a seat has not come back yet."""
        before = self.attendance(game_id)
        self._away[game_id] = before.away | {seat}
        await self._tell(game_id, before)

    async def set_back(self, game_id: str, seat: int) -> None:
        """The bot of a seat is there, or waited for no more."""
        before = self.attendance(game_id)
        still_away = before.away - {seat}
        if still_away:
            self._away[game_id] = still_away
        else:
            self._away.pop(game_id, None)
        await self._tell(game_id, before)

    async def _count(self, game_id: str, seat: int, by: int) -> None:
        before = self.attendance(game_id)
        counts = self._games.setdefault(game_id, Counter())
        counts[seat] += by
        if counts[seat] <= 0:
            del counts[seat]
        if not counts:
            del self._games[game_id]
        await self._tell(game_id, before)

    async def _tell(self, game_id: str, before: Attendance) -> None:
        after = self.attendance(game_id)
        if after != before:
            await self._bus.publish(game_topic(game_id), PresenceChange(after))
