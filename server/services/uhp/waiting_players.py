"""The players who wait for an opponent over UHP. Servers announce to each other whom they have waiting.

Who has waited longer comes first, at all servers alike. Used by ``matchmaking``.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from pydantic import TypeAdapter

from protocols.uhp.remote.seek_criteria import SeekCriteria
from server.services.cluster.announcements import AnnouncementChange, Announcements

SEEKS: Final = "seeks"
"""The kind of the announcements, by game."""


@dataclass(frozen=True, slots=True)
class WaitingPlayer:
    """A player who waits in an open game, as announced. ``created_at``: the arrival, in ms since the epoch.

    At each server everyone arrives at a time of its own, even if two games were created in the same millisecond.
    """

    game_id: str
    criteria: SeekCriteria
    created_at: int

    @property
    def order(self) -> tuple[int, str]:
        """Sorts by the time of arrival."""
        return self.created_at, self.game_id

    def is_due_before(self, other: "WaitingPlayer") -> bool:
        """Whether ``other`` should join this player's game, and not the reverse."""
        return self.order < other.order and self.criteria.suits(other.criteria)


_SEEK = TypeAdapter(WaitingPlayer)


class WaitingPlayers:
    """The players who wait at this server or another one."""

    def __init__(self, announcements: Announcements) -> None:
        self._announcements = announcements
        self._seeks: dict[str, WaitingPlayer] = {}
        """All of them, by game."""
        self._own: dict[str, asyncio.Event] = {}
        """For each game opened here, even if its second player has just joined: set once it should be left."""
        self._last_arrival = 0
        announcements.listen(SEEKS, self._take)

    def __len__(self) -> int:
        """How many wait at this server."""
        return len(self._own.keys() & self._seeks.keys())

    def __contains__(self, game_id: str) -> bool:
        """Whether a player opened the game in order to wait in it."""
        return game_id in self._own or game_id in self._seeks

    def suitable(self, criteria: SeekCriteria) -> list[WaitingPlayer]:
        """The suitable players, who go on waiting until they are removed."""
        seeks = sorted(self._seeks.values(), key=lambda seek: seek.order)
        return [seek for seek in seeks if criteria.suits(seek.criteria)]

    def remove(self, game_id: str) -> None:
        """Removes the player of this game, who waits no more: the game is full or over."""
        self._seeks.pop(game_id, None)

    def add(self, game_id: str, criteria: SeekCriteria, created_at: int) -> WaitingPlayer:
        """Adds a player of this server, who arrives after all those added before. ``created_at``: of the game."""
        self._last_arrival = max(created_at, self._last_arrival + 1)
        seek = self._seeks[game_id] = WaitingPlayer(game_id, criteria, self._last_arrival)
        self._own[game_id] = asyncio.Event()
        return seek

    @asynccontextmanager
    async def announced(self, seek: WaitingPlayer) -> AsyncIterator[asyncio.Event]:
        """Announces a player of this server within this context, and removes it afterwards.

        The event is set once a suitable player is known who has waited longer at another server.
        """
        try:
            await self._announcements.put(SEEKS, seek.game_id, _SEEK.dump_python(seek, mode="json"))
            for other in self._seeks.values():
                self._compare(seek, other)
            yield self._own[seek.game_id]
        finally:
            await self._announcements.withdraw(SEEKS, seek.game_id)
            self._seeks.pop(seek.game_id, None)
            del self._own[seek.game_id]

    async def _take(self, change: AnnouncementChange) -> None:
        """Takes what another server announces."""
        if change.value is None:
            self._seeks.pop(change.key, None)
            return
        other = self._seeks[change.key] = _SEEK.validate_python(change.value)
        for game_id in self._own.keys() & self._seeks.keys():
            self._compare(self._seeks[game_id], other)

    def _compare(self, own: WaitingPlayer, other: WaitingPlayer) -> None:
        if other.game_id not in self._own and other.is_due_before(own):
            self._own[own.game_id].set()
