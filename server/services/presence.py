"""Presence: which seats of each game have open sockets, how many spectators there are, and which bots are away.

Kept in memory only; changes are published on the bus.
"""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from protocols.values import Attendance
from server.services.bus import Bus
from server.services.changes import game_topic

ALL_PRESENCE = "presence"
"""The topic of all changes of presence in all games, including spectators."""


@dataclass(frozen=True, slots=True)
class PresenceChange:
    """The presence in a game after a change."""

    game_id: str
    attendance: Attendance
    spectators: int


class Presence:
    """Counts open sockets by game and seat, and tracks which bots are away."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._games: dict[str, Counter[int | None]] = {}
        """By seat; spectators are counted under None."""
        self._away: dict[str, frozenset[int]] = {}

    def attendance(self, game_id: str) -> Attendance:
        """Returns which seats of a game are connected, and which bots are away."""
        here = frozenset(seat for seat in self._games.get(game_id, ()) if seat is not None)
        return Attendance(here, self._away.get(game_id, frozenset()))

    def spectators(self, game_id: str) -> int:
        """Returns the number of sockets of spectators of a game."""
        return self._games.get(game_id, Counter())[None]

    @asynccontextmanager
    async def present(self, game_id: str, seat: int | None) -> AsyncIterator[None]:
        """Counts a socket of ``seat``, or of a spectator (None), for the duration of the context."""
        await self._count(game_id, seat, 1)
        try:
            yield
        finally:
            await self._count(game_id, seat, -1)

    async def set_away(self, game_id: str, seat: int) -> None:
        """Marks the bot of a seat as away: its client has not reconnected yet."""
        before = self._now(game_id)
        self._away[game_id] = before.attendance.away | {seat}
        await self._publish(before)

    async def set_back(self, game_id: str, seat: int) -> None:
        """Marks the bot of a seat as no longer away: it is back, or the game no longer waits for it."""
        before = self._now(game_id)
        still_away = before.attendance.away - {seat}
        if still_away:
            self._away[game_id] = still_away
        else:
            self._away.pop(game_id, None)
        await self._publish(before)

    async def _count(self, game_id: str, seat: int | None, by: int) -> None:
        before = self._now(game_id)
        counts = self._games.setdefault(game_id, Counter())
        counts[seat] += by
        if counts[seat] <= 0:
            del counts[seat]
        if not counts:
            del self._games[game_id]
        await self._publish(before)

    def _now(self, game_id: str) -> PresenceChange:
        return PresenceChange(game_id, self.attendance(game_id), self.spectators(game_id))

    async def _publish(self, before: PresenceChange) -> None:
        """Publishes to the game's topic only if players changed, since many spectators may come and go."""
        after = self._now(before.game_id)
        if after.attendance != before.attendance:
            await self._bus.publish(game_topic(after.game_id), after)
        if after != before:
            await self._bus.publish(ALL_PRESENCE, after)
