"""The ratings of the ladder and their errors: the players of one game and variant, and their results."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

import numpy as np

from engines.ratings import Finish, Matrix, Posterior, Prior, count_finish, posterior
from engines.standings import Z95
from server.domain.ladder.players import bot_of, is_level
from server.domain.ladder.priors import NEWCOMER, NEXT_VERSION_ERROR, level_prior
from server.domain.ladder.results import RatedResult

PoolKey = tuple[str, str]
"""A game and a variant."""

GROWTH: Final = 64
"""By how many players the matrix of wins grows."""


@dataclass(slots=True)
class Tallied:
    """How often a player won, shared the first place, and lost; games that did not count, and games lost by errors.

    ``errors_running``: how many of its latest games it has lost by errors, without another one between. Times are
    milliseconds since the epoch.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    void: int = 0
    errors: int = 0
    errors_running: int = 0
    first_at: int | None = None
    last_at: int | None = None

    @property
    def games(self) -> int:
        """The number of games that count."""
        return self.wins + self.draws + self.losses

    def count(self, result: RatedResult, seat: int) -> None:
        """Counts the player's result in this seat."""
        self.first_at = result.ended_at if self.first_at is None else self.first_at
        self.last_at = result.ended_at
        is_error = seat in result.lost_by_error
        self.errors += is_error
        self.errors_running = self.errors_running + 1 if is_error else 0
        if result.places is None:
            self.void += 1
        elif result.places[seat] > 1:
            self.losses += 1
        elif result.places.count(1) > 1:
            self.draws += 1
        else:
            self.wins += 1

    def meet(self, own: int, other: int) -> None:
        """Counts a game in which the player had the place ``own`` and an opponent ``other``."""
        self.wins += own < other
        self.draws += own == other
        self.losses += own > other


@dataclass(frozen=True, slots=True)
class Rated:
    """The ratings of a pool's players at one moment, in Elo points.

    ``players``: their indices in ``posterior``; ``newest``: that of the latest version of each bot, from which is known
    what a version without games may be worth.
    """

    players: Mapping[str, int]
    newest: Mapping[str, int]
    posterior: Posterior

    def elo(self, player: str) -> float:
        """The rating of a player; before its first game, what is expected of it."""
        index = self._index(player)
        return _prior(player).mean if index is None else self.posterior.ratings[index].elo

    def error(self, player: str) -> float:
        """Half the width of the 95 % interval of the rating."""
        index = self._index(player)
        return Z95 * math.sqrt(
            self._own(player) + (0.0 if index is None else self.posterior.covariance[index, index])
        )

    def variance(self, one: str, other: str) -> float:
        """The variance of the difference between two ratings, in points squared."""
        found = [index for index in (self._index(one), self._index(other)) if index is not None]
        known = float(sum(self.posterior.covariance[index, index] for index in found))
        common = self.posterior.covariance[found[0], found[1]] if len(found) == 2 else 0.0
        return known - 2 * float(common) + self._own(one) + self._own(other)

    def _index(self, player: str) -> int | None:
        return self.players.get(player, self.newest.get(bot_of(player)))

    def _own(self, player: str) -> float:
        """The variance that a player without games has of its own."""
        if player in self.players:
            return 0.0
        return (NEXT_VERSION_ERROR if bot_of(player) in self.newest else _prior(player).deviation) ** 2


@dataclass(frozen=True, slots=True)
class Comparisons:
    """What the ratings of a pool follow from: its players, who finished before whom, and what is known before that."""

    players: Mapping[str, int]
    newest: Mapping[str, int]
    wins: Matrix
    priors: Sequence[Prior]
    start: Sequence[float]

    def rated(self) -> Rated:
        """Returns the ratings, which takes a second for a thousand players."""
        return Rated(self.players, self.newest, posterior(self.wins, self.priors, self.start))


@dataclass(slots=True)
class Pool:
    """The results of one game and variant, in the order in which they were added."""

    key: PoolKey
    tallies: dict[str, Tallied] = field(default_factory=dict)
    met: Counter[frozenset[str]] = field(default_factory=Counter)
    """How many games each two players have had, those that do not count as well; and all players of larger tables."""
    by_seats: Counter[int] = field(default_factory=Counter)
    """How many games there have been with each number of seats."""
    _index: dict[str, int] = field(default_factory=dict)
    _priors: list[Prior] = field(default_factory=list)
    _newest: dict[str, int] = field(default_factory=dict)
    """The index of the latest version of each bot."""
    _wins: Matrix = field(default_factory=lambda: np.zeros((GROWTH, GROWTH)))
    _start: Sequence[float] = ()

    def add(self, result: RatedResult) -> None:
        """Adds the result of a game."""
        for seat, player in enumerate(result.players):
            self.tallies.setdefault(player, Tallied()).count(result, seat)
        self.by_seats[len(result.players)] += 1
        self.met.update(
            {frozenset(pair) for pair in combinations(result.players, 2)} | {frozenset(result.players)}
        )
        if result.places is not None:
            for player in result.players:
                self._enter(player)
            indices = [self._index[player] for player in result.players]
            count_finish(self._wins, Finish(indices, result.places))

    def comparisons(self) -> Comparisons:
        """Returns what the ratings follow from, for another thread."""
        count = len(self._priors)
        wins = self._wins[:count, :count].copy()
        return Comparisons(dict(self._index), dict(self._newest), wins, tuple(self._priors), self._start)

    def prior(self, player: str, rated: Rated) -> Prior:
        """Returns what was known of a player before its first game, as far as it is known now."""
        index = self._index.get(player)
        before = None if index is None else self._priors[index].of
        if before is None:
            return _prior(player)
        ratings = rated.posterior.ratings
        known = ratings[before] if before < len(ratings) else None
        mean, error = (NEWCOMER.mean, 0.0) if known is None else (known.elo, known.error / Z95)
        return Prior(mean, math.hypot(NEXT_VERSION_ERROR, error))

    def start_from(self, rated: Rated) -> None:
        """Begins the next estimation at these ratings."""
        self._start = [rating.elo for rating in rated.posterior.ratings]

    def _enter(self, player: str) -> None:
        """Adds a player who is new. The prior of a bot's next version is the rating of the one before it."""
        if player in self._index:
            return
        bot, index = bot_of(player), len(self._priors)
        before = self._newest.get(bot)
        prior = _prior(player) if before is None else Prior(0.0, NEXT_VERSION_ERROR, before)
        self._priors.append(prior)
        self._index[player], self._newest[bot] = index, index
        if index == len(self._wins):
            self._wins = np.pad(self._wins, (0, GROWTH))


def _prior(player: str) -> Prior:
    return level_prior(player) if is_level(player) else NEWCOMER
