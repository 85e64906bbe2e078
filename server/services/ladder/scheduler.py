"""Starts the games of the ladder. One server does this for all, as long as it is alive.

It looks whenever a game has begun or ended, a client has come or gone, and every second. The ladder's rules for who
meets whom are in ``domain.ladder.pairing``; here is who can play now, and what becomes of games that cannot go on.
"""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Final

from engines import BadConfig, Position
from engines.arena import most_plies
from engines.arena_game import PLY_LIMIT
from protocols.values import BUILT_IN_CLIENT, LadderGame, LadderTerms, Seat, SeatKind, TimeControl
from server.domain import commands as c
from server.domain.bots import LEVELS, ListedBot
from server.domain.errors import ApiError
from server.domain.game import LADDER
from server.domain.ladder.pairing import Entrant, Pairing, pairings
from server.domain.ladder.players import bot_of, is_level, player_id
from server.domain.ladder.pool import PoolKey
from server.ports.store import LadderStore
from server.services.bots.bot_registry import BotRegistry
from server.services.games.game_factory import NewGame
from server.services.games.games import Games
from server.services.ladder.ladder import Ladder, Running, busy
from server.services.ladder.openings import OPENING_BITS, ladder_config, opening_moves
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

DUTY: Final = "ladder"

LOOK_SECONDS: Final = 1.0

CLOCK: Final = TimeControl(60, 1)
"""The clock of games between bots that know clocks."""

TIME_A_MOVE: Final = TimeControl(10, 10)
"""The clock of games with a bot that knows none: it has ten seconds for every move, and is not told about it."""

MOST_ERRORS: Final = 10
"""A player that has lost so many games running by errors starts no more until its client attaches again."""

DAY_MS: Final = 86_400_000


@cache
def _usual_position(key: PoolKey) -> Position:
    """The start of the games of a pool, but for their openings."""
    game, variant = key
    return Position(game, variant, ladder_config(game, 0))


@dataclass(frozen=True, slots=True)
class LadderBot:
    """A bot on the ladder; ``since``: when its client attached, in milliseconds since the epoch."""

    listed: ListedBot
    terms: LadderTerms
    since: int

    @property
    def player(self) -> str:
        """The id of the player."""
        return player_id(self.listed)

    def pools(self) -> Iterator[PoolKey]:
        """The games and variants that it plays."""
        for variant in self.terms.variants or self.listed.variants:
            yield self.listed.game, variant


class Scheduler:
    """Pairs the bots that are free. ``level_games``: how many games at once the built-in levels play; 0: none."""

    def __init__(
        self,
        ladder: Ladder,
        store: LadderStore,
        games: Games,
        registry: BotRegistry,
        level_games: int,
    ) -> None:
        self._ladder = ladder
        self._store = store
        self._games = games
        self._registry = registry
        self._level_games = level_games
        self._due = asyncio.Event()
        self._tasks = Tasks()

    def start(self) -> None:
        """Starts to pair players."""
        self._ladder.listeners.append(self._due.set)
        self._registry.listeners.add(self._due.set)
        self._tasks.repeat(self._look)

    async def stop(self) -> None:
        """Starts no more games."""
        await self._tasks.stop()

    # ---- who can play ----------------------------------------------------------------------------

    def bots(self) -> list[LadderBot]:
        """The bots on the ladder that are attached to any server."""
        return [
            LadderBot(bot, bot.ladder, told.since)
            for told in self._registry.told()
            for bot in told.bots
            if bot.ladder is not None
        ]

    def why_not(self, bot: LadderBot, key: PoolKey) -> str | None:
        """Why a bot starts no game now, apart from those that it is playing; None if it does."""
        tally = self._ladder.pool(key).tallies.get(bot.player)
        if tally is not None and tally.errors_running >= MOST_ERRORS and (tally.last_at or 0) > bot.since:
            return f"lost {tally.errors_running} games running by errors: attach again to go on"
        if not bot.listed.plays(_usual_position(key)):
            return "does not play the usual board"
        if bot.terms.is_quiet(datetime.fromtimestamp(self._games.now() / 1000, UTC).hour):
            return "has quiet hours"
        if self._room_today(bot) <= 0:
            return "has played its games of today"
        return None

    def _room_today(self, bot: LadderBot) -> int:
        most = bot.terms.games_per_day
        if most is None:
            return bot.terms.games_at_once
        return most - self._ladder.games_since(bot.listed.id, self._games.now() - DAY_MS)

    def _entrants(self, key: PoolKey, playing: Mapping[str, int]) -> Iterator[Entrant]:
        """Who can start a game in a pool."""
        for bot in self.bots():
            if key in bot.pools() and self.why_not(bot, key) is None:
                left = bot.terms.games_at_once - playing.get(bot.player, 0)
                room = min(left, self._room_today(bot))
                yield Entrant(bot.player, room, frozenset(bot.terms.avoid))

    def _levels(self, game: str) -> list[Entrant]:
        levels = [f"{BUILT_IN_CLIENT}:{level.bot_id}" for level in LEVELS]
        return [Entrant(level) for level in levels if self._registry.find(level, game) is not None]

    # ---- pairing ---------------------------------------------------------------------------------

    async def _look(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_SECONDS):
                await self._due.wait()
        self._due.clear()
        if not self.bots() and not self._ladder.running:
            return
        try:
            if not await self._store.take_duty(DUTY, self._games.leases.server):
                return
            await self._end_games()
            await self._start_games()
        except ApiError as refusal:  # The store logs that it cannot be used.
            log.info("no games of the ladder could be started: %s", refusal.text)
            await asyncio.sleep(LOOK_SECONDS)

    async def _start_games(self) -> None:
        playing = busy(self._ladder.running)
        for key in self._pools():
            levels = self._levels(key[0]) if self._level_room(playing) > 0 else []
            pool, rated = self._ladder.pool(key), self._ladder.rated(key)
            chosen = pairings(
                [*self._entrants(key, playing), *levels], rated, pool.met, self._ladder.returns.get(key, ())
            )
            for pairing in chosen:
                has_level = any(map(is_level, pairing.players))
                if (not has_level or self._level_room(playing) > 0) and await self._start(key, pairing):
                    playing.update(pairing.players)

    def _pools(self) -> list[PoolKey]:
        """Those in which bots could play, the one with the fewest games first, since a bot may play in several."""
        keys = {key for bot in self.bots() for key in bot.pools()}
        return sorted(
            keys, key=lambda key: (self._ladder.pool(key).met.total() + self._ladder.runs(key), key)
        )

    def _level_room(self, playing: Counter[str]) -> int:
        return self._level_games - sum(count for player, count in playing.items() if is_level(player))

    async def _start(self, key: PoolKey, pairing: Pairing) -> bool:
        game, variant = key
        opening = secrets.randbits(OPENING_BITS) if pairing.opening is None else pairing.opening
        bots = [self._registry.find(bot_of(player), game) for player in pairing.players]
        if any(
            bot is None or player_id(bot) != player for bot, player in zip(bots, pairing.players, strict=True)
        ):
            return False
        config = ladder_config(game, opening)
        try:
            moves = opening_moves(Position(game, variant, config), opening)
            request = NewGame(
                game=game,
                variant=variant,
                seats=tuple(Seat(SeatKind.BOT, bot_id=bot_of(player)) for player in pairing.players),
                config=config,
                time_control=CLOCK if all(bot is not None and bot.is_timed for bot in bots) else TIME_A_MOVE,
                match_type=LADDER,
                ladder=LadderGame(pairing.players, opening, len(moves)),
            )
            state = await self._games.create_for_ladder(request, moves)
        except (ApiError, BadConfig) as refusal:
            log.warning("no game of the ladder between %s: %s", " and ".join(pairing.players), refusal)
            return False
        log.info("game %s of the ladder: %s", state.id, " against ".join(pairing.players))
        return True

    # ---- games that cannot go on -----------------------------------------------------------------

    async def _end_games(self) -> None:
        """Ends games that have become too long, and those of a bot whose client has attached with another version."""
        for game in list(self._ladder.running.values()):
            command = self._end_of(game)
            if command is not None:
                await self._games.adjudicate(game.game_id, command)

    def _end_of(self, game: Running) -> c.Adjudicate | None:
        most = most_plies(game.key[0])
        if most is not None and game.ply >= most:
            return c.Adjudicate(PLY_LIMIT, note=f"draw after {most} moves")
        for player in game.ladder.players:
            bot = self._registry.find(bot_of(player), game.key[0])
            if bot is not None and player_id(bot) != player:
                return c.Adjudicate("version", is_void=True, note=f"{bot.name} came back as another version")
        return None
