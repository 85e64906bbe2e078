"""Moves the lease of a game to the server to which its clients are connected.

A proxy that sends all connections of a game to one server need not know which server created the game: the lease
follows the first connection. While connections at several servers use a game, its lease stays where it is.
"""

from server.services.cluster.bus import Bus
from server.services.cluster.leases import LEASES, GameLost
from server.services.cluster.presence import ALL_PRESENCE, Presence, PresenceChange
from server.services.cluster.server_messages import SERVERS, LeaseTaken
from server.services.cluster.topic_reader import TopicReader
from server.services.games.games import Games
from server.services.tasks import Tasks


class LeaseMoves:
    """Takes leases for this server, and gives up those that other servers have taken."""

    def __init__(self, games: Games, presence: Presence, bus: Bus) -> None:
        self._games = games
        self._presence = presence
        self._bus = bus
        self._tasks = Tasks()

    def start(self) -> None:
        """Starts to follow connections and the other servers."""
        opened = TopicReader(self._bus, ALL_PRESENCE, self._is_wanted)
        taken = TopicReader(self._bus, SERVERS, self._is_taken)
        self._tasks.start(opened.follow(self._take))
        self._tasks.start(taken.follow(self._give_up))

    async def stop(self) -> None:
        """Stops following."""
        await self._tasks.stop()

    def _is_wanted(self, change: PresenceChange) -> bool:
        leases, game_id = self._games.leases, change.game_id
        is_one_of_many = self._bus.has_others and not leases.is_alone
        return is_one_of_many and game_id not in leases and self._presence.is_only_here(game_id)

    async def _take(self, change: PresenceChange) -> None:
        lease = await self._games.take_lease(change.game_id) if self._is_wanted(change) else None
        if lease is not None:
            await self._bus.publish(SERVERS, LeaseTaken(lease.server, change.game_id, lease.epoch))

    def _is_taken(self, message: object) -> bool:
        leases = self._games.leases
        return (
            isinstance(message, LeaseTaken)
            and message.game_id in leases
            and leases.lease(message.game_id).epoch < message.epoch
        )

    async def _give_up(self, message: LeaseTaken) -> None:
        if self._is_taken(message):
            self._games.leases.drop(message.game_id)
            await self._bus.publish(LEASES, GameLost(message.game_id))
