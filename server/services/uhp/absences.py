"""Tracks missing players of UHP games, and ends games that wait for them too long.

The holder of a game's lease does this. It checks regularly whether the players are connected, over UHP or on a page,
to any server: each server shares its players with its heartbeat. Players therefore need not announce that they leave,
and after a restart they are missing until they are connected again. ``domain.absence`` says how long a game waits.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial

from protocols.values import Status
from server.domain.absence import GracePeriods, due
from server.domain.errors import ApiError
from server.domain.public_table import table_of
from server.ports.store import Listing, Player
from server.services.cluster.bus import Bus
from server.services.cluster.changes import Change
from server.services.cluster.games_reader import GamesReader
from server.services.cluster.listing import listed_of, listing_of
from server.services.cluster.presence import Presence
from server.services.cluster.topic_reader import retry_until_read
from server.services.games.games import Games
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

CHECK_MS = 200
"""Maximum time between two checks."""

RETRY_SECONDS = 1.0
"""Pause after the store has failed."""


class Absences:
    """The players who may be missing."""

    def __init__(self, games: Games, bus: Bus, presence: Presence, grace: GracePeriods) -> None:
        self._games = games
        self._bus = bus
        self._presence = presence
        self._grace = grace
        self._seats: dict[str, tuple[int, ...]] = {}
        """The seats to track in all live games, by game; in an open game, the host's."""
        self._hosted: set[str] = set()
        """Open games whose hosts are connected here."""
        self._since: dict[Player, int] = {}
        """Since when players of games whose leases this server holds have been without a connection."""
        self._tasks = Tasks()

    async def start(self) -> None:
        """Starts to follow all games."""
        self._games.leases.players = self._players
        self._tasks.start(self._follow(GamesReader(self._bus, self._may_concern, self._may_concern_row)))
        self._tasks.repeat(self._check_regularly)

    def stop(self) -> None:
        """Stops tracking: players who are disconnected because the server is stopping do not lose."""
        self._tasks.cancel()

    def welcome(self, game_id: str, seat: int) -> None:
        """Called when a player has connected over UHP: from now on, the player is missed without a connection."""
        self._tasks.start(retry_until_read(partial(self._welcome, game_id, seat)))

    @asynccontextmanager
    async def hosting(self, game_id: str) -> AsyncIterator[None]:
        """Within this context, the host of the game counts as present."""
        self._hosted.add(game_id)
        try:
            yield
        finally:
            self._hosted.discard(game_id)

    # ---- games -----------------------------------------------------------------------------------

    async def _welcome(self, game_id: str, seat: int) -> None:
        state = await self._games.go_remote(game_id, seat)
        self._take(listing_of(state, table_of(state, state.updated_at)))

    async def _follow(self, changes: GamesReader) -> None:
        await retry_until_read(self._read_all)
        await changes.follow(self._take_change, self._take_row, self._read_all)

    async def _take_change(self, change: Change) -> None:
        self._take(change.listing)

    async def _take_row(self, row: Listing) -> None:
        self._take(row)

    def _may_concern(self, change: Change) -> bool:
        """Whether the game has a player to track, or may have had one until now: an open game's host."""
        state = change.state
        return state.has_remote or state.ply == 0 or state.id in self._seats

    def _may_concern_row(self, row: Listing) -> bool:
        return row.has_remote or row.ply == 0 or row.game_id in self._seats

    async def _read_all(self) -> None:
        listings = await self._games.live_with_remote()
        self._seats.clear()  # Games of which no message came may have ended.
        for listing in listings:
            self._take(listing)

    def _take(self, listing: Listing) -> None:
        if not listing.has_remote or listing.status not in (Status.OPEN, Status.PLAYING):
            self._seats.pop(listing.game_id, None)
            return
        game = listed_of(listing)
        remote = (index for index, seat in enumerate(game.seats) if seat.via is not None)
        self._seats[game.game_id] = (game.host,) if game.status is Status.OPEN else tuple(remote)

    # ---- players ---------------------------------------------------------------------------------

    def _players(self) -> Iterator[Player]:
        """The players who are connected here."""
        return (
            (game_id, seat) for game_id in self._seats for seat in self._presence.own(game_id).attendance.here
        )

    def _missing(self) -> list[Player]:
        """The players who are not connected here, of games whose leases this server holds."""
        held = [game_id for game_id in self._seats if game_id in self._games.leases]
        here = self._presence.own
        return [(name, seat) for name in held for seat in {*self._seats[name]} - here(name).attendance.here]

    async def _check_regularly(self) -> None:
        try:
            pause = await self._check() / 1000
        except ApiError as refusal:
            log.info("cannot check for missing players: %s", refusal)
            pause = RETRY_SECONDS
        await asyncio.sleep(pause)

    async def _check(self) -> int:
        """Ends games that have waited long enough. Returns how soon to check again, in ms."""
        now, pause = self._games.now(), CHECK_MS
        awaited = [player for player in self._missing() if await self._due(player, now) is not None]
        elsewhere = await self._games.leases.players_elsewhere() if awaited else frozenset()
        self._since = {player: self._since.get(player, now) for player in awaited if player not in elsewhere}
        for player, left_at in self._since.items():
            moment = await self._due(player, left_at)
            if moment is not None and moment <= now:
                await self._games.stop_waiting(*player)
            elif moment is not None:
                pause = min(pause, moment - now)
        return pause

    async def _due(self, player: Player, left_at: int) -> int | None:
        """When the game has waited long enough for a player who left at that time; None if it does not wait."""
        game_id, seat = player
        state = await self._games.get(game_id)
        is_hosted = state.status is Status.OPEN and game_id in self._hosted
        return None if is_hosted else due(state, seat, left_at, self._grace)
