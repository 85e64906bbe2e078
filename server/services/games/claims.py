"""Claims against absent players, and the end of games that bots play with nobody; ``domain.claims`` decides.

A player is present with a socket or a UHP connection to any server, and for a while after a request with the token.
"""

import asyncio
from collections.abc import Mapping

from protocols.play.events import ClaimableAt
from protocols.values import ClaimKind, Status
from server.domain import commands as c
from server.domain.absence import left_to_bots
from server.domain.claims import claimable_at, may_claim
from server.domain.errors import ApiError
from server.domain.game import GameState
from server.ports.store import ListingQuery
from server.services.cluster.changes import Change
from server.services.cluster.presence import Presence
from server.services.games.games import Games
from server.services.tasks import Tasks

MOST_CHECK_SECONDS = 600.0
"""Maximum time between two checks of the games with bots."""


class ClaimWatch:
    """When one player may claim the end of a game, as the game and the presence of its players change."""

    def __init__(self, claims: "Claims", state: GameState, seat: int) -> None:
        self._claims = claims
        self._state = state
        self._seat = seat

    def after(self, message: object = None) -> ClaimableAt:
        """Returns when the player may claim after a message of the game's topic."""
        if isinstance(message, Change) and message.state.version > self._state.version:
            self._state = message.state
        return self._claims.watched(self._state, self._seat)


class Claims:
    """Who is absent from which game. ``bots_wait_seconds``: how long bots wait for a move; 0: for ever."""

    def __init__(self, games: Games, presence: Presence, bots_wait_seconds: float) -> None:
        self._games = games
        self._presence = presence
        self._bots_wait_seconds = bots_wait_seconds
        self._tasks = Tasks()

    def start(self) -> None:
        """Starts to end the games that people have left to bots."""
        if self._bots_wait_seconds > 0:
            self._tasks.repeat(self._check_regularly)

    async def stop(self) -> None:
        """Ends no more games."""
        await self._tasks.stop()

    def seen(self, game_id: str, seat: int) -> None:
        """Notes a sign of life of a player who may have no connection."""
        self._presence.departures.note((game_id, seat))

    def claimable_at(self, state: GameState, seat: int) -> int | None:
        """When ``seat`` may claim the win if nothing changes, in milliseconds since the epoch; None: it may not."""
        if not may_claim(state, seat):
            return None
        return claimable_at(state, seat, self._last_seen(state), self._presence.departures.remembered_ms)

    def watched(self, state: GameState, seat: int) -> ClaimableAt:
        """Returns the same as an event of the player's session."""
        return ClaimableAt(self.claimable_at(state, seat), self._games.now())

    async def claim(self, game_id: str, seat: int, kind: ClaimKind) -> GameState:
        """Ends the game against an absent player. Raises ApiError."""
        state = await self._games.get(game_id)
        return await self._games.claim(
            game_id, c.ClaimGame(seat, kind, self._last_seen(state), self._presence.departures.remembered_ms)
        )

    def _last_seen(self, state: GameState) -> Mapping[int, int]:
        """When the absent players were last connected, by seat."""
        here, departures = self._presence.attendance(state.id).here, self._presence.departures
        return {seat: departures.last_seen((state.id, seat)) for seat in state.still_in if seat not in here}

    # ---- games with bots -------------------------------------------------------------------------

    async def _check_regularly(self) -> None:
        await asyncio.sleep(min(MOST_CHECK_SECONDS, self._bots_wait_seconds / 2))
        await self.end_abandoned()

    async def end_abandoned(self) -> None:
        """Ends the games that bots play with nobody, of those whose leases this server holds."""
        query = ListingQuery(status=Status.PLAYING.value, has_bot=True, is_timed=False)
        waited_since = self._games.now() - round(self._bots_wait_seconds * 1000)
        for listing in await self._games.listings(query):
            if listing.updated_at <= waited_since and listing.game_id in self._games.leases:
                await self._end(listing.game_id, waited_since)

    async def _end(self, game_id: str, waited_since: int) -> None:
        state = await self._games.get(game_id)
        last_seen = self._last_seen(state)
        away_since = self._games.now() - self._presence.departures.remembered_ms
        absent = {seat for seat, moment in last_seen.items() if moment <= away_since}
        for seat in left_to_bots(state, absent, waited_since):
            try:
                await self._games.stop_waiting(game_id, seat)
            except ApiError:  # Another server holds the lease by now, or the next check tries again.
                return
