"""What other processes do to the games: they tell which log has grown, and it is told on here as any change.

Only the log counts: whatever could not be told is read from it. Owned by ``games``, whose shelf it keeps true.
"""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial

from server.domain.events import Recorded, SeatTaken
from server.domain.fold import apply
from server.domain.game import GameState
from server.ports import Bus, Store
from server.services.changes import ALL_GAMES, LOGS, Change, FarChange, FarChangesMissed, LogGrown, game_topic
from server.services.following import Followed, until_read
from server.services.shelf import Entry, Shelf

REMEMBERED = 10_000
"""Games of other processes that are not looked for in the database again."""


class Elsewhere:
    """Tells other processes what is written here, and ``tell`` what they wrote."""

    def __init__(
        self, bus: Bus, store: Store, shelf: Shelf, tell: Callable[[Change], Awaitable[None]]
    ) -> None:
        self._bus = bus
        self._store = store
        self._shelf = shelf
        self._tell = tell
        self.writer = secrets.token_hex(8)
        """Who we are on the bus, and in the logs."""
        self._stored: OrderedDict[str, None] = OrderedDict()
        """Games that are known to be in the database."""
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins to listen."""
        self._task = asyncio.ensure_future(self._follow(Followed(self._bus, LOGS, self._is_news)))

    async def stop(self) -> None:
        """Listens no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def share(self, change: Change) -> None:
        """Tells the other processes of a change made here."""
        await self._bus.publish(LOGS, LogGrown(self.writer, change.recorded, change.listing))

    async def _follow(self, logs: Followed) -> None:
        async for message in logs.messages(self._read_all_on):
            await until_read(partial(self._learn, message))

    def _is_news(self, message: object) -> bool:
        return isinstance(message, LogGrown) and message.writer != self.writer

    async def read_on(self, entry: Entry, state: GameState) -> GameState:
        """``state`` of a taken entry with what the log holds by now; what is new is told here as one change."""
        missed = tuple(await self._store.events(state.id, after=state.version))
        if not missed:
            return state
        state = await self._grown(entry, state, missed)
        await self._tell_of(entry, Change(state, missed, is_own=False))
        return state

    async def _learn(self, told: LogGrown) -> None:
        """A game that nobody has a use for here is not read."""
        if told.game_id in self._shelf or self._bus.has_subscribers(game_topic(told.game_id)):
            await self._learn_more(told)
        elif await self._is_stored(told):
            await self._bus.publish(ALL_GAMES, FarChange(told.listing))

    async def _is_stored(self, told: LogGrown) -> bool:
        """Whether the game is in this database: servers on another one may use the same Redis."""
        if told.game_id in self._stored:
            return True
        if not await self._store.events(told.game_id, after=told.version - 1, until=told.version):
            return False
        self._stored[told.game_id] = None
        if len(self._stored) > REMEMBERED:
            self._stored.popitem(last=False)
        return True

    async def _learn_more(self, told: LogGrown) -> None:
        """Each message is one change, as where it came from, even if the log has grown further by now."""
        async with self._shelf.held(told.game_id) as (entry, state):
            if told.version <= entry.told:
                return
            if told.recorded[0].seq == state.version + 1:
                state = await self._grown(entry, state, told.recorded)
            elif told.version > state.version:
                await self.read_on(entry, state)
                return
            elif told.version < state.version:
                state = await self._shelf.as_of(told.game_id, told.version)
            await self._tell_of(entry, Change(state, told.recorded, is_own=False))

    async def _grown(self, entry: Entry, state: GameState, recorded: tuple[Recorded, ...]) -> GameState:
        """The entry, brought up to date. A seat that was taken comes with a token, which only the store has."""
        if any(isinstance(one.event, SeatTaken) for one in recorded):
            entry.tokens = tuple(await self._store.tokens(state.id))
        for one in recorded:
            state = apply(state.id, state, one)
        return self._shelf.put(entry, state)

    async def _tell_of(self, entry: Entry, change: Change) -> None:
        entry.told = change.state.version
        await self._tell(change)

    async def _read_all_on(self) -> None:
        for game_id, _ in self._shelf.live:
            await until_read(partial(self._read_on, game_id))
        await self._bus.publish(ALL_GAMES, FarChangesMissed())

    async def _read_on(self, game_id: str) -> None:
        async with self._shelf.held(game_id) as (entry, state):
            await self.read_on(entry, state)
