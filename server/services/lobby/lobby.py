"""The lobby: the lists of live games and of games waiting for a player, and their followers.

Kept in memory and updated from bus messages, so that a list needs no database query. Followers get changes in batches;
of each game, a batch contains only the latest state. With many moves, a batch has those of some games, in turn: what a
follower is sent does not grow with the number of moves. Moves in live games are added to the list only when somebody
reads it: a server receives those of all servers, and its lists are read less often.
"""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice

from protocols.play.lobby import LiveGame, LobbyContents, LobbySocket
from protocols.values import Listed, Status, Visibility
from server.domain.game import MATCHMAKING
from server.ports.connection import Connection
from server.ports.store import Listing, ListingQuery
from server.services.broadcast import Broadcast
from server.services.cluster.bus import Bus
from server.services.cluster.changes import Change
from server.services.cluster.games_reader import GamesReader
from server.services.cluster.listing import listed_of
from server.services.cluster.presence import ALL_PRESENCE, Presence, PresenceChange
from server.services.cluster.topic_reader import TopicReader, retry_until_read
from server.services.games.games import Games
from server.services.lobby.live_list import LiveList, LobbyChange
from server.services.lobby.waiting_list import HOST_AWAY_MS, WaitingGame, WaitingList
from server.services.tasks import Tasks

LIMIT = 200
"""The maximum number of live games in the list. Each takes about 400 bytes."""

LISTED = (Visibility.PUBLIC, Visibility.SITE)
"""The visibilities of games that the lobby's lists show."""

TELL_SECONDS = 0.1
"""The minimum time between two batches of changes."""

UPDATES_AT_ONCE = 10
"""The maximum number of listed games in a batch, besides those that are added and removed."""

UPDATES_PER_SECOND = 20
"""How many of them followers are sent, on average."""

READ_AT_ONCE = 500
"""How many games a statement reads."""

SWEEPS = 10
"""How often per ``abandoned_seconds`` abandoned games are removed."""


class Lobby:
    """The lists of live and waiting games."""

    def __init__(self, games: Games, bus: Bus, presence: Presence, abandoned_seconds: float) -> None:
        """``abandoned_seconds``: how long a game without moves and open sockets stays in the list."""
        self._abandoned_ms = round(abandoned_seconds * 1000)
        self._games = games
        self._bus = bus
        self._presence = presence
        self._live = LiveList(LIMIT)
        self._deferred: dict[str, Listing | None] = {}
        """The rows that the list of live games lacks, the latest change last; None if only the presence changed."""
        self._waiting = WaitingList()
        self._arrived: set[str] = set()
        """The games that the lists lack and to which somebody has connected, until they are read."""
        self._reading: asyncio.Task[None] | None = None
        self._broadcasts = {
            with_extensions: Broadcast(LobbySocket(with_extensions).notify)
            for with_extensions in (False, True)
        }
        self._unsent: dict[str, LobbyChange] = {}
        """What has been added and removed since the last batch."""
        self._updates: dict[str, LiveGame] = {}
        """The listed games that have changed since their last batch, the one waiting for the longest time first."""
        self._telling: asyncio.TimerHandle | None = None
        self._tell_at = 0.0
        """The earliest time of the next batch, by the clock of the event loop."""
        self._tasks = Tasks()

    async def start(self) -> None:
        """Starts to follow all games, and reads the recent ones from the store."""
        changes, arrivals = GamesReader(self._bus), TopicReader(self._bus, ALL_PRESENCE)
        await self._read_rows()
        self._tasks.start(changes.follow(self._take_change, self._take, self._read_again))
        self._tasks.start(arrivals.follow(self._take_presence, self._read_again))
        self._tasks.repeat(self._sweep)

    async def stop(self) -> None:
        """Stops following games."""
        if self._telling is not None:
            self._telling.cancel()
        await self._tasks.stop()

    # ---- lists and followers ---------------------------------------------------------------------

    @property
    def contents(self) -> LobbyContents:
        """The live games."""
        self._apply_deferred()
        return self._live.contents

    def waiting(self) -> list[WaitingGame]:
        """Returns the games that anyone can join, the longest waiting first."""
        return self._waiting.present(self._games.now())

    @contextmanager
    def followed_by(self, peer: Connection, *, with_extensions: bool) -> Iterator[None]:
        """Sends a client changes to the list of live games, for the duration of the context.

        This starts with the changes after this call: the client must already have been sent ``contents``.
        """
        self._apply_deferred()
        self._tell_all()
        with self._broadcasts[with_extensions].joined(peer):
            yield

    # ---- bus messages ----------------------------------------------------------------------------

    async def _take_change(self, change: Change) -> None:
        self._take_row(change.listing)

    async def _take(self, row: Listing) -> None:
        self._take_row(row)

    def _take_row(self, row: Listing) -> None:
        is_listed = row.status == Status.PLAYING and row.visibility != Visibility.UNLISTED
        if is_listed and self._waiting.find(row.game_id) is None:
            self._defer(row.game_id, row)
        elif is_listed or row.status == Status.OPEN:
            self._take_game(listed_of(row))
        else:
            self._drop(row.game_id)
            self._waiting.drop(row.game_id)

    def _take_game(self, game: Listed) -> None:
        if game.status is Status.PLAYING and game.visibility is not Visibility.UNLISTED:
            self._put(game)
        else:
            self._drop(game.game_id)
        if game.status is Status.OPEN and game.match_type == MATCHMAKING:
            self._wait(game)
        else:
            self._waiting.drop(game.game_id)

    def _drop(self, game_id: str) -> None:
        self._deferred.pop(game_id, None)
        self._tell(self._live.drop(game_id))

    async def _take_presence(self, change: PresenceChange) -> None:
        game_id = change.game_id
        waiting = self._waiting.find(game_id)
        if game_id in self._deferred or self._live.find(game_id) is not None:
            self._defer(game_id, self._deferred.get(game_id))
        elif waiting is not None:
            self._wait(waiting)
        elif self._is_attended(game_id):
            self._read_soon(game_id)

    def _read_soon(self, game_id: str) -> None:
        """Reads a game that the lists lack at once, or with all to which people connect after the last reading."""
        self._arrived.add(game_id)
        if self._reading is None or self._reading.done():
            self._reading = self._tasks.start(self._read_arrived())

    async def _read_arrived(self) -> None:
        while self._arrived:
            arrived, self._arrived = self._arrived, set()
            await retry_until_read(partial(self._read, arrived))
            await asyncio.sleep(TELL_SECONDS)

    def _defer(self, game_id: str, row: Listing | None) -> None:
        """Keeps a row until somebody reads the list, but not too many of them."""
        known = self._deferred.pop(game_id, None)
        is_older = known is not None and row is not None and row.updated_at < known.updated_at
        self._deferred[game_id] = known if is_older else row
        if len(self._deferred) > LIMIT:
            self._apply_deferred()
        self._tell_soon()

    def _apply_deferred(self) -> None:
        deferred, self._deferred = self._deferred, {}
        for game_id, row in deferred.items():
            known = self._live.find(game_id)
            if row is not None:
                if self._live.takes(game_id, row.updated_at):
                    self._put(listed_of(row))
            elif known is not None:
                self._put(known.game)

    def _put(self, game: Listed) -> None:
        is_listed = self._live.find(game.game_id) is not None
        live = LiveGame(game, self._presence.spectators(game.game_id))
        changes = self._live.put(live)
        if not is_listed or game.game_id in self._unsent:
            self._tell(changes)
        elif changes and self._is_followed:
            self._updates[game.game_id] = live
            self._tell_soon()

    def _wait(self, game: Listed) -> None:
        self._waiting.put(game, self._presence.attendance(game.game_id), self._games.now())

    def _is_attended(self, game_id: str) -> bool:
        return bool(self._presence.attendance(game_id).here or self._presence.spectators(game_id))

    # ---- reading the store -----------------------------------------------------------------------

    async def _read_rows(self) -> set[str]:
        """Adds the recent games and returns their ids."""
        found = set()
        for status, age in ((Status.PLAYING, self._abandoned_ms), (Status.OPEN, HOST_AWAY_MS)):
            since = self._games.now() - age
            query = ListingQuery(status.value, visibility=LISTED, updated_since=since, limit=LIMIT)
            for listing in reversed(await self._games.listings(query)):
                self._take_row(listing)
                found.add(listing.game_id)
        return found

    async def _read(self, game_ids: Iterable[str]) -> None:
        """Adds these games. May be repeated. Raises ApiError."""
        left = iter(game_ids)
        while some := tuple(islice(left, READ_AT_ONCE)):
            for listing in await self._games.listings(ListingQuery(game_ids=some)):
                self._take_row(listing)

    async def _read_again(self) -> None:
        listed = {live.game_id for live in self.contents.games}
        listed |= {waiting.game.game_id for waiting in self.waiting()}
        await self._read(listed - await self._read_rows())

    # ---- sending changes -------------------------------------------------------------------------

    @property
    def _is_followed(self) -> bool:
        return not all(broadcast.is_idle for broadcast in self._broadcasts.values())

    def _tell(self, changes: Iterable[LobbyChange]) -> None:
        """Queues games that have been added or removed for the next batch."""
        if self._is_followed:
            for one in changes:
                self._updates.pop(one.game_id, None)
                self._unsent[one.game_id] = one
            self._tell_soon()

    def _tell_soon(self) -> None:
        if self._is_followed and self._telling is None:
            loop = asyncio.get_running_loop()
            self._telling = loop.call_at(max(loop.time(), self._tell_at), self._tell_batch)

    def _tell_batch(self) -> None:
        self._apply_deferred()
        self._tell_all()

    def _tell_all(self) -> None:
        """Sends a batch. Updates that it leaves are sent later, also to those who join now, who have them already."""
        if self._telling is not None:
            self._telling.cancel()
        if not self._is_followed:
            self._updates.clear()
        due = tuple(islice(self._updates, UPDATES_AT_ONCE))
        batch = self._unsent | {game_id: self._updates.pop(game_id) for game_id in due}
        self._unsent, self._telling = {}, None
        pause = max(TELL_SECONDS, len(due) / UPDATES_PER_SECOND)
        self._tell_at = asyncio.get_running_loop().time() + pause
        for broadcast in self._broadcasts.values():
            if broadcast.is_idle:
                continue  # no need to render the frames
            for game_id, changes in batch.items():
                broadcast.send(changes, game_id)
        if self._updates:
            self._tell_soon()

    # ---- removing abandoned games ----------------------------------------------------------------

    async def _sweep(self) -> None:
        await asyncio.sleep(self._abandoned_ms / 1000 / SWEEPS)
        self._apply_deferred()
        self._tell(self._live.sweep(self._games.now() - self._abandoned_ms, self._is_attended))
        self._waiting.present(self._games.now())
