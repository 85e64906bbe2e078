"""The games in memory.

Each entry has a lock, so that the commands of one game run one after the other. Games that have not been used lately
are evicted, and read again from the log when needed.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import islice

from protocols.values import Status
from server.domain.errors import not_found
from server.domain.events import Created, Recorded, length
from server.domain.fold import convert_once, fold
from server.domain.game import GameState
from server.ports.store import Store, TokenHash

SHORT = 100
"""The maximum length of a log, in events, that is folded on the event loop; longer ones are folded on a thread."""

SMALL = 200
"""The maximum number of entries in the lists of a configuration for this."""

LOOKS = 4
"""How many entries are considered for eviction each time one is used."""


class CachedGame:
    """One game in memory. ``state`` is None before it has been read."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0
        self.state: GameState | None = None
        self.tokens: tuple[TokenHash, ...] = ()
        self.published = 0
        """The version up to which changes have been published in this process while the game was in memory."""
        self.unused = 0
        """How many changes of other processes it has had since it was last used here."""

    @property
    def is_idle(self) -> bool:
        """Whether the entry may be evicted: it is not in use and no clock has to be watched."""
        is_timed = self.state is not None and self.state.clock is not None
        is_watched = is_timed and self.state is not None and self.state.status is Status.PLAYING
        return self.users == 0 and not is_watched


class GameCache:
    """Entries by game id, the least recently used first.

    ``on_load`` is applied to each state that does not come from a command in this process.
    """

    def __init__(self, store: Store, limit: int, on_load: Callable[[GameState], GameState]) -> None:
        self._store = store
        self._limit = limit
        self._on_load = on_load
        self._entries: OrderedDict[str, CachedGame] = OrderedDict()

    @property
    def live(self) -> list[tuple[str, GameState]]:
        """The ids and states of the live games in memory; other processes may have changed them since."""
        states = [(name, entry.state) for name, entry in self._entries.items()]
        return [(name, state) for name, state in states if state is not None and state.is_live]

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, game_id: str) -> bool:
        """Whether the game is in memory, or being loaded."""
        return game_id in self._entries

    def add(self, state: GameState, tokens: Sequence[TokenHash]) -> None:
        """Adds a game that was created in this process."""
        entry = self._entries.setdefault(state.id, CachedGame())
        if entry.users == 0 and entry.state is None:
            entry.state, entry.tokens, entry.published = state, tuple(tokens), state.version
        self._tidy(state.id, entry)

    def locked(self, game_id: str) -> AbstractAsyncContextManager[tuple[CachedGame, GameState]]:
        """Locks the entry of a game and yields it with its current state; counts as use of the game.

        ApiError if there is no such game.
        """
        self._use(game_id)
        return self.locked_to_sync(game_id)

    @asynccontextmanager
    async def locked_to_sync(self, game_id: str) -> AsyncIterator[tuple[CachedGame, GameState]]:
        """The same as ``locked``, but does not count as use: the entry is evicted as soon as it would be otherwise."""
        entry = self._entries.setdefault(game_id, CachedGame())
        entry.users += 1
        try:
            async with entry.lock:
                yield entry, entry.state or await self._load(game_id, entry)
        finally:
            entry.users -= 1
            self._tidy(game_id, entry)

    def version(self, game_id: str) -> int | None:
        """Returns the version of a game in memory; None if its state is not in memory now."""
        entry = self._entries.get(game_id)
        return None if entry is None or entry.state is None else entry.state.version

    def published(self, game_id: str) -> int:
        """Returns the version up to which changes of a game have been published since it was read into memory."""
        entry = self._entries.get(game_id)
        return 0 if entry is None else entry.published

    async def state(self, game_id: str) -> GameState:
        """Returns the current committed state."""
        state, _ = await self._read(game_id)
        return state

    async def tokens(self, game_id: str) -> tuple[TokenHash, ...]:
        """Returns the token hashes of a game."""
        _, tokens = await self._read(game_id)
        return tokens

    async def _read(self, game_id: str) -> tuple[GameState, tuple[TokenHash, ...]]:
        """Does not wait for a command in progress if the game is in memory."""
        entry = self._entries.get(game_id)
        if entry is not None and entry.state is not None:
            self._use(game_id)
            return entry.state, entry.tokens
        async with self.locked(game_id) as (loaded, state):
            return state, loaded.tokens

    async def _load(self, game_id: str, entry: CachedGame) -> GameState:
        stored = await self._store.game(game_id)
        state = await _folded(game_id, stored.events)
        if state is None:
            raise not_found(game_id)
        entry.tokens = tuple(stored.tokens)
        return self.put(entry, state)

    def put(self, entry: CachedGame, state: GameState) -> GameState:
        """Sets the state of a locked entry to one that another process created; returns the result of ``on_load``."""
        entry.state = self._on_load(state)
        return entry.state

    def forget(self, entry: CachedGame) -> None:
        """Drops the state of a locked entry, whose game is in the store no more."""
        entry.state, entry.tokens = None, ()

    def drop_unused(self, game_id: str, changes: int) -> None:
        """Drops a game unless it is in use, or was used since others made so many ``changes``."""
        entry = self._entries.get(game_id)
        if entry is not None and entry.users == 0 and entry.unused >= changes:
            del self._entries[game_id]

    async def as_of(self, game_id: str, version: int) -> GameState:
        """Returns the state after the first ``version`` events of the log."""
        state = await _folded(game_id, await self._store.events(game_id, until=version))
        if state is None:
            raise ValueError(f"the log of game {game_id} is gone")
        return state

    def _use(self, game_id: str) -> None:
        if game_id in self._entries:
            self._entries.move_to_end(game_id)
            self._entries[game_id].unused = 0

    def _tidy(self, game_id: str, entry: CachedGame) -> None:
        """Evicts idle games beyond the limit. Games in use move to the end of the order, to be checked again later."""
        if entry.users == 0 and entry.state is None:
            self._entries.pop(game_id, None)
        if len(self._entries) <= self._limit:
            return
        for name in tuple(islice(self._entries, LOOKS)):
            if not self._entries[name].is_idle:
                self._entries.move_to_end(name)
            elif len(self._entries) > self._limit:
                del self._entries[name]


def _is_short(log: Sequence[Recorded]) -> bool:
    """Whether the log is short, and the game's board small."""
    created = log[0].event if log else None
    lists = (
        [value for value in created.config.values() if isinstance(value, list)]
        if isinstance(created, Created)
        else []
    )
    return length(one.event for one in log) <= SHORT and sum(map(len, lists)) <= SMALL


async def _folded(game_id: str, log: Sequence[Recorded]) -> GameState | None:
    """Folds a long log on a thread, to keep the event loop free."""
    if _is_short(log):
        return fold(game_id, log)
    return await asyncio.to_thread(_fold_long, game_id, log)


def _fold_long(game_id: str, log: Sequence[Recorded]) -> GameState | None:
    state = fold(game_id, log)
    if state is not None:
        convert_once(state.position)
    return state
