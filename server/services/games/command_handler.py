"""Turns commands into events in the log, one at a time per game.

The domain decides a command, its events are stored, and only then is the new state kept and published on the bus. A
command that has begun is completed even if its caller is cancelled. Called by ``games``.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from protocols.values import Status
from server.domain import commands as c
from server.domain.clocks.clock import ClockMode
from server.domain.decide import Decision, answered_at, decide
from server.domain.errors import ApiError, not_found, store_unavailable
from server.domain.events import Event, Recorded
from server.domain.fold import apply
from server.domain.game import GameState
from server.domain.ladder.results import result_of
from server.domain.tokens import hash_token, new_game_id
from server.ports.store import Append, Lease, ListingQuery, Store, TokenHash, VersionConflictError
from server.services.cluster.bus import Bus
from server.services.cluster.changes import ALL_GAMES, Change, game_topic
from server.services.cluster.leases import LEASES, GameTaken, Leases, LeasesCounted, ServersChanged
from server.services.cluster.topic_reader import retry_until_read, retry_until_stored
from server.services.games.also_stored import AlsoStore, NewGameLog, created_change, nothing_more
from server.services.games.command_results import CommandResult
from server.services.games.game_cache import CachedGame, GameCache
from server.services.games.replication import Replication
from server.services.games.timers import Timers
from server.services.heavy_work import HeavyWork
from server.services.recorded_metrics import Metrics
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

ATTEMPTS = 3
"""How often a command is tried if other processes write to the same game at the same time."""

T = TypeVar("T")


class CommandHandler:
    """The logs of all games, and their current states."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        now: Callable[[], int],
        loaded: int,
        metrics: Metrics,
        on_read: Callable[[GameState], None],
        work: HeavyWork,
    ) -> None:
        """``loaded``: how many games are kept in memory. ``now`` returns milliseconds since the epoch.

        ``on_read`` is called with each state that is read from the store.
        """
        self._on_read = on_read
        self._store = store
        self._bus = bus
        self._now = now
        self._metrics = metrics
        self._work = work
        self.cache = GameCache(store, loaded, self._resumed)
        self._replication = Replication(
            bus, store, self.cache, self._publish, self._is_member, self._is_needed
        )
        self._timers = Timers(self._expire, now)
        self._running = Tasks()
        self.leases = Leases(
            store,
            self.server,
            now,
            self._resume_games,
            self._tell_counted,
            self._tell_servers,
            self._resume_clocks,
        )

    @property
    def server(self) -> str:
        """The id of this process among all that write to the logs."""
        return self._replication.writer

    async def start(self) -> None:
        """Resumes the live games whose leases no other server holds.

        Clocks do not count the time during which no server was running.
        """
        self._replication.start()
        await self.leases.start()
        self._bus.know_others(are_any=not self.leases.is_alone)

    async def stop(self) -> None:
        """Lets the commands in progress finish, stops the timers and hands the games over to other servers."""
        self._timers.stop()
        await self._running.finish()
        await self._replication.stop()
        await self.leases.stop()

    # ---- commands --------------------------------------------------------------------------------

    async def begin(self, events: Sequence[Event], tokens: Mapping[int, str]) -> GameState:
        """Stores a new game; the first of its events must be ``Created``. ``tokens`` by seat."""
        hashes = [TokenHash(hash_token(token), seat) for seat, token in tokens.items()]
        return await self.begin_log(NewGameLog(new_game_id(), events, hashes))

    async def begin_log(self, new_log: NewGameLog) -> GameState:
        """Stores a new game whose id is known. ApiError ``unavailable`` if there is a game with that id."""
        return await self._shielded(self._begin(new_log))

    async def command(
        self,
        game_id: str,
        command: c.Command,
        with_events: AlsoStore = nothing_more,
        lease: Lease | None = None,
    ) -> CommandResult:
        """Runs a command after those before it. The holder of the game's ``lease`` passes it with its own commands.

        A repeated message gets the state of its first answer, and no events. ApiError: as of ``Store.append``.
        """

        async def run() -> CommandResult:
            async with self.cache.locked(game_id) as (entry, state):
                return await self._run(entry, state, command, with_events, lease)

        return await self._shielded(run())

    async def read_on(self, game_id: str) -> None:
        """Reads the events that other processes have added to the log of a game."""
        async with self.cache.locked(game_id) as (entry, state):
            await self._replication.read_on(entry, state)

    async def _run(
        self,
        entry: CachedGame,
        state: GameState,
        command: c.Command,
        with_events: AlsoStore,
        lease: Lease | None,
    ) -> CommandResult:
        """Before refusing a command, reads new log entries and decides again, in case the state was out of date."""
        for _ in range(ATTEMPTS):
            version = answered_at(state, command)
            if version is not None:
                is_last = version == state.version
                return CommandResult(state if is_last else await self.cache.as_of(state.id, version))
            try:
                state = await self._with_clocks_resumed(entry, state, lease)
                now = max(self._now(), state.updated_at)
                try:
                    decision = decide(state, command, now)
                except ApiError:
                    known, state = state, await self._replication.read_on(entry, state)
                    if state is known:
                        raise
                    continue
                if not decision.events:
                    return CommandResult(state)
                change = await self._commit(entry, state, decision, now, with_events, lease)
                return CommandResult(change.state, change)
            except VersionConflictError:
                known, state = state, await self._replication.read_on(entry, state)
                if lease is not None and state is known:
                    self.leases.drop(state.id)
                    self.leases.recheck()  # This server may have got the lease again in the meantime.
                    raise store_unavailable("another server runs the game") from None
                if state is known and not await self._store.versions((state.id,)):
                    self.cache.forget(entry)  # An operator has deleted the game.
                    raise not_found(state.id) from None
                log.info("game %s: another server wrote to the log at the same time", state.id)
        raise store_unavailable("another server is changing the game")

    async def _shielded(self, work: Coroutine[Any, Any, T]) -> T:
        """Completes the work even if the caller is cancelled."""
        return await asyncio.shield(self._running.start(work))

    # ---- storing and publishing ------------------------------------------------------------------

    async def _begin(self, new_log: NewGameLog) -> GameState:
        """Folds the events on a thread, since an imported game may be long."""
        change, append = await self._work.run_accepted(created_change, new_log, self._now(), self.server)
        await self.leases.show_life()
        try:
            await self._store.append(append)
        except VersionConflictError:
            raise store_unavailable("the new game's id is already in use") from None
        except ApiError:  # It may nevertheless be durable.
            self.leases.recheck()
            raise
        await self._add(change, append)
        return change.state

    async def _add(self, change: Change, append: Append) -> None:
        """Publishes a new game. A live one will be used soon, so it is kept in memory."""
        if change.state.is_live:
            self.cache.add(change.state, append.tokens)
        await self._announce(change, append)

    async def _commit(
        self,
        entry: CachedGame,
        state: GameState,
        decision: Decision,
        now: int,
        with_events: AlsoStore,
        lease: Lease | None,
    ) -> Change:
        numbered = enumerate(decision.events, start=state.version + 1)
        recorded = tuple(Recorded(seq, now, event) for seq, event in numbered)
        after = state
        for one in recorded:
            after = apply(state.id, after, one, decision.position)
        change = Change(after, recorded)
        more = with_events(after, decision.events, entry.tokens)
        new_game = None if more.new_log is None else created_change(more.new_log, now, self.server)
        also = None if new_game is None else new_game[1]
        holder = self.server if after.needs_lease and not state.needs_lease else None
        append = Append(
            state.id,
            state.version,
            recorded,
            change.listing,
            more.tokens,
            also,
            lease=lease,
            holder=holder,
            ladder=result_of(after) if change.is_ending else None,
        )
        await self.leases.show_life()
        try:
            await self._store.append(append)
        except ApiError:  # It may nevertheless be durable.
            self._replication.publish_if_durable(state, recorded)
            self.leases.recheck()
            raise
        entry.state, entry.tokens, entry.published = after, (*entry.tokens, *more.tokens), after.version
        if new_game is not None:
            await self._add(*new_game)
        await self._announce(change, append)
        return change

    async def _announce(self, change: Change, append: Append) -> None:
        """Announces a change made by this process, to itself and to the others."""
        self._metrics.count(change)
        if append.holder is not None:
            self.leases.begin(append.game_id)
        self._watch(change.state)
        await self._publish(change)
        await self._replication.share(change)

    async def _publish(self, change: Change) -> None:
        await self._bus.publish(game_topic(change.state.id), change)
        await self._bus.publish(ALL_GAMES, change)

    # ---- games of other servers ------------------------------------------------------------------

    async def _resume_games(self, game_ids: tuple[str, ...]) -> None:
        """Continues games whose leases another server held."""
        for game_id in game_ids:
            try:
                await retry_until_read(partial(self._resume, game_id))
            except Exception:
                log.exception("game %s could not be resumed", game_id)
            else:
                await self._bus.publish(LEASES, GameTaken(game_id))

    async def _resume(self, game_id: str) -> None:
        if game_id in self.cache:
            await self.read_on(game_id)
        state = await self.cache.state(game_id)
        self._watch(state)
        if state.clock is not None:
            await self._expire(game_id)
            await self._reset_clock_modes(game_id)

    def _is_needed(self, game_id: str) -> bool:
        return game_id in self.leases

    async def _is_member(self, server: str) -> bool:
        return await self.leases.knows(server)

    async def _tell_counted(self) -> None:
        await self._bus.publish(LEASES, LeasesCounted())

    async def _tell_servers(self, changed: ServersChanged) -> None:
        """A server that has died may not have told the others of its last changes."""
        self._bus.know_others(are_any=not self.leases.is_alone)
        await self._bus.publish(LEASES, changed)
        if changed.departed or changed.was_late:
            await retry_until_read(self._replication.read_all_on)
            await self._release_clocks()

    async def _release_clocks(self) -> None:
        """Resets the clocks that the clients of another server controlled, which has stopped or died."""
        timed = ListingQuery(status=Status.PLAYING.value, is_timed=True)
        for listing in await retry_until_stored(lambda: self._store.listings(timed)):
            if listing.game_id in self.leases:
                await retry_until_read(partial(self._reset_clock_modes, listing.game_id))

    # ---- clocks ----------------------------------------------------------------------------------

    def _resumed(self, state: GameState) -> GameState:
        """Prepares a state read from the log. A running clock is not charged for an outage of all servers."""
        self._on_read(state)
        self._replication.use(state.id)
        since = self.leases.up_since
        if state.clock is not None and state.status is Status.PLAYING and state.updated_at < since:
            state = replace(state, clock=state.clock.resumed(state.updated_at, since))
        self._watch(state)
        return state

    async def _resume_clocks(self) -> None:
        """Corrects the clocks of this server's games after an outage."""
        for game_id, state in self.cache.live:
            if state.clock is not None and game_id in self.leases:
                await retry_until_read(partial(self._expire, game_id))

    async def _with_clocks_resumed(
        self, entry: CachedGame, state: GameState, lease: Lease | None
    ) -> GameState:
        """Returns the state in which nobody is charged for outages since the clocks were last read.

        Errors as of ``Store.append``.
        """
        while True:
            await self.leases.show_life()
            lost_ms = 0 if state.clock is None else self.leases.outages.lost(state.clock.since)
            now = max(self._now(), state.updated_at)
            decision = decide(state, c.ResumeClocks(lost_ms), now) if lost_ms else None
            if decision is None or not decision.events:
                return state
            state = (await self._commit(entry, state, decision, now, nothing_more, lease)).state

    def _watch(self, state: GameState) -> None:
        """Sets the timer of a game whose lease this server holds. A game that is over has no lease."""
        if not state.is_live:
            self.leases.drop(state.id)
        if state.id in self.leases or not state.is_live:
            self._timers.watch(state)

    async def _reset_clock_modes(self, game_id: str) -> None:
        """Ends manual clock control; clients that still need it will ask for it again."""
        clock = (await self.cache.state(game_id)).clock
        for seat, mode in enumerate(() if clock is None else clock.modes):
            if mode is not ClockMode.TURN and game_id in self.leases:
                command = c.SetClock(seat, ClockMode.TURN)
                await self.command(game_id, command, lease=self.leases.lease(game_id))

    async def _expire(self, game_id: str) -> None:
        """Ends the game on time, if this server still holds its lease; sets the timer again if it fired too early."""
        if game_id not in self.leases:
            return
        done = await self.command(game_id, c.Expire(), lease=self.leases.lease(game_id))
        if not done.events:
            self._watch(done.state)
