"""Who is there: how many sockets each seat of each game has open, how many watch, and which bots are away.

In memory only; told on the bus.
"""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from protocols.play.table import Attendance
from server.ports import Bus
from server.services.changes import game_topic

ALL_PRESENCE = "presence"
"""The topic on which every change of presence in every game is told, spectators included."""


@dataclass(frozen=True, slots=True)
class PresenceChange:
    """Who is there now."""

    game_id: str
    attendance: Attendance
    spectators: int


class Presence:
    """Counts open sockets by game and seat, and knows which bots are away."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._games: dict[str, Counter[int | None]] = {}
        """By seat; spectators are counted under None."""
        self._away: dict[str, frozenset[int]] = {}

    def attendance(self, game_id: str) -> Attendance:
        """Who is there in a game."""
        here = frozenset(seat for seat in self._games.get(game_id, ()) if seat is not None)
        return Attendance(here, self._away.get(game_id, frozenset()))

    def spectators(self, game_id: str) -> int:
        """How many sockets watch a game."""
        return self._games.get(game_id, Counter())[None]

    @asynccontextmanager
    async def present(self, game_id: str, seat: int | None) -> AsyncIterator[None]:
        """The player of ``seat``, or a spectator (None), is there as long as this lasts."""
        await self._count(game_id, seat, 1)
        try:
            yield
        finally:
            await self._count(game_id, seat, -1)

    async def set_away(self, game_id: str, seat: int) -> None:
        """The bot of a seat has not come back yet."""
        before = self._now(game_id)
        self._away[game_id] = before.attendance.away | {seat}
        await self._tell(before)

    async def set_back(self, game_id: str, seat: int) -> None:
        """The bot of a seat is there, or waited for no more."""
        before = self._now(game_id)
        still_away = before.attendance.away - {seat}
        if still_away:
            self._away[game_id] = still_away
        else:
            self._away.pop(game_id, None)
        await self._tell(before)

    async def _count(self, game_id: str, seat: int | None, by: int) -> None:
        before = self._now(game_id)
        counts = self._games.setdefault(game_id, Counter())
        counts[seat] += by
        if counts[seat] <= 0:
            del counts[seat]
        if not counts:
            del self._games[game_id]
        await self._tell(before)

    def _now(self, game_id: str) -> PresenceChange:
        return PresenceChange(game_id, self.attendance(game_id), self.spectators(game_id))

    async def _tell(self, before: PresenceChange) -> None:
        """Those who follow the game are told of its players alone: spectators may come and go in crowds."""
        after = self._now(before.game_id)
        if after.attendance != before.attendance:
            await self._bus.publish(game_topic(after.game_id), after)
        if after != before:
            await self._bus.publish(ALL_PRESENCE, after)
