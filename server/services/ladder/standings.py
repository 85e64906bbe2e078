"""What the ladder shows: the rows of a pool, and what is known of a bot. Values for the routes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from server.domain.ladder.players import bot_of, is_level
from server.domain.ladder.rating_pool import Pool, PoolKey, Rated, Tallied
from server.domain.ladder.results import RatedResult
from server.services.ladder.ladder import Ladder
from server.services.ladder.ladder_bots import LadderBots
from server.services.ladder.progress import Moment, progress

MOST_ERROR: Final = 300.0
"""Ratings with larger errors are provisional, and come after the others."""


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A player in a pool. ``rank`` is 1 for the best rating; None while the rating says little.

    ``error`` is half the width of the rating's 95 % interval. ``playing``: the games that it plays, in any pool.
    ``why_not``: why it starts no game now, None if it does; ``is_here``: whether its client is attached as this one.
    """

    rank: int | None
    player: str
    name: str
    elo: float
    error: float
    tally: Tallied
    playing: tuple[str, ...]
    is_here: bool
    why_not: str | None

    @property
    def bot(self) -> str:
        """The id of the bot that the player is a version of."""
        return bot_of(self.player)

    @property
    def is_level(self) -> bool:
        """Whether the player is a built-in level."""
        return is_level(self.player)


def rows_of(ladder: Ladder, bots: LadderBots, key: PoolKey) -> list[LadderRow]:
    """Returns the players of a pool that have played or could, the best rating first."""
    rated, pool = ladder.rated(key), ladder.pool(key)
    here = {one.player: one for one in bots.all() if key in one.pools()}
    games: dict[str, list[str]] = {}
    players = {*(player for player, tally in pool.tallies.items() if tally.games > 0), *here}
    for game in ladder.running.values():
        for player in game.ladder.players:
            games.setdefault(player, []).append(game.game_id)
        players.update(game.ladder.players if game.key == key else ())
    known = {player for player in players if rated.error(player) <= MOST_ERROR}
    best = sorted(players, key=lambda player: (player not in known, -rated.elo(player), player))
    return [
        LadderRow(
            rank if player in known else None,
            player,
            here[player].listed.name if player in here else ladder.names.get(player, bot_of(player)),
            rated.elo(player),
            rated.error(player),
            pool.tallies.get(player) or Tallied(),
            tuple(games.get(player, ())),
            is_level(player) or player in here,
            bots.why_not(here[player], key) if player in here else None,
        )
        for rank, player in zip(count(1), best)
    ]


def count_of(ladder: Ladder, bots: LadderBots, key: PoolKey) -> int:
    """Returns the number of players of a pool."""
    here = {one.player for one in bots.all() if key in one.pools()}
    return len(here.union(ladder.pool(key).tallies))


def pools_of(ladder: Ladder, bots: LadderBots) -> list[PoolKey]:
    """Returns the pools with results or players, by name."""
    waiting = {key for bot in bots.all() for key in bot.pools()}
    return sorted(waiting.union(ladder.pools))


@dataclass(frozen=True, slots=True)
class LadderMeeting:
    """The results of a bot's versions against one opponent in a pool, of the games that count."""

    key: PoolKey
    opponent: str
    name: str
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class BotReport:
    """What is known of a bot. ``rows``: its versions in each pool; ``results``: its latest games, newest first."""

    bot: str
    rows: Mapping[PoolKey, Sequence[LadderRow]]
    meetings: Sequence[LadderMeeting]
    results: Sequence[RatedResult]


def report_of(ladder: Ladder, bots: LadderBots, bot: str, results: Sequence[RatedResult]) -> BotReport:
    """Returns what is known of a bot, whose latest ``results`` are given."""
    every = {key: rows_of(ladder, bots, key) for key in pools_of(ladder, bots)}
    own = {key: found for key, rows in every.items() if (found := [row for row in rows if row.bot == bot])}
    return BotReport(bot, own, _meetings(bot, results), results)


Curves = Mapping[PoolKey, Mapping[str, Sequence[Moment]]]
"""How the rating of each version of a bot came about, by pool."""


def curves_of(report: BotReport, pools: Mapping[PoolKey, tuple[Pool, Rated]]) -> Curves:
    """Returns the curves of a bot, as far as its results in the report tell. May take long."""
    by_pool: dict[PoolKey, list[RatedResult]] = {}
    for result in reversed(report.results):
        by_pool.setdefault((result.game, result.variant), []).append(result)
    curves: dict[PoolKey, dict[str, list[Moment]]] = {}
    for key, rows in report.rows.items():
        pool, rated = pools[key]
        players = {row.player: pool.prior(row.player, rated) for row in rows}
        curves[key] = {
            player: progress(player, by_pool.get(key, ()), rated, prior) if prior.deviation > 0 else []
            for player, prior in players.items()
        }
    return curves


def _meetings(bot: str, results: Sequence[RatedResult]) -> list[LadderMeeting]:
    """The opponents met most often come first."""
    tallies: dict[tuple[PoolKey, str], Tallied] = {}
    names: dict[str, str] = {}
    for result in results:
        own = next(seat for seat, player in enumerate(result.players) if bot_of(player) == bot)
        for seat, player in enumerate(result.players):
            if seat != own and result.places is not None:
                names.setdefault(player, result.names[seat])
                tallies.setdefault(((result.game, result.variant), player), Tallied()).meet(
                    result.places[own], result.places[seat]
                )
    found = (
        LadderMeeting(key, player, names[player], tally.wins, tally.draws, tally.losses)
        for (key, player), tally in tallies.items()
    )
    return sorted(found, key=lambda one: (one.key, -(one.wins + one.draws + one.losses), one.opponent))
