"""How commands become events in the log: one after the other within a game, and told only when they are stored.

A command is decided by the domain, its events are stored, and only then is the new state kept and told on the
bus. A caller that goes away does not stop what was begun. Called by ``games``, which knows what the commands
are for.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from protocols.play.table import Table
from server.domain import commands as c
from server.domain.clock import ClockMode
from server.domain.decide import answered_at, decide
from server.domain.errors import ApiError, store_unavailable
from server.domain.events import Event, Recorded
from server.domain.fold import apply, fold
from server.domain.game import GameState, Status
from server.domain.public import table_of
from server.domain.tokens import hash_token, new_game_id
from server.ports import Append, Bus, ListingQuery, Store, TokenHash, VersionConflictError
from server.services.changes import ALL_GAMES, Change, game_topic
from server.services.elsewhere import Elsewhere
from server.services.meters import Meters
from server.services.shelf import Entry, Shelf
from server.services.timers import Timers

log = logging.getLogger(__name__)

ATTEMPTS = 3
"""How often a command is decided anew when another process wrote to the same game in between."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Done:
    """The state after a command, and the change that it caused, if it caused one."""

    state: GameState
    change: Change | None = None

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that the command caused."""
        return () if self.change is None else self.change.events

    @property
    def table(self) -> Table:
        """The public picture of the state, with the clocks of its moment."""
        return table_of(self.state, self.state.updated_at) if self.change is None else self.change.table


@dataclass(frozen=True, slots=True)
class Birth:
    """A new game: its id, its first events and the hashes of its tokens."""

    game_id: str
    events: Sequence[Event]
    tokens: Sequence[TokenHash] = ()


@dataclass(frozen=True, slots=True)
class More:
    """What is stored together with the events of a command: hashes of new tokens, and a new game."""

    tokens: Sequence[TokenHash] = ()
    birth: Birth | None = None


With = Callable[[GameState, tuple[Event, ...], Sequence[TokenHash]], More]
"""What is stored with events, given the state after them and the game's tokens; ApiError refuses the command."""


def _nothing(state: GameState, events: tuple[Event, ...], tokens: Sequence[TokenHash]) -> More:
    return More()


class Ledger:
    """The logs of all games, and their present states."""

    def __init__(self, store: Store, bus: Bus, now: Callable[[], int], loaded: int, meters: Meters) -> None:
        """``loaded``: how many games are kept in memory. ``now`` is in milliseconds since the epoch."""
        self._store = store
        self._bus = bus
        self._now = now
        self._meters = meters
        self.shelf = Shelf(store, loaded, self._resumed)
        self._elsewhere = Elsewhere(bus, store, self.shelf, self._tell)
        self._timers = Timers(self._expire, now)
        self._running: set[asyncio.Task[Any]] = set()
        self._started_at = now()

    @property
    def writer(self) -> str:
        """Who we are among all processes that write to the logs."""
        return self._elsewhere.writer

    async def start(self) -> None:
        """Takes up the games with a clock. An outage is charged to nobody."""
        self._started_at = self._now()
        self._elsewhere.start()
        for listing in await self._store.listings(ListingQuery(status=Status.PLAYING.value, is_timed=True)):
            await self._take_up(listing.game_id)

    async def stop(self) -> None:
        """Lets the commands in progress finish and stops the timers."""
        self._timers.stop()
        await self._elsewhere.stop()
        await asyncio.gather(*self._running, return_exceptions=True)

    # ---- what callers ask ------------------------------------------------------------------------

    async def begin(self, events: Sequence[Event], tokens: Mapping[int, str]) -> GameState:
        """A new game, of whose events the first creates it; ``tokens`` by seat."""
        hashes = [TokenHash(hash_token(token), seat) for seat, token in tokens.items()]
        return await self._shielded(self._begin(Birth(new_game_id(), events, hashes)))

    async def command(self, game_id: str, command: c.Command, with_events: With = _nothing) -> Done:
        """Does what the command says, when it is its turn.

        A message that is known gets the state of its first answer, and no events. ApiError: nothing was changed.
        """

        async def run() -> Done:
            async with self.shelf.taken(game_id) as (entry, state):
                return await self._run(entry, state, command, with_events)

        return await self._shielded(run())

    async def read_on(self, game_id: str) -> None:
        """Reads what other processes have added to the log of a game."""
        async with self.shelf.taken(game_id) as (entry, state):
            await self._elsewhere.read_on(entry, state)

    async def _run(self, entry: Entry, state: GameState, command: c.Command, with_events: With) -> Done:
        """Nothing is refused for a state that is out of date: before a refusal the log is read on."""
        for _ in range(ATTEMPTS):
            version = answered_at(state, command)
            if version is not None:
                return Done(await self._as_of(state, version))
            now = max(self._now(), state.updated_at)
            try:
                events = decide(state, command, now)
            except ApiError:
                known, state = state, await self._elsewhere.read_on(entry, state)
                if state is known:
                    raise
                continue
            try:
                if not events:
                    return Done(state)
                change = await self._commit(entry, state, events, now, with_events)
                return Done(change.state, change)
            except VersionConflictError:
                log.warning("game %s: another process wrote to it", state.id)
                state = await self._elsewhere.read_on(entry, state)
        raise store_unavailable("the game is being changed elsewhere")

    async def _as_of(self, state: GameState, version: int) -> GameState:
        return state if version == state.version else await self.shelf.as_of(state.id, version)

    async def _shielded(self, work: Coroutine[Any, Any, T]) -> T:
        """Does the work to its end, also for a caller that is gone by then."""
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    # ---- storing and telling ---------------------------------------------------------------------

    async def _begin(self, birth: Birth) -> GameState:
        """A long record takes its time to become a game: meanwhile others go on."""
        change, append = await asyncio.to_thread(_born, birth, self._now())
        try:
            await self._store.append(append)
        except VersionConflictError:
            raise store_unavailable("the new game's id is taken") from None
        await self._take_in(change, append)
        return change.state

    async def _take_in(self, change: Change, append: Append) -> None:
        """A new game is stored. One that is live will be used at once."""
        if change.state.is_live:
            self.shelf.add(change.state, append.tokens)
        await self._announce(change)

    async def _commit(
        self, entry: Entry, state: GameState, events: tuple[Event, ...], now: int, with_events: With
    ) -> Change:
        recorded = tuple(Recorded(state.version + i, now, event) for i, event in enumerate(events, start=1))
        after = state
        for one in recorded:
            after = apply(state.id, after, one)
        change = Change(after, recorded)
        more = with_events(after, events, entry.tokens)
        born = None if more.birth is None else _born(more.birth, now)
        also = None if born is None else born[1]
        try:
            append = Append(state.id, state.version, recorded, change.listing, more.tokens, also)
            await self._store.append(append)
        except ApiError:
            entry.state = None  # What the log really holds is read when it is next asked for.
            raise
        entry.state, entry.tokens, entry.told = after, (*entry.tokens, *more.tokens), after.version
        if born is not None:
            await self._take_in(*born)
        await self._announce(change)
        return change

    async def _announce(self, change: Change) -> None:
        """Tells of a change made here, here and elsewhere."""
        self._meters.count(change)
        self._timers.watch(change.state)
        await self._tell(change)
        await self._elsewhere.share(change)

    async def _tell(self, change: Change) -> None:
        await self._bus.publish(game_topic(change.state.id), change)
        await self._bus.publish(ALL_GAMES, change)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        """A refusal that nobody waits for any more is no defect."""
        self._running.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, ApiError):
            log.error("a command failed", exc_info=error)

    # ---- clocks ----------------------------------------------------------------------------------

    def _resumed(self, state: GameState) -> GameState:
        """A game read from the log. A clock that ran when the server was last stopped runs from its start on."""
        if state.clock is None or state.status is not Status.PLAYING:
            return state
        if state.updated_at < self._started_at:
            state = replace(state, clock=state.clock.resumed(state.updated_at, self._started_at))
        self._timers.watch(state)
        return state

    async def _take_up(self, game_id: str) -> None:
        """Whoever had a clock of the game in hand is gone, or will come and take it again."""
        clock = (await self.shelf.state(game_id)).clock
        for seat, mode in enumerate(() if clock is None else clock.modes):
            if mode is not ClockMode.TURN:
                await self.command(game_id, c.SetClock(seat, ClockMode.TURN))

    async def _expire(self, game_id: str) -> None:
        """An alarm that rang too early is set again."""
        done = await self.command(game_id, c.Expire())
        if not done.events:
            self._timers.watch(done.state)


def _born(birth: Birth, at: int) -> tuple[Change, Append]:
    """What a new game is to those who follow, and to the store."""
    recorded = tuple(Recorded(seq, at, event) for seq, event in enumerate(birth.events, start=1))
    state = fold(birth.game_id, recorded)
    if state is None:
        raise ValueError("a game has a first event")
    change = Change(state, recorded)
    return change, Append(birth.game_id, 0, recorded, change.listing, birth.tokens)
