"""The bots on the ladder that are attached to any server, and which of them can start a game."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Final

from engines import Position, games
from protocols.values import BUILT_IN_CLIENT, LadderTerms
from server.domain.bots import ListedBot
from server.domain.ladder.pairing import Entrant
from server.domain.ladder.players import player_id
from server.domain.ladder.rating_pool import PoolKey
from server.domain.levels import LEVELS
from server.services.bots.bot_registry import BotRegistry
from server.services.games.games import Games
from server.services.ladder.ladder import Ladder
from server.services.ladder.ladder_bytes import LadderBytes
from server.services.ladder.openings import ladder_config

MOST_ERRORS: Final = 10
"""A player that has lost so many games running by errors starts no more until its client attaches again."""

DAY_MS: Final = 86_400_000


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


class LadderBots:
    """The bots that ``registry`` knows."""

    def __init__(self, ladder: Ladder, games: Games, registry: BotRegistry, stored: LadderBytes) -> None:
        self._ladder = ladder
        self._games = games
        self._registry = registry
        self._stored = stored

    def all(self) -> list[LadderBot]:
        """All bots on the ladder."""
        return [
            LadderBot(bot, bot.ladder, told.since)
            for told in self._registry.told()
            for bot in told.bots
            if bot.ladder is not None
        ]

    def listed(self) -> dict[tuple[str, str], ListedBot]:
        """All bots, on the ladder or not, by id and game."""
        return {(bot.id, bot.game): bot for bot in self._registry.bots}

    def why_not(self, bot: LadderBot, key: PoolKey) -> str | None:
        """Why a bot starts no game now, apart from those that it is playing; None if it does."""
        tally = self._ladder.pool(key).tallies.get(bot.player)
        if tally is not None and tally.errors_running >= MOST_ERRORS and (tally.last_at or 0) > bot.since:
            return f"lost {tally.errors_running} games running by errors: attach again to go on"
        if not bot.listed.plays(_usual_position(key)):
            return "does not play the usual board"
        if not seats_of(bot, key):
            return "plays in no number of seats that the game has"
        if bot.terms.is_quiet(datetime.fromtimestamp(self._games.now() / 1000, UTC).hour):
            return "has quiet hours"
        if self._room_today(bot) <= 0:
            return "has played its games of today"
        if self._stored.is_spent(bot.listed.id):
            return "its address has stored as many games as it may today"
        return None

    def entrants(self, key: PoolKey, playing: Mapping[str, int]) -> Iterator[Entrant]:
        """Who plays in a pool; without room while it is busy. ``playing``: how many games of each player run."""
        for bot in self.all():
            if key in bot.pools() and self.why_not(bot, key) is None:
                is_free = self._registry.has_room(bot.listed.id)
                left = bot.terms.games_at_once - playing.get(bot.player, 0) if is_free else 0
                room = min(left, self._room_today(bot))
                yield Entrant(bot.player, room, frozenset(bot.terms.avoid), seats_of(bot, key))

    def levels(self, game: str) -> list[Entrant]:
        """The built-in levels that play a game."""
        levels = [f"{BUILT_IN_CLIENT}:{level.bot_id}" for level in LEVELS]
        found = [level for level in levels if self._registry.find(level, game) is not None]
        return [Entrant(level, seats=seat_counts(game)) for level in found]

    def _room_today(self, bot: LadderBot) -> int:
        most = bot.terms.games_per_day
        if most is None:
            return bot.terms.games_at_once
        return most - self._ladder.games_since(bot.listed.id, self._games.now() - DAY_MS)


@cache
def seat_counts(game: str) -> frozenset[int]:
    """The numbers of seats that a game can have."""
    fewest, most = next(one.seats for one in games() if one.name == game)
    return frozenset(range(fewest, most + 1))


def seats_of(bot: LadderBot, key: PoolKey) -> frozenset[int]:
    """In games of how many a bot plays."""
    return seat_counts(key[0]).intersection(bot.terms.seats)


@cache
def _usual_position(key: PoolKey) -> Position:
    """The start of the games of a pool, but for their openings."""
    game, variant = key
    return Position(game, variant, ladder_config(game, 0))
