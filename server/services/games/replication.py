"""Replication: processes notify each other of new log entries, which are then published like local changes.

The entries of a game go to the processes that use it, each with the change that wrote it. All processes are told a few
times a second which games have changed since: for the lists, and so that a process which has begun to use a game just
now misses nothing. Only the log is authoritative: entries whose messages were missed are read from it. Owned by
``command_handler``, whose cache it keeps up to date.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import partial

from server.domain.events import Recorded, Sealed, SeatTaken
from server.domain.fold import apply
from server.domain.game import GameState
from server.ports.store import Listing, ListingQuery, Store
from server.services.cluster.bus import Bus
from server.services.cluster.changes import (
    ALL_GAMES,
    LOGS,
    Change,
    GamesChanged,
    LogGrown,
    RemoteChanges,
    RemoteChangesMissed,
    game_of,
    game_topic,
    log_topic,
)
from server.services.cluster.topic_reader import TopicReader, retry_until_read
from server.services.games.game_cache import CachedGame, GameCache
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

TELL_SECONDS = 0.25
"""The minimum time between two messages to all processes about changed games."""

ARRIVAL_SECONDS = 0.1
"""How long the log of a game may take to arrive after the message that the game has changed."""

UNUSED_CHANGES = 8
"""After so many changes by other processes, a game that was not used here in between is dropped: more than the other
seats make in a round. Following it for that long costs less than reading its log once more."""

SPARE_LOGS = 1000
"""How many logs of unused games are received at least before they are looked for."""


class Replication:
    """Sends local changes to other processes, and passes theirs to ``publish``.

    ``is_member`` returns whether a server uses the same database; others may share the medium. ``is_needed``: whether a
    game is to be kept up to date here though nobody uses it.
    """

    def __init__(
        self,
        bus: Bus,
        store: Store,
        cache: GameCache,
        publish: Callable[[Change], Awaitable[None]],
        is_member: Callable[[str], Awaitable[bool]],
        is_needed: Callable[[str], bool],
    ) -> None:
        self._bus = bus
        self._store = store
        self._cache = cache
        self._publish = publish
        self.writer = secrets.token_hex(8)
        """The id of this process on the bus and in the logs."""
        self._is_member = is_member
        self._is_needed = is_needed
        self._logs = TopicReader(bus, LOGS, self._is_remote)
        self._untold: dict[str, Change] = {}
        """The games that the other processes have not been told of, each with its last change."""
        self._told_at = 0.0
        self._attempted: dict[str, list[Recorded]] = {}
        """By game, the entries that may be durable and are being looked for, see ``publish_if_durable``."""
        self._most = SPARE_LOGS
        """The number of logs beyond which those of unused games are received no more."""
        self._tasks = Tasks()

    def start(self) -> None:
        """Starts to receive messages of other processes."""
        self._tasks.start(self._logs.follow(self._receive, self.read_all_on))

    async def stop(self) -> None:
        """Stops receiving messages."""
        await self._tasks.stop()
        await self._tell_all()

    def use(self, game_id: str) -> None:
        """Receives the log of a game for as long as the game is used here; to be called for a state from the store.

        A game that nobody else has changed since it was created here is not received: if another process changes it,
        that comes from the store for the first time.
        """
        self._logs.add(log_topic(game_id))
        if len(self._logs.added) > self._most:
            self._drop_unused()

    def _drop_unused(self) -> None:
        for topic in tuple(self._logs.added):
            if not self._is_used(game_of(topic)):
                self._logs.remove(topic)
        self._most = 2 * len(self._logs.added) + SPARE_LOGS

    async def share(self, change: Change) -> None:
        """Sends a change made by this process to the others, without sealed parts, which they read from the log.

        Nothing is built for a bus that reaches no others.
        """
        if not self._bus.has_others:
            return
        state, is_sealed = change.state, any(isinstance(event, Sealed) for event in change.events)
        recorded = () if is_sealed else change.recorded
        message = LogGrown(self.writer, state.id, change.recorded[0].seq, state.version, recorded)
        await self._bus.publish(log_topic(state.id), message)
        is_first = not self._untold
        self._untold[state.id] = change
        if change.is_beginning and state.has_attached_bot:  # Its client may be at another server.
            self.use(state.id)
            await self._tell_all()
        elif is_first:
            self._tasks.start(self._tell_soon())

    async def _tell_soon(self) -> None:
        now = asyncio.get_running_loop().time
        await asyncio.sleep(self._told_at + TELL_SECONDS - now())
        self._told_at = now()
        await self._tell_all()

    async def _tell_all(self) -> None:
        """Tells the other processes which games have changed."""
        changes, self._untold = self._untold, {}
        if changes:
            versions = {game_id: change.state.version for game_id, change in changes.items()}
            rows = tuple(change.listing for change in changes.values())
            await self._bus.publish(LOGS, GamesChanged(self.writer, versions, rows))

    def publish_if_durable(self, known: GameState, recorded: Sequence[Recorded]) -> None:
        """Called when an append after this state has failed, which may nevertheless be durable.

        Nobody would hear of it: if the command is repeated, it is known already. So it is published once it can be
        read, together with those of appends that fail meanwhile.
        """
        if known.id not in self._attempted:
            self._attempted[known.id] = []
            self._tasks.start(self._publish_attempted(known))
        self._attempted[known.id].extend(recorded)

    async def _publish_attempted(self, known: GameState) -> None:
        try:
            await retry_until_read(partial(self._publish_since, known))
        finally:
            del self._attempted[known.id]

    async def _publish_since(self, known: GameState) -> None:
        async with self._cache.locked_to_sync(known.id) as (entry, state):
            state = await self.read_on(entry, state)
            recorded = tuple(await self._store.events(known.id, after=known.version, until=state.version))
            if recorded:
                change = self._change(state, recorded)
                if entry.published < state.version:
                    await self._publish_for(entry, change)
                await self.share(change)

    def _is_remote(self, message: object) -> bool:
        return isinstance(message, LogGrown | GamesChanged) and message.writer != self.writer

    async def read_on(self, entry: CachedGame, state: GameState) -> GameState:
        """Brings a locked entry up to date with the log, and publishes new events as one change. Returns the state."""
        missed = tuple(await self._store.events(state.id, after=state.version))
        if not missed:
            return state
        state = await self._grown(entry, state, missed)
        await self._publish_for(entry, self._change(state, missed))
        return state

    async def _receive(self, message: LogGrown | GamesChanged) -> None:
        if isinstance(message, GamesChanged):
            await self._look_at(message)
        elif self._is_used(message.game_id):
            await self._apply(message)
            self._drop_unneeded(message.game_id, UNUSED_CHANGES)
        else:
            self._logs.remove(log_topic(message.game_id))

    def _drop_unneeded(self, game_id: str, changes: int = 0) -> None:
        """Drops a game that was not used here for so many ``changes`` of others: it may be played elsewhere."""
        if not self._bus.has_subscribers(game_topic(game_id)) and not self._is_needed(game_id):
            self._cache.drop_unused(game_id, changes)

    def _is_used(self, game_id: str) -> bool:
        """Whether the game is in memory or followed here."""
        return game_id in self._cache or self._bus.has_subscribers(game_topic(game_id))

    async def _look_at(self, changed: GamesChanged) -> None:
        """Publishes games used here whose last entries have not arrived, and the rows of all others."""
        versions = changed.versions
        for name in versions:  # Who writes to a log reads it as well.
            self._bus.expect_readers(log_topic(name))
        behind = {name for name, version in versions.items() if self._is_behind(name, version)}
        arriving = {name for name in behind if log_topic(name) in self._logs.added}
        for name in behind - arriving:
            self._drop_unneeded(name)
        unused = {name for name in versions if not self._is_used(name)}
        rows = await self._rows(changed, unused) if unused else ()
        if rows:
            await self._bus.publish(ALL_GAMES, RemoteChanges(tuple(rows)))
        if arriving:
            late = {name: versions[name] for name in arriving}
            self._tasks.start(self._catch_up(late, ARRIVAL_SECONDS))
        await self._catch_up({name: versions[name] for name in behind - arriving - unused})

    async def _catch_up(self, versions: Mapping[str, int], delay: float = 0.0) -> None:
        """Publishes the games used here of which these versions were not, after a ``delay`` in seconds."""
        await asyncio.sleep(delay)
        for game_id, version in versions.items():
            if self._is_behind(game_id, version):
                await retry_until_read(partial(self._read_on, game_id))

    def _is_behind(self, game_id: str, version: int) -> bool:
        """Whether the followers of a game used here have not been told of this version.

        A followed game may have been evicted since.
        """
        return self._is_used(game_id) and self._cache.published(game_id) < version

    async def _rows(self, changed: GamesChanged, game_ids: Collection[str]) -> Collection[Listing]:
        """The rows of those games that are in this database. A server that has died may no longer be listed there."""
        if changed.listings and await self._is_member(changed.writer):
            return [row for row in changed.listings if row.game_id in game_ids]
        return await self._store.listings(ListingQuery(game_ids=tuple(game_ids)))

    async def _apply(self, grown: LogGrown) -> None:
        """Publishes each message as one change, as in its own process, even if the log has grown further by now.

        The first events of a message may be known here already, see ``publish_if_durable``.
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
            await self._publish_for(entry, self._change(state, recorded))

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

    def _change(self, state: GameState, recorded: tuple[Recorded, ...]) -> Change:
        """A change read from the log or received. It is this process's own if its append seemed to fail."""
        attempted = self._attempted.get(state.id, ())
        return Change(state, recorded, is_own=any(one in recorded for one in attempted))

    async def _publish_for(self, entry: CachedGame, change: Change) -> None:
        entry.published = change.state.version
        entry.unused += 1
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
            state = await self.read_on(entry, state)
            if entry.published < state.version:
                since = entry.published or state.version - 1
                recorded = tuple(await self._store.events(game_id, after=since, until=state.version))
                await self._publish_for(entry, self._change(state, recorded))
