"""The lobby: which games are being played and which wait for somebody to join, for lists and their followers.

Kept in memory from what the bus tells, so that a list costs no reading of the store. News reach followers in batches:
what changes again before it is told is told once.
"""

import asyncio
import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from protocols.play.lobby import Gallery, LiveGame, LobbySocket
from protocols.play.table import Listed
from server.domain.errors import ApiError
from server.domain.events import Visibility
from server.domain.game import MATCHMAKING, Status
from server.domain.public import table_of
from server.ports import Bus, ListingQuery
from server.services.broadcast import Broadcast, Peer
from server.services.changes import ALL_GAMES, Change, FarChange, FarChangesMissed
from server.services.following import Followed, until_read
from server.services.games import Games
from server.services.listing import listed_of, listing_of
from server.services.live_list import LiveList, News
from server.services.presence import ALL_PRESENCE, Presence, PresenceChange
from server.services.waiting_list import HOST_AWAY_MS, Waiting, WaitingList

log = logging.getLogger(__name__)

LIMIT = 1000
"""The most live games in the list."""

LISTED = (Visibility.PUBLIC, Visibility.SITE)
"""Which games are in any list of these."""

TELL_SECONDS = 0.1
"""The least time between two batches of news."""

SWEEPS = 10
"""How often abandoned games are looked for in the time that makes one."""


class Lobby:
    """The lists of games that are on."""

    def __init__(self, games: Games, bus: Bus, presence: Presence, abandoned_seconds: float) -> None:
        """``abandoned_seconds``: how long a game stays in the list in which nothing happens and no socket is open."""
        self._abandoned_ms = round(abandoned_seconds * 1000)
        self._games = games
        self._bus = bus
        self._presence = presence
        self._live = LiveList(LIMIT)
        self._waiting = WaitingList()
        self._broadcasts = {
            with_extensions: Broadcast(LobbySocket(with_extensions).notify)
            for with_extensions in (False, True)
        }
        self._untold: dict[str, News] = {}
        self._telling: asyncio.TimerHandle | None = None
        self._told_at = 0.0
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Follows all games, and reads from the store those that were on lately."""
        changes, arrivals = Followed(self._bus, ALL_GAMES), Followed(self._bus, ALL_PRESENCE)
        await self._read_rows()
        work = (self._follow(changes), self._follow(arrivals), self._sweep())
        self._tasks = [asyncio.ensure_future(part) for part in work]

    async def stop(self) -> None:
        """Follows nothing any more."""
        if self._telling is not None:
            self._telling.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # ---- what is asked ---------------------------------------------------------------------------

    @property
    def gallery(self) -> Gallery:
        """The live games."""
        return self._live.gallery

    def waiting(self) -> list[Waiting]:
        """The games that anybody can join, the first to wait first."""
        return self._waiting.present(self._games.now())

    @contextmanager
    def followed_by(self, peer: Peer, *, with_extensions: bool) -> Iterator[None]:
        """Tells a client how the live games change, as long as this lasts.

        It begins with what changes after this call: ``gallery`` is what a client is shown before.
        """
        self._tell_all()
        with self._broadcasts[with_extensions].joined(peer):
            yield

    # ---- what the bus tells ----------------------------------------------------------------------

    async def _follow(self, followed: Followed) -> None:
        async for message in followed.messages(self._read_again):
            await self._take(message)

    async def _take(self, message: object) -> None:
        match message:
            case Change() | FarChange():
                self._take_game(listed_of(message.listing))
            case FarChangesMissed():
                await until_read(self._read_again)
            case PresenceChange():
                await self._take_presence(message.game_id)

    def _take_game(self, game: Listed) -> None:
        if game.status == "playing" and game.visibility != "unlisted":
            self._put(game)
        else:
            self._tell(self._live.drop(game.game_id))
        if game.status == "open" and game.match_type == MATCHMAKING:
            self._wait(game)
        else:
            self._waiting.drop(game.game_id)

    async def _take_presence(self, game_id: str) -> None:
        live, waiting = self._live.find(game_id), self._waiting.find(game_id)
        if live is not None:
            self._put(live.game)
        elif waiting is not None:
            self._wait(waiting)
        elif self._is_attended(game_id):
            await self._read(game_id)

    def _put(self, game: Listed) -> None:
        self._tell(self._live.put(LiveGame(game, self._presence.spectators(game.game_id))))

    def _wait(self, game: Listed) -> None:
        self._waiting.put(game, self._presence.attendance(game.game_id), self._games.now())

    def _is_attended(self, game_id: str) -> bool:
        return bool(self._presence.attendance(game_id).here or self._presence.spectators(game_id))

    # ---- what is read from the store -------------------------------------------------------------

    async def _read_rows(self) -> set[str]:
        """Takes in the games that were on lately; their ids."""
        found = set()
        for status, age in ((Status.PLAYING, self._abandoned_ms), (Status.OPEN, HOST_AWAY_MS)):
            since = self._games.now() - age
            query = ListingQuery(status.value, visibility=LISTED, updated_since=since, limit=LIMIT)
            for listing in reversed(await self._games.listings(query)):
                self._take_game(listed_of(listing))
                found.add(listing.game_id)
        return found

    async def _read(self, game_id: str) -> None:
        try:
            state = await self._games.get(game_id)
            self._take_game(listed_of(listing_of(state, table_of(state, state.updated_at))))
        except ApiError as refusal:
            log.warning("game %s is in no list for now: %s", game_id, refusal)

    async def _read_again(self) -> None:
        listed = {live.game_id for live in self._live.gallery.games}
        listed |= {waiting.game.game_id for waiting in self.waiting()}
        for game_id in listed - await self._read_rows():
            await self._read(game_id)

    # ---- what followers are told -----------------------------------------------------------------

    def _tell(self, news: Iterable[News]) -> None:
        """Soon, together with what else changes until then."""
        self._untold |= {one.game_id: one for one in news}
        if self._untold and self._telling is None:
            loop = asyncio.get_running_loop()
            self._telling = loop.call_at(max(loop.time(), self._told_at + TELL_SECONDS), self._tell_all)

    def _tell_all(self) -> None:
        if self._telling is None:
            return
        self._telling.cancel()
        batch, self._untold, self._telling = self._untold, {}, None
        self._told_at = asyncio.get_running_loop().time()
        for broadcast in self._broadcasts.values():
            if broadcast.is_idle:
                continue  # Otherwise frames would be written for nobody.
            for game_id, news in batch.items():
                broadcast.send(news, game_id)

    # ---- what time takes away --------------------------------------------------------------------

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(self._abandoned_ms / 1000 / SWEEPS)
            self._tell(self._live.sweep(self._games.now() - self._abandoned_ms, self._is_attended))
            self._waiting.present(self._games.now())
