"""The ladder as this server knows it: all results, the ratings that follow from them, and the running games.

Every server reads the results from the store when it starts, and follows the games from then on, so that all have the
same ratings. Ratings are computed on a thread, and again while there are new results.
"""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Final

from protocols.values import LadderGame, Status
from protocols.values.ladder import GAMES_PER_DAY
from server.domain.game import GameState
from server.domain.ladder.pairing import Returns
from server.domain.ladder.players import bot_of
from server.domain.ladder.rating_pool import Pool, PoolKey, Rated
from server.domain.ladder.results import RatedResult, result_of
from server.ports.store import GameKey, LadderStore, Listing, ListingQuery
from server.services.cluster.bus import Bus
from server.services.cluster.changes import Change
from server.services.cluster.games_reader import GamesReader
from server.services.cluster.listing import listed_of
from server.services.games.games import Games
from server.services.ladder.ladder_bytes import LadderBytes
from server.services.ladder.openings import hides_order
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

REST: Final = 4.0
"""How many times as long as a computation of ratings the pause after it is, so that it never takes most of a core."""

LEAST_REST_SECONDS: Final = 0.2

START_SECONDS: Final = 10.0
"""How long a server that starts waits for the first ratings."""

PAGE: Final = 5000
"""How many results are read at once."""

CLOCKS_DIFFER_MS: Final = 3_600_000
"""The most by which the clocks of servers may differ."""


@dataclass(frozen=True, slots=True)
class Running:
    """A running game of the ladder."""

    game_id: str
    key: PoolKey
    ladder: LadderGame
    ply: int

    @property
    def moves(self) -> int:
        """The number of moves after the opening, which may not have been played yet."""
        return max(0, self.ply - self.ladder.opening_plies)


class Ladder:
    """All pools. ``listeners`` are called when a game has begun or ended, or there are new ratings."""

    def __init__(self, store: LadderStore, games: Games, bus: Bus, stored: LadderBytes) -> None:
        self._store = store
        self._games = games
        self._stored = stored
        self._reader = GamesReader(
            bus, lambda change: change.state.ladder is not None, lambda row: "ladder" in row.summary
        )
        self.pools: dict[PoolKey, Pool] = {}
        self.returns: dict[PoolKey, Returns] = {}
        self.running: dict[str, Running] = {}
        self.names: dict[str, str] = {}
        """The latest names of those who have played."""
        self.revision = 0
        """Grows with every change of what the ladder shows."""
        self.listeners: list[Callable[[], None]] = []
        self._newest = 0
        self._known: set[str] = set()
        """The games whose results are counted."""
        self._ended: dict[str, deque[int]] = {}
        """When the latest games of each bot have ended."""
        self._playing: Counter[str] = Counter()
        """The number of running games of each bot."""
        self.is_current = False
        """Whether all results and running games have been read."""
        self._rated: dict[PoolKey, Rated] = {}
        self._stale: set[PoolKey] = set()
        self._is_stale = asyncio.Event()
        self._tasks = Tasks()

    async def start(self) -> None:
        """Reads all results and running games, then follows the games. ApiError if the store is unavailable.

        Returns once the ratings are known, or after a while.
        """
        await self.read()
        first = self._tasks.start(self._rate_stale())
        await asyncio.wait((first,), timeout=START_SECONDS)
        self._tasks.start(self._reader.follow(self._take_change, self._take_row, self.read))
        self._tasks.repeat(self._rate)

    async def stop(self) -> None:
        """Stops following."""
        await self._tasks.stop()

    def pool(self, key: PoolKey) -> Pool:
        """Returns the pool of a game and variant; an empty one if it has no results."""
        return self.pools.get(key) or Pool(key)

    def rated(self, key: PoolKey) -> Rated:
        """Returns the latest ratings of a pool, which may lack the newest results."""
        return self._rated.get(key) or Pool(key).comparisons().rated()

    def runs(self, key: PoolKey) -> int:
        """The number of running games of a pool."""
        return self.runs_by_seats(key).total()

    def runs_by_seats(self, key: PoolKey) -> Counter[int]:
        """The number of running games of a pool with each number of seats."""
        return Counter(len(game.ladder.players) for game in self.running.values() if game.key == key)

    async def games_of(self, bot: str, limit: int) -> Sequence[RatedResult]:
        """Returns the latest results of any version of a bot, newest first. ApiError if they cannot be read."""
        return await self._store.ladder_games_of(bot, limit)

    def games_since(self, bot: str, since: int) -> int:
        """The number of games of a bot's versions that run, or have ended after ``since`` (ms since the epoch)."""
        ended = self._ended.get(bot, deque())
        while ended and ended[0] < since:
            ended.popleft()
        return len(ended) + self._playing[bot]

    # ---- games -----------------------------------------------------------------------------------

    async def read(self) -> None:
        """Reads what may be new. Results have the times of their servers, whose clocks may differ."""
        self.is_current = False
        key: GameKey | None = (self._newest - CLOCKS_DIFFER_MS, "")
        while key is not None:
            results = await self._store.ladder_results(key, PAGE)
            self._count(results)
            key = (results[-1].ended_at, results[-1].game_id) if len(results) == PAGE else None
        playing = await self._games.listings(ListingQuery(status=Status.PLAYING.value, has_bot=True))
        still = {row.game_id for row in playing}
        for game_id in [game_id for game_id in self.running if game_id not in still]:
            self._end(game_id)
        for row in playing:
            self._note_running(row)
        self.is_current = True
        self._tell()

    async def _take_change(self, change: Change) -> None:
        if change.state.is_live:
            self.note(change.state)
        elif (result := result_of(change.state)) is not None:
            self._count((result,))
            self._tell()

    async def _take_row(self, row: Listing) -> None:
        if row.status == Status.PLAYING:
            self._note_running(row)
            return
        self._count(await self._store.ladder_results_of((row.game_id,)))
        self._end(row.game_id)
        self._tell()

    def note(self, state: GameState) -> None:
        """Notes a running game of the ladder."""
        if state.ladder is not None:
            self._begin(Running(state.id, (state.game, state.variant), state.ladder, state.ply))

    def _note_running(self, row: Listing) -> None:
        game = listed_of(row)
        if game.ladder is not None:
            self._begin(Running(row.game_id, (row.game, row.variant), game.ladder, row.ply))

    def _begin(self, game: Running) -> None:
        if game.game_id in self._known:
            return
        is_new = game.game_id not in self.running
        self.running[game.game_id] = game
        if is_new:
            self._playing.update(map(bot_of, game.ladder.players))
            self._stored.begin(game.game_id, game.ladder.players)
            self._await_return(game.key, game.ladder.players, game.ladder.opening)
            self._tell()

    def _end(self, game_id: str) -> bool:
        """Forgets a running game; returns whether it was known."""
        game = self.running.pop(game_id, None)
        if game is not None:
            self._playing -= Counter(map(bot_of, game.ladder.players))
            self._stored.end(game_id, game.moves)
        return game is not None

    def _await_return(self, key: PoolKey, players: tuple[str, ...], opening: int) -> None:
        """Two games with a hidden order never have the same: whoever remembers the first would know it.

        Nor have tables of more than two.
        """
        if not hides_order(*key) and len(players) == 2:
            self._returns(key).begin(players, opening)

    def _count(self, results: Iterable[RatedResult]) -> None:
        for result in results:
            if result.game_id in self._known:
                continue
            self._known.add(result.game_id)
            self._newest = max(self._newest, result.ended_at)
            key = result.game, result.variant
            was_running = self._end(result.game_id)
            if result.places is None:
                self._returns(key).cancel(result.players, result.opening)
            elif not was_running:
                self._await_return(key, result.players, result.opening)
            self.pools.setdefault(key, Pool(key)).add(result)
            self.names.update(zip(result.players, result.names, strict=True))
            for player in result.players:
                self._ended.setdefault(bot_of(player), deque(maxlen=GAMES_PER_DAY.max)).append(
                    result.ended_at
                )
            self._stale.add(key)
        if self._stale:
            self._is_stale.set()

    def _returns(self, key: PoolKey) -> Returns:
        return self.returns.setdefault(key, Returns())

    # ---- ratings ---------------------------------------------------------------------------------

    async def _rate(self) -> None:
        await self._is_stale.wait()
        began = monotonic()
        await self._rate_stale()
        self._tell()
        await asyncio.sleep(max(LEAST_REST_SECONDS, REST * (monotonic() - began)))

    async def _rate_stale(self) -> None:
        self._is_stale.clear()
        while self._stale:
            pool = self.pools[self._stale.pop()]
            comparisons = pool.comparisons()
            self._rated[pool.key] = rated = await asyncio.to_thread(comparisons.rated)
            pool.start_from(rated)

    def _tell(self) -> None:
        self.revision += 1
        for listener in self.listeners:
            listener()


def busy(running: Mapping[str, Running]) -> Counter[str]:
    """The number of running games of each player."""
    return Counter(player for game in running.values() for player in game.ladder.players)
