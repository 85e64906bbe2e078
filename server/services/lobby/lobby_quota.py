"""Limits how many games a client may offer in the lobby without staying connected to them.

Hosts are anonymous, so games are counted by client address. A game counts while it waits in the lobby and its host has
no open socket. It stops counting when the host reconnects, when a player joins, or after two minutes without the host.
Each process counts separately.
"""

from collections import Counter
from dataclasses import dataclass

from protocols.values import Listed
from server.domain.errors import ApiError, Code
from server.domain.game import MATCHMAKING
from server.services.cluster.presence import Presence
from server.services.games.command_results import NewTable
from server.services.games.game_factory import NewGame
from server.services.games.games import Games
from server.services.lobby.lobby import Lobby

UNSEEN_MS = 1000
"""How long a new game counts before the lobby lists it."""

RETRY_MS = 10_000
"""When to try again after a refusal: a player may have joined by then."""


@dataclass(frozen=True, slots=True)
class _Offered:
    client: str
    at: int


class LobbyQuota:
    """Creates games within the limit per client; ``limit`` 0: no limit."""

    def __init__(self, games: Games, lobby: Lobby, presence: Presence, limit: int) -> None:
        self._games = games
        self._lobby = lobby
        self._presence = presence
        self._limit = limit
        self._offered: dict[str, _Offered] = {}
        self._opening: Counter[str] = Counter()

    async def create(self, request: NewGame, client: str | None) -> NewTable:
        """Creates a game, like ``Games.create``. ``client``: the creator's address; None: no limit applies.

        ApiError ``too-many-requests`` if the client already offers too many games in the lobby.
        """
        if request.match_type != MATCHMAKING or client is None or self._limit == 0:
            return await self._games.create(request, client)
        self._check(client)
        self._opening[client] += 1
        try:
            opened = await self._games.create(request, client)
        finally:
            self._opening -= Counter({client: 1})
        self._offered[opened.state.id] = _Offered(client, opened.state.created_at)
        return opened

    def _check(self, client: str) -> None:
        if self._held(client) + self._opening[client] >= self._limit:
            text = (
                f"You already offer {self._limit} games in the lobby without being connected to them. "
                "Open one of them, or abort it, before you offer another."
            )
            raise ApiError(Code.TOO_MANY_REQUESTS, text, limit=self._limit, retry_after_ms=RETRY_MS)

    def _held(self, client: str) -> int:
        """The number of games that count for this client. Also forgets all clients' games that left the lobby."""
        now = self._games.now()
        waiting = {one.game.game_id: one.game for one in self._lobby.waiting()}
        self._offered = {
            game_id: offered
            for game_id, offered in self._offered.items()
            if game_id in waiting or now - offered.at < UNSEEN_MS
        }
        return sum(
            offered.client == client and not self._is_attended(waiting.get(game_id))
            for game_id, offered in self._offered.items()
        )

    def _is_attended(self, game: Listed | None) -> bool:
        return game is not None and game.host in self._presence.attendance(game.game_id).here
