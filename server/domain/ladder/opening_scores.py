"""Openings in which a bot scores less than its rating says, where that is more than chance.

Games are counted under every beginning of their opening, so that openings with the same first moves count together. A
game's score is at least 0 and at most 1, so of ``n`` games that are expected to bring ``p`` each on average, the chance
that they bring ``s`` each or less is at most exp(-n D), where D = s ln(s/p) + (1-s) ln((1-s)/(1-p)) (Hoeffding 1963,
theorem 1). This holds for any mixture of opponents and for draws. ``p`` is computed at the lower end of the 95 %
interval of the bot's rating, and a beginning is found if the bound is at most ``CHANCE`` divided by the number of
beginnings that have enough games for such a bound at all (Tarone 1990). Of bots that play all openings equally well,
about one in twenty at most is told of any.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from engines.standings import ELO_SCALE
from server.domain.ladder.players import bot_of
from server.domain.ladder.rating_pool import PoolKey, Rated
from server.domain.ladder.results import RatedResult

CHANCE: Final = 0.05

MOST_SHOWN: Final = 5

Moves = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpeningGame:
    """A game by the ``moves`` of its opening. ``score``, and what was expected: 1 for a win, 0.5 for a draw.

    ``least``: what is expected at the lower end of the rating's interval.
    """

    game_id: str
    moves: Moves
    score: float
    expected: float
    least: float


@dataclass(frozen=True, slots=True)
class WeakOpening:
    """A beginning of openings of a game and variant. ``game_id``: the latest lost game, or the latest one."""

    key: PoolKey
    moves: Moves
    games: int
    score: float
    expected: float
    game_id: str


@dataclass(slots=True)
class _Beginning:
    """The games with the same first moves."""

    games: list[OpeningGame] = field(default_factory=list)

    @property
    def score(self) -> float:
        return sum(game.score for game in self.games)

    @property
    def expected(self) -> float:
        return sum(game.expected for game in self.games)

    @property
    def least(self) -> float:
        return sum(game.least for game in self.games)

    @property
    def bound(self) -> float:
        """The chance of such a score or a lower one, at most."""
        return chance_bound(len(self.games), self.score, self.least)

    @property
    def least_bound(self) -> float:
        """What the bound would be if all games were lost."""
        return chance_bound(len(self.games), 0.0, self.least)


def chance_bound(games: int, score: float, expected: float) -> float:
    """How likely a score or a lower one is at most, in so many games of which so much is expected."""
    if score >= expected:
        return 1.0
    share, chance = score / games, expected / games
    lost = (1 - share) * math.log((1 - share) / (1 - chance)) if chance < 1 else math.inf
    won = share * math.log(share / chance) if share > 0 else 0.0
    return math.exp(-games * (won + lost))


def opening_game(result: RatedResult, bot: str, moves: Moves, rated: Rated) -> OpeningGame | None:
    """Returns a game as one of an opening; None if it does not count, is not between two, or has no opening."""
    if result.places is None or len(result.players) != 2 or not moves:
        return None
    own = 0 if bot_of(result.players[0]) == bot else 1
    player, other = result.players[own], result.players[1 - own]
    elo, against = rated.elo(player), rated.elo(other)
    places = result.places[own], result.places[1 - own]
    score = 0.5 if places[0] == places[1] else float(places[0] < places[1])
    return OpeningGame(
        result.game_id, moves, score, _chance(elo - against), _chance(elo - rated.error(player) - against)
    )


def _chance(difference: float) -> float:
    """What somebody scores who is better by so many Elo points."""
    return 1 / (1 + math.exp(-difference * math.log(10) / ELO_SCALE))


def weak_openings(key: PoolKey, games: Iterable[OpeningGame]) -> list[WeakOpening]:
    """Returns what a pool's ``games``, the newest first, show; the largest shortfall comes first."""
    beginnings: dict[Moves, _Beginning] = {}
    for game in games:
        for length in range(1, len(game.moves) + 1):
            beginnings.setdefault(game.moves[:length], _Beginning()).games.append(game)
    threshold = _threshold([one.least_bound for one in beginnings.values()])
    found = [(one.bound, -len(moves), moves) for moves, one in beginnings.items() if one.bound <= threshold]
    chosen: list[Moves] = []
    for _, _, moves in sorted(
        found
    ):  # The surest one says what those that it contains, or that contain it, say.
        if not any(_is_beginning(moves, other) or _is_beginning(other, moves) for other in chosen):
            chosen.append(moves)
    weak = [_weak_opening(key, moves, beginnings[moves]) for moves in chosen]
    return sorted(weak, key=lambda one: one.score - one.expected)[:MOST_SHOWN]


def _threshold(least_bounds: Sequence[float]) -> float:
    """The largest bound that is no chance: ``CHANCE`` divided by the smallest number of tests that is enough."""
    ordered = sorted(least_bounds)
    for tests in range(1, len(ordered) + 1):
        if tests == len(ordered) or ordered[tests] > CHANCE / tests:
            return CHANCE / tests
    return 0.0


def _is_beginning(moves: Moves, of: Moves) -> bool:
    return of[: len(moves)] == moves


def _weak_opening(key: PoolKey, moves: Moves, beginning: _Beginning) -> WeakOpening:
    games = beginning.games
    example = next((game for game in games if game.score == 0), games[0])
    return WeakOpening(key, moves, len(games), beginning.score, beginning.expected, example.game_id)
