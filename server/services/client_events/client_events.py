"""The event streams of clients: who may read which, and what their feeds are told.

Works at every server, wherever the games run and the bots are attached: all servers hear of all games and clients.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final
from weakref import WeakValueDictionary

from protocols.names import MAX_NAME
from protocols.values import Status
from server.domain.account import Allowance
from server.domain.client_ids import Proof, proof_of
from server.domain.errors import ApiError, Code
from server.domain.tournaments.state import TournamentState
from server.ports.store import ClientIdStore, Listing
from server.services.address_accounts import AddressAccounts
from server.services.address_limit import AddressLimit
from server.services.bots.bot_registry import BotRegistry, client_of
from server.services.client_events.client_event import StreamClosed
from server.services.client_events.client_feed import ClientFeed, PauseKey
from server.services.client_events.event_stream import EventStream
from server.services.cluster.bus import Bus
from server.services.cluster.changes import Change
from server.services.cluster.games_reader import GamesReader
from server.services.cluster.listing import listed_of
from server.services.cluster.server_messages import SERVERS, TournamentForfeits
from server.services.cluster.topic_reader import TopicReader
from server.services.games.games import Games
from server.services.heavy_work import HeavyWork
from server.services.ladder.ladder_bots import LadderBots
from server.services.tasks import Tasks

OPENINGS: Final = Allowance(per_second=0.5, most=30.0)
"""How often the clients of one address may ask for a stream: each time, the database is read."""

LOOK_SECONDS: Final = 1.0
"""How often it is looked why bots pause."""

GOING_AWAY: Final = "the server closes all connections: connect again"

UNKNOWN: Final = "There is no client {!r}: attach with this clientId first."
WRONG: Final = "That is not the resumeSecret of the client {!r}."
GUESTS: Final = (
    "The client {!r} belongs to the client that attached with it first, and this is a guest's resumeSecret."
)
OFFICIAL: Final = "The client {!r} has official bots, whose events are not shown."


class ClientEvents:
    """All streams of this server."""

    def __init__(
        self,
        ids: ClientIdStore,
        games: Games,
        bus: Bus,
        registry: BotRegistry,
        ladder_bots: LadderBots,
        tournament: Callable[[str], Awaitable[TournamentState]],
        work: HeavyWork,
        now: Callable[[], float],
        most: int,
    ) -> None:
        """``tournament`` reads the one with an id; ApiError ``not-found``. ``now``: seconds of a monotonic clock.

        ``most``: how many streams an address has; 0: any number.
        """
        self._ids = ids
        self._games = games
        self._registry = registry
        self._ladder_bots = ladder_bots
        self._tournament = tournament
        self._work = work
        self._limit = AddressLimit(most, "event streams")
        self._asked = AddressAccounts(OPENINGS, "of the event streams in a short time", now)
        self._feeds: dict[str, ClientFeed] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._reader = GamesReader(bus, self._wants, self._wants_row)
        self._forfeits = TopicReader(bus, SERVERS, self._wants_forfeits)
        self._tasks = Tasks()

    def start(self) -> None:
        """Follows the games, the clients and the ladder."""
        self._registry.listeners.add(self._see_bots)
        self._tasks.start(self._reader.follow(self._take_change, self._take_row, self._read_again))
        self._tasks.start(self._forfeits.follow(self._take_forfeits))
        self._tasks.repeat(self._look)

    async def stop(self) -> None:
        """Ends all streams."""
        self._registry.listeners.remove(self._see_bots)
        await self._tasks.stop()
        self.end_all()

    def end_all(self) -> None:
        """Ends all streams, whose readers connect again."""
        for feed in self._feeds.values():
            for stream in feed.streams:
                stream.end(StreamClosed(self._games.now(), GOING_AWAY))

    # ---- streams ---------------------------------------------------------------------------------

    async def open(
        self, client_id: str, secret: str, address: str | None, cut: Callable[[], None]
    ) -> EventStream:
        """Opens a stream for the owner of a client id; ``close`` must follow. ``cut`` as in ``EventStream``.

        ApiError if the secret is not the owner's, or the address has too many streams.
        """
        self._asked.check(address)
        self._limit.check(address)
        self._asked.charge(address, 1.0)
        await self._check(client_id, secret)
        async with self._feed(client_id) as feed:
            self._limit.take(address)
            stream = EventStream(feed.known, address, cut)
            feed.add(stream, self._games.now())
            return stream

    def close(self, client_id: str, stream: EventStream) -> None:
        """Forgets a stream whose reader has left or has read everything."""
        stream.release()
        self._limit.give_back(stream.address)
        feed = self._feeds[client_id]
        feed.streams.remove(stream)
        if not feed.streams:
            del self._feeds[client_id]

    async def _check(self, client_id: str, secret: str) -> None:
        is_possible = len(client_id) <= MAX_NAME
        known = await self._ids.client_id(client_id) if is_possible else None
        if known is None:
            raise ApiError(Code.NO_TOKEN, UNKNOWN.format(client_id[:MAX_NAME]))
        match proof_of(known, secret):
            case Proof.NOTHING:
                raise ApiError(Code.NO_TOKEN, WRONG.format(client_id))
            case Proof.GUEST:
                raise ApiError(Code.NO_TOKEN, GUESTS.format(client_id))
            case Proof.OWNER if known.is_official:
                raise ApiError(Code.NO_TOKEN, OFFICIAL.format(client_id))
            case Proof.OWNER:
                return

    @asynccontextmanager
    async def _feed(self, client_id: str) -> AsyncIterator[ClientFeed]:
        """The feed of a client, to which a stream is to be added; without one, it is forgotten."""
        async with self._locks.setdefault(client_id, asyncio.Lock()):
            feed = self._feeds.get(client_id)
            try:
                if feed is None:
                    feed = self._feeds[client_id] = ClientFeed(client_id, self._games.now())
                    await self._work.paid(self._read(feed))
                yield feed
            finally:
                if feed is not None and not feed.streams:
                    self._feeds.pop(client_id, None)

    # ---- what feeds are told ---------------------------------------------------------------------

    async def _read(self, feed: ClientFeed) -> None:
        """Reads how things are. Changes may arrive meanwhile."""
        attached = self._registry.client(feed.client_id)
        feed.see_bots(None if attached is None else attached.told, self._games.now())
        feed.see_pauses(self._pauses().get(feed.client_id, {}), self._games.now())
        for game_id in {*feed.running, *await self._games.with_bots_of(feed.client_id)}:
            await self._read_game(feed, game_id)

    async def _read_game(self, feed: ClientFeed, game_id: str) -> None:
        try:
            feed.see_game(await self._games.get(game_id))
        except ApiError as refusal:
            if refusal.code is not Code.NOT_FOUND:  # It may have been deleted.
                raise

    async def _read_again(self) -> None:
        for feed in tuple(self._feeds.values()):
            await self._read(feed)

    def _wants(self, change: Change) -> bool:
        return bool(self._feeds) and any(
            feed.needs(change.state.id, change.state.status) for feed in self._of(_clients_of(change))
        )

    def _wants_row(self, row: Listing) -> bool:
        if not self._feeds or not row.has_bot:
            return False
        clients = {client_of(seat.bot_id) for seat in listed_of(row).seats if seat.bot_id is not None}
        return any(feed.needs(row.game_id, Status(row.status)) for feed in self._of(clients))

    def _of(self, clients: set[str]) -> list[ClientFeed]:
        return [self._feeds[client] for client in clients if client in self._feeds]

    async def _take_change(self, change: Change) -> None:
        for feed in self._of(_clients_of(change)):
            feed.see_game(change.state)

    async def _take_row(self, row: Listing) -> None:
        clients = {client_of(seat.bot_id) for seat in listed_of(row).seats if seat.bot_id is not None}
        for feed in self._of(clients):
            await self._read_game(feed, row.game_id)

    def _wants_forfeits(self, message: object) -> bool:
        return isinstance(message, TournamentForfeits) and bool(self._feeds)

    async def _take_forfeits(self, message: TournamentForfeits) -> None:
        try:
            state = await self._tournament(message.tournament_id)
        except ApiError as refusal:
            if refusal.code is not Code.NOT_FOUND:  # It is one of another installation, or was deleted.
                raise
            return
        for feed in self._feeds.values():
            feed.see_forfeits(state, message.games, message.at)

    def _see_bots(self) -> None:
        for feed in self._feeds.values():
            attached = self._registry.client(feed.client_id)
            feed.see_bots(None if attached is None else attached.told, self._games.now())

    async def _look(self) -> None:
        await asyncio.sleep(LOOK_SECONDS)
        if not self._feeds:
            return
        pauses = self._pauses()
        for client_id, feed in self._feeds.items():
            feed.see_pauses(pauses.get(client_id, {}), self._games.now())

    def _pauses(self) -> dict[str, dict[PauseKey, str]]:
        """Why bots of clients with readers start no rated games now."""
        found: dict[str, dict[PauseKey, str]] = {}
        for bot in self._ladder_bots.all():
            client_id = bot.listed.client_id
            for key in bot.pools() if client_id in self._feeds else ():
                reason = self._ladder_bots.why_not(bot, key)
                if reason is not None:
                    found.setdefault(client_id, {})[bot.listed.id, key] = reason
        return found


def _clients_of(change: Change) -> set[str]:
    return {client_of(seat.bot_id) for seat in change.state.seats if seat.bot_id is not None}
