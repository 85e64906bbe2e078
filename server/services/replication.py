"""Replication: processes notify each other of new log entries, which are then published like local changes.

Only the log is authoritative: entries whose messages were missed are read from it. Owned by ``command_handler``, whose
cache it keeps up to date.
"""

import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from server.domain.events import Recorded, Sealed, SeatTaken
from server.domain.fold import apply
from server.domain.game import GameState
from server.ports.store import Listing, ListingQuery, Store
from server.services.bus import Bus
from server.services.changes import (
    ALL_GAMES,
    LOGS,
    Change,
    LogGrown,
    RemoteChange,
    RemoteChangesMissed,
    game_topic,
)
from server.services.game_cache import CachedGame, GameCache
from server.services.tasks import Tasks
from server.services.topic_reader import TopicReader, retry_until_read

log = logging.getLogger(__name__)


class Replication:
    """Sends local changes to other processes, and passes theirs to ``publish``.

    ``is_member`` returns whether a server uses the same database; others may share the medium.
    """

    def __init__(
        self,
        bus: Bus,
        store: Store,
        cache: GameCache,
        publish: Callable[[Change], Awaitable[None]],
        is_member: Callable[[str], Awaitable[bool]],
    ) -> None:
        self._bus = bus
        self._store = store
        self._cache = cache
        self._publish = publish
        self.writer = secrets.token_hex(8)
        """The id of this process on the bus and in the logs."""
        self._is_member = is_member
        self._tasks = Tasks()

    def start(self) -> None:
        """Starts to receive messages of other processes."""
        logs = TopicReader(self._bus, LOGS, self._is_remote)
        self._tasks.start(logs.follow(self._receive, self.read_all_on))

    async def stop(self) -> None:
        """Stops receiving messages."""
        await self._tasks.stop()

    async def share(self, change: Change) -> None:
        """Sends a change made by this process to the others, without sealed parts, which they read from the log."""
        state, is_sealed = change.state, any(isinstance(event, Sealed) for event in change.events)
        recorded = () if is_sealed else change.recorded
        first = change.recorded[0].seq
        message = LogGrown(self.writer, state.id, first, state.version, recorded, change.listing)
        await self._bus.publish(LOGS, message)

    def make_up_for(self, known: GameState) -> None:
        """Called when an append after this state has failed, which may nevertheless be durable.

        Nobody would hear of it: if the command is repeated, it is known already. So it is published once it can be
        read.
        """
        self._tasks.start(retry_until_read(partial(self._publish_since, known)))

    async def _publish_since(self, known: GameState) -> None:
        async with self._cache.locked_to_sync(known.id) as (entry, state):
            state = await self.read_on(entry, state)
            recorded = tuple(await self._store.events(known.id, after=known.version, until=state.version))
            if recorded:
                change = Change(state, recorded, is_own=False)
                if entry.published < state.version:
                    await self._publish_for(entry, change)
                await self.share(change)

    def _is_remote(self, message: object) -> bool:
        return isinstance(message, LogGrown) and message.writer != self.writer

    async def read_on(self, entry: CachedGame, state: GameState) -> GameState:
        """Brings a locked entry up to date with the log, and publishes new events as one change. Returns the state."""
        missed = tuple(await self._store.events(state.id, after=state.version))
        if not missed:
            return state
        state = await self._grown(entry, state, missed)
        await self._publish_for(entry, Change(state, missed, is_own=False))
        return state

    async def _receive(self, grown: LogGrown) -> None:
        """Reads the game only if it is in memory or followed here."""
        if grown.game_id in self._cache or self._bus.has_subscribers(game_topic(grown.game_id)):
            await self._apply(grown)
        elif (listing := await self._listing(grown)) is not None:
            await self._bus.publish(ALL_GAMES, RemoteChange(listing))

    async def _listing(self, grown: LogGrown) -> Listing | None:
        """The game's row; None if the game is not in this database."""
        if grown.listing is not None:
            return grown.listing if await self._is_stored(grown) else None
        return next(iter(await self._store.listings(ListingQuery(game_id=grown.game_id))), None)

    async def _is_stored(self, grown: LogGrown) -> bool:
        """Whether the game is in this database. A server that has died may no longer be listed there."""
        if await self._is_member(grown.writer):
            return True
        return bool(await self._store.events(grown.game_id, after=grown.version - 1, until=grown.version))

    async def _apply(self, grown: LogGrown) -> None:
        """Publishes each message as one change, as in its own process, even if the log has grown further by now.

        The first events of a message may be known here already, see ``make_up_for``.
        """
        async with self._cache.locked_to_sync(grown.game_id) as (entry, state):
            if grown.version <= entry.published:
                return
            if grown.first > state.version + 1:
                await self.read_on(entry, state)
                return
            recorded = tuple(one for one in await self._recorded(grown) if one.seq > entry.published)
            if grown.version > state.version:
                state = await self._grown(entry, state, [one for one in recorded if one.seq > state.version])
            elif grown.version < state.version:
                state = await self._cache.as_of(grown.game_id, grown.version)
            await self._publish_for(entry, Change(state, recorded, is_own=False))

    async def _recorded(self, grown: LogGrown) -> tuple[Recorded, ...]:
        """The events of a message, from the log if they are not in it."""
        try:
            recorded = tuple(grown.recorded)
        except (KeyError, ValueError) as fault:
            log.warning("game %s: events from another process cannot be read: %s", grown.game_id, fault)
            recorded = ()
        return recorded or tuple(
            await self._store.events(grown.game_id, after=grown.first - 1, until=grown.version)
        )

    async def _grown(self, entry: CachedGame, state: GameState, recorded: Sequence[Recorded]) -> GameState:
        """Applies the next events to a locked entry. The token of a newly taken seat is read from the store."""
        if any(isinstance(one.event, SeatTaken) for one in recorded):
            entry.tokens = tuple(await self._store.tokens(state.id))
        for one in recorded:
            state = apply(state.id, state, one)
        return self._cache.put(entry, state)

    async def _publish_for(self, entry: CachedGame, change: Change) -> None:
        entry.published = change.state.version
        await self._publish(change)

    async def read_all_on(self) -> None:
        """Brings all live games in memory up to date with their logs. ApiError if the store is unavailable."""
        known = {game_id: state.version for game_id, state in self._cache.live}
        for game_id, version in (await self._store.versions(tuple(known))).items():
            if version > known[game_id]:
                await retry_until_read(partial(self._read_on, game_id))
        await self._bus.publish(ALL_GAMES, RemoteChangesMissed())

    async def _read_on(self, game_id: str) -> None:
        async with self._cache.locked_to_sync(game_id) as (entry, state):
            await self.read_on(entry, state)
