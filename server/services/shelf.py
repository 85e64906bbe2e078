"""The games in memory.

One entry per game with its lock, so that commands of one game run one after the other.

Games nobody has asked for lately are put back; they are read again from the log when somebody does. Knows no
rules of play: ``games`` does.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import islice

from server.domain.errors import not_found
from server.domain.events import Recorded
from server.domain.fold import fold
from server.domain.game import GameState, Status
from server.ports import Store, TokenHash

SHORT = 100
"""Events of a log that is read at once; a longer one is read on a thread of its own."""

LOOKS = 4
"""How many entries are looked at whether they may be put back, whenever one more has come."""


class Entry:
    """One game in memory. ``state`` is None until it has been read, and after a failed append."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0
        self.state: GameState | None = None
        self.tokens: tuple[TokenHash, ...] = ()
        self.told = 0
        """The version up to which those who follow the game here have been told of its changes, while in memory."""

    @property
    def is_idle(self) -> bool:
        """Whether it may be put back: nobody uses it and no clock has to be watched."""
        is_timed = self.state is not None and self.state.clock is not None
        is_watched = is_timed and self.state is not None and self.state.status is Status.PLAYING
        return self.users == 0 and not is_watched


class Shelf:
    """Entries by game id, the least recently used first.

    ``on_load`` sees each state that does not come from a command given here.
    """

    def __init__(self, store: Store, limit: int, on_load: Callable[[GameState], GameState]) -> None:
        self._store = store
        self._limit = limit
        self._on_load = on_load
        self._entries: OrderedDict[str, Entry] = OrderedDict()

    @property
    def live(self) -> list[tuple[str, GameState]]:
        """The games in memory that may go on, as they are known here."""
        states = [(name, entry.state) for name, entry in self._entries.items()]
        return [(name, state) for name, state in states if state is not None and state.is_live]

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, game_id: str) -> bool:
        """Whether the game is in memory, or on its way."""
        return game_id in self._entries

    def add(self, state: GameState, tokens: Sequence[TokenHash]) -> None:
        """A game that was begun here, and will be used."""
        entry = self._entries.setdefault(state.id, Entry())
        if entry.users == 0 and entry.state is None:
            entry.state, entry.tokens, entry.told = state, tuple(tokens), state.version
        self._tidy(state.id, entry)

    def taken(self, game_id: str) -> AbstractAsyncContextManager[tuple[Entry, GameState]]:
        """The entry of a game and its present state, for the holder alone, who uses the game.

        ApiError when there is no such game.
        """
        self._use(game_id)
        return self.held(game_id)

    @asynccontextmanager
    async def held(self, game_id: str) -> AsyncIterator[tuple[Entry, GameState]]:
        """The same for a holder who only keeps the entry true: it may be put back as soon as before."""
        entry = self._entries.setdefault(game_id, Entry())
        entry.users += 1
        try:
            async with entry.lock:
                yield entry, entry.state or await self._load(game_id, entry)
        finally:
            entry.users -= 1
            self._tidy(game_id, entry)

    async def state(self, game_id: str) -> GameState:
        """The present committed state."""
        state, _ = await self._read(game_id)
        return state

    async def tokens(self, game_id: str) -> tuple[TokenHash, ...]:
        """The token hashes of the game."""
        _, tokens = await self._read(game_id)
        return tokens

    async def _read(self, game_id: str) -> tuple[GameState, tuple[TokenHash, ...]]:
        """Without waiting for a command in progress, where the game is in memory."""
        entry = self._entries.get(game_id)
        if entry is not None and entry.state is not None:
            self._use(game_id)
            return entry.state, entry.tokens
        async with self.taken(game_id) as (loaded, state):
            return state, loaded.tokens

    async def _load(self, game_id: str, entry: Entry) -> GameState:
        stored = await self._store.game(game_id)
        state = await _folded(game_id, stored.events)
        if state is None:
            raise not_found(game_id)
        entry.tokens = tuple(stored.tokens)
        return self.put(entry, state)

    def put(self, entry: Entry, state: GameState) -> GameState:
        """Gives a taken entry a state that another process brought about, and returns what it holds then."""
        entry.state = self._on_load(state)
        return entry.state

    async def as_of(self, game_id: str, version: int) -> GameState:
        """The state after so many events of the log."""
        state = await _folded(game_id, await self._store.events(game_id, until=version))
        if state is None:
            raise ValueError(f"the log of game {game_id} is gone")
        return state

    def _use(self, game_id: str) -> None:
        if game_id in self._entries:
            self._entries.move_to_end(game_id)

    def _tidy(self, game_id: str, entry: Entry) -> None:
        """Puts games back, if there are too many; those that must stay count as used, so none is looked at often."""
        if entry.users == 0 and entry.state is None:
            self._entries.pop(game_id, None)
        if len(self._entries) <= self._limit:
            return
        for name in tuple(islice(self._entries, LOOKS)):
            if not self._entries[name].is_idle:
                self._entries.move_to_end(name)
            elif len(self._entries) > self._limit:
                del self._entries[name]


async def _folded(game_id: str, log: Sequence[Recorded]) -> GameState | None:
    """A long log takes its time: meanwhile others go on."""
    if len(log) <= SHORT:
        return fold(game_id, log)
    return await asyncio.to_thread(fold, game_id, log)
