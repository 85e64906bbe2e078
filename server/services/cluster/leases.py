"""The leases that this server holds. Only the holder of a game's lease acts in the game of its own accord.

It watches the clocks and absent players, and moves for the bots. This server gets a lease when a game begins here, or
when the game's former holder is dead. All changes that the holder makes of its own accord carry the lease, and the
store refuses them once another server has claimed the game. Players' moves carry none: any server may pass them on.
Owned by ``command_handler``.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from server.domain.errors import ApiError, store_unavailable
from server.ports.store import FIRST_EPOCH, Heartbeat, Lease, LeaseStore, OtherServer, Player, Pulse
from server.services.cluster.outages import Outages
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

LEASES = "leases"
"""The topic of leases that this server has taken over from others or may have lost, and of servers that are gone."""

HEARTBEAT_SECONDS = 0.7

LATE_SECONDS = 1.5
"""After how long without a heartbeat the others may soon count this server as dead, which takes 2 s."""

LOST_SECONDS = 2.0
"""After how long without a heartbeat this server no longer knows whether any has been running."""

LOOK_SECONDS = 0.1
"""How often a server that starts checks whether the others are alive."""

RETIRE_SECONDS = 1.0
"""How long clients of a server that stops wait until its leases are given up."""

LOOK_LIMIT_SECONDS = 5.0
"""After how long a server without any news counts as alive."""


@dataclass(frozen=True, slots=True)
class GameTaken:
    """This server now holds the lease of this game; another one held it before."""

    game_id: str


@dataclass(frozen=True, slots=True)
class GameLost:
    """Another server has taken the lease of this game, which this server held."""

    game_id: str


@dataclass(frozen=True, slots=True)
class LeasesCounted:
    """This server did not know for sure which leases it holds, and has read them again."""


@dataclass(frozen=True, slots=True)
class ServersChanged:
    """These other servers have stopped or died, and these have started, or counted as dead although they are alive.

    ``was_late``: this server's heartbeat was late, so others may have started and died unnoticed.
    """

    departed: tuple[str, ...]
    arrived: tuple[str, ...]
    was_late: bool


class Leases:
    """The leases of ``server``, and its heartbeat.

    ``on_taken`` is called with games taken over from other servers, ``on_counted`` after the leases were read again,
    ``on_servers`` after others have stopped, died or come, or may have, ``on_outage`` after the end of one of
    ``outages``. ``now`` returns milliseconds since the epoch.
    """

    def __init__(
        self,
        store: LeaseStore,
        server: str,
        now: Callable[[], int],
        on_taken: Callable[[tuple[str, ...]], Awaitable[None]],
        on_counted: Callable[[], Coroutine[Any, Any, None]],
        on_servers: Callable[[ServersChanged], Coroutine[Any, Any, None]],
        on_outage: Callable[[], Coroutine[Any, Any, None]],
    ) -> None:
        self.server = server
        self.up_since = now()
        """Since when, at the start of this server, it or another one had been running without interruption."""
        self.outages = Outages()
        """Those since then: while this server was frozen, or could not reach the database."""
        self._running_since: int | None = None
        """The end of the last one, or ``up_since``; None: not known."""
        self._store = store
        self._now = now
        self._on_taken = on_taken
        self._on_counted = on_counted
        self._on_servers = on_servers
        self._on_outage = on_outage
        self.players: Callable[[], Iterable[Player]] = tuple
        """Returns the players connected here, whom each heartbeat shares with the other servers."""
        self._epochs: dict[str, int] = {}
        self._others: Mapping[str, OtherServer] = {}
        self._known: set[str] = set()
        """Servers that have used the database."""
        self._is_started = False
        self._is_sure = True
        """Whether this server holds no leases that it does not know of."""
        self._may_claim_more = False
        """Whether there may be more games to claim than the last heartbeat has claimed."""
        self._is_due = asyncio.Event()
        self._beating: asyncio.Task[None] | None = None
        """The last heartbeat, which may be on its way."""
        self._beaten_at = 0
        """When the last heartbeat that was stored was sent, in milliseconds since the epoch."""
        self.stored_at = 0
        """When it was known to be stored, which may be much later."""
        self._was_late = False
        """Whether a heartbeat was late, and nobody has been told yet."""
        self._tasks = Tasks()

    # ---- which games -----------------------------------------------------------------------------

    @property
    def is_alone(self) -> bool:
        """Whether no other server is running on the database."""
        return not self._others

    def __contains__(self, game_id: str) -> bool:
        return game_id in self._epochs

    def lease(self, game_id: str) -> Lease:
        """Returns the lease of a game; ApiError if this server does not hold it."""
        epoch = self._epochs.get(game_id)
        if epoch is None:
            raise store_unavailable("another server runs the game")
        return Lease(self.server, epoch)

    def begin(self, game_id: str) -> None:
        """Adds a game that began here."""
        self._epochs[game_id] = FIRST_EPOCH

    def drop(self, game_id: str) -> None:
        """Removes a game that is over, or that another server has claimed."""
        self._epochs.pop(game_id, None)

    def give_up(self) -> None:
        """Drops all games, which others have claimed by now: for long, no heartbeat of this server has been stored."""
        self._epochs.clear()
        self.recheck()

    def recheck(self) -> None:
        """Called when something has failed that may nevertheless have given this server leases.

        After the next heartbeat, it reads again which it holds.
        """
        self._is_sure = False

    def knows_of(self, server: str) -> bool:
        """Whether another server with this id was alive at the last heartbeat of this one."""
        return server in self._others

    async def knows(self, server: str) -> bool:
        """Whether a server with this id uses the same database."""
        if server not in self._known and (server in self._others or await self._store.has_server(server)):
            self._known.add(server)
        return server in self._known

    async def is_alive(self, server: str) -> bool:
        """Whether another server sends heartbeats. Returns once that is known; True if the store does not tell."""
        known = self._others.get(server)
        if known is None:
            return await self._store.has_server(server)
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_LIMIT_SECONDS):
                while self._others.get(server) == known:  # noqa: ASYNC110 - the heartbeat tells nobody
                    await asyncio.sleep(LOOK_SECONDS)
        return server in self._others

    async def players_elsewhere(self) -> frozenset[Player]:
        """Returns the players who are connected to other servers, as those shared them."""
        return frozenset() if self.is_alone else await self._store.players_elsewhere(self.server)

    async def take(self, game_id: str) -> Lease | None:
        """Takes the lease of a game from the server that holds it, and returns it. None if no other server holds it.

        ApiError if the store is unavailable.
        """
        await self.show_life()
        try:
            epoch = await self._store.take_lease(game_id, self.server)
        except ApiError:  # It may nevertheless be durable.
            self.recheck()
            raise
        if epoch is None:
            return None
        self._epochs[game_id] = epoch
        await self._on_taken((game_id,))
        return Lease(self.server, epoch)

    async def _take(self, epochs: Mapping[str, int]) -> None:
        self._epochs |= epochs
        if epochs:
            log.info("running games that no other server runs: %d", len(epochs))
            await self._on_taken(tuple(epochs))

    # ---- the heartbeat ---------------------------------------------------------------------------

    async def start(self) -> None:
        """Claims the games without a living holder. ApiError if the store is unavailable."""
        pulse = await self._find_others()
        known = [other.up_since for other in pulse.others.values() if other.up_since is not None]
        self.up_since = self._running_since = min(known, default=self._now())
        self._is_started = True
        sent_at = self._now()
        pulse = await self._store.beat(self._heartbeat("all"))
        self._beaten_at, self.stored_at = sent_at, self._now()
        self._others = pulse.others
        self._may_claim_more = pulse.may_claim_more
        self._tasks.repeat(self._beat_soon)
        await self._take(pulse.claimed)

    def look_soon(self) -> None:
        """Claims soon the games of servers that have given up their leases."""
        self._is_due.set()

    async def stop(self) -> None:
        """Gives up all leases, so that other servers can claim the games. Players' moves are still accepted."""
        await self._tasks.stop()
        self._epochs.clear()
        was_started, self._is_started = self._is_started, False
        if was_started:
            try:
                async with asyncio.timeout(RETIRE_SECONDS):
                    await self._store.retire(self.server)
            except (ApiError, TimeoutError) as error:
                log.warning(
                    "could not give up the leases%s: %s",
                    "" if self.is_alone else ", so other servers take the games over later",
                    error.text if isinstance(error, ApiError) else "the database does not answer.",
                )

    def _heartbeat(self, claims: Literal["all", "of the dead"]) -> Heartbeat:
        return Heartbeat(self.server, self._running_since, claims, tuple(self.players()))

    async def _find_others(self) -> Pulse:
        """Returns once it is known which servers are alive.

        The previous run of this server may have been killed so recently that it still counts as alive. Only another
        heartbeat shows that a server is.
        """
        unknown = Heartbeat(self.server, None, "none")
        pulse = first = await self._store.beat(unknown)
        while pulse.others and all(first.others.get(name) == other for name, other in pulse.others.items()):
            await asyncio.sleep(LOOK_SECONDS)
            pulse = await self._store.beat(unknown)
        return pulse

    @property
    def is_late(self) -> bool:
        """Whether the others may soon count this server as dead, or do already."""
        return self._is_started and self._now() - self._beaten_at >= LATE_SECONDS * 1000

    @property
    def is_silent(self) -> bool:
        """Whether no heartbeat was stored lately, not even a late one."""
        return self._is_started and self._now() - self.stored_at >= LATE_SECONDS * 1000

    async def show_life(self) -> None:
        """Returns once the others count this server as alive; ApiError if the store is unavailable.

        Called before a game is changed or taken: if this server dies then, the others look for what it has changed, and
        claim what it holds.
        """
        if self.is_late:
            await self.show_new_life()

    async def show_new_life(self) -> None:
        """Returns once a heartbeat that is sent after the call is stored; ApiError if the store is unavailable."""
        asked_at = self._now()
        # A heartbeat that is on its way may have been sent before this server was frozen.
        while self._is_started and self._beaten_at < asked_at:
            beating = self._beat_now()
            await asyncio.wait([beating])
            if beating.cancelled():
                raise store_unavailable("the server is stopping")
            beating.result()

    async def _beat_soon(self) -> None:
        await self._until_due(0 if self._may_claim_more else HEARTBEAT_SECONDS)
        await asyncio.wait([self._beat_now()])

    def _beat_now(self) -> "asyncio.Task[None]":
        """Starts a heartbeat, unless one is on its way."""
        if self._beating is None or self._beating.done():
            self._beating = self._tasks.start(self._beat())
        return self._beating

    async def _beat(self) -> None:
        sent_at, before = self._now(), self._beaten_at
        was_away = sent_at - before >= LOST_SECONDS * 1000
        if was_away:  # Others that were away, too, must not conclude that this server was running.
            self._running_since = None
        try:
            pulse = await self._store.beat(self._heartbeat("of the dead"))
            self._beaten_at, self.stored_at = sent_at, self._now()
            self._was_late |= pulse.was_dead
            if pulse.was_dead or was_away:
                self._end_outage(before, pulse)
            claimed = pulse.claimed
            if pulse.was_dead:
                log.warning(
                    "the heartbeat was late%s",
                    "" if self.is_alone else ": other servers may have taken games over",
                )
            if pulse.was_dead or not self._is_sure:
                claimed = {**claimed, **await self._count()}
        except Exception:  # An ApiError is logged by the store.
            self._may_claim_more = False
            self.recheck()
            raise
        self._may_claim_more = pulse.may_claim_more
        known, self._others = self._others.keys(), pulse.others
        departed, arrived = tuple(known - pulse.others.keys()), tuple(pulse.others.keys() - known)
        self._known.difference_update(departed)
        self._tasks.start(self._take(claimed))
        if departed or arrived or self._was_late:
            self._tasks.start(self._on_servers(ServersChanged(departed, arrived, self._was_late)))
        self._was_late = False

    def _end_outage(self, began: int, pulse: Pulse) -> None:
        """Adds an outage that began after this server's heartbeat at ``began``, unless others were running."""
        now = self._now()
        known = [other.up_since for other in pulse.others.values() if other.up_since is not None]
        self._running_since = min(known, default=now)
        if self._running_since > began:
            self.outages.add(began, min(self._running_since, now))
            self._tasks.start(self._on_outage())

    async def _until_due(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._is_due.wait()
        self._is_due.clear()

    async def _count(self) -> Mapping[str, int]:
        """Reads again which leases this server holds. Returns the epochs of those that it did not know of."""
        before, self._is_sure = dict(self._epochs), True
        held = await self._store.leases(self.server)
        found = {game_id: epoch for game_id, epoch in held.items() if self._epochs.get(game_id) != epoch}
        for game_id in before:
            self.drop(game_id)
        self._epochs |= held
        self._tasks.start(self._on_counted())
        return found
