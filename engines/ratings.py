"""Elo ratings of several players, estimated from the places they took in their games. Plays no games itself.

The model is Bradley and Terry's (1952): i finishes ahead of j with probability 1 / (1 + 10^((elo_j - elo_i) / 400)),
and a shared place counts as half a win for both. The estimate is Firth's bias-reduced maximum likelihood (1993), as
the R package BradleyTerry2 computes it with ``br = TRUE``: it is finite even for a player that wins all its games.

A game of n players is n(n-1)/2 comparisons, which are not independent. The places of equal players have the variance
that 3/(n+1) of that many independent comparisons would give; each comparison is weighted with this number, 1 for n = 2.

``ratings`` knows nothing about the players, as in a match; ``posterior`` knows something before their first game, as on
a ladder.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from engines.standings import ELO_SCALE, Z95

Matrix = npt.NDArray[np.float64]

MOST_STEPS = 200
LONGEST_STEP = 2.0
"""In natural units, 347 Elo points: longer steps of Newton's method may overshoot."""

TOLERANCE = 1e-10

POINTS = ELO_SCALE / math.log(10)
"""Elo points in a natural unit."""


@dataclass(frozen=True)
class Rating:
    """A rating in Elo points. The average of all players is 0; ``error`` is half the width of the 95 % interval."""

    elo: float
    error: float


@dataclass(frozen=True)
class Finish:
    """The result of one game: the players by index, and the place of each, 1 being the best."""

    players: Sequence[int]
    places: Sequence[int]


def ratings(players: int, finishes: Iterable[Finish]) -> list[Rating]:
    """Returns the rating of each of ``players`` players, numbered from 0.

    Raises ValueError if the games do not connect all players.
    """
    wins = _wins(players, finishes)
    if not _is_connected(wins):
        raise ValueError("some players share no opponents with the others")
    strengths = _climb(lambda at: np.matmul(*_newton(wins, at)), np.zeros(players))
    return _ratings(strengths - strengths.mean(), _newton(wins, strengths)[0])


def _wins(players: int, finishes: Iterable[Finish]) -> Matrix:
    """The weighted number of times that each player (row) finished ahead of each other player (column)."""
    wins = np.zeros((players, players))
    for finish in finishes:
        count_finish(wins, finish)
    return wins


def count_finish(wins: Matrix, finish: Finish) -> None:
    """Adds the comparisons of one game to the weighted numbers of wins of each player (row) over each other."""
    weight = 3 / (len(finish.players) + 1)
    for (i, place), (j, other) in combinations(zip(finish.players, finish.places, strict=True), 2):
        share = 0.5 if place == other else float(place < other)
        wins[i, j] += weight * share
        wins[j, i] += weight * (1 - share)


def _climb(step_at: Callable[[Matrix], Matrix], strengths: Matrix) -> Matrix:
    """The strengths at which Newton's method, whose steps ``step_at`` returns, comes to rest."""
    for _ in range(MOST_STEPS):
        step = step_at(strengths)
        strengths = strengths + step * min(1.0, LONGEST_STEP / max(abs(step).max(initial=0), LONGEST_STEP))
        if abs(step).max(initial=0) < TOLERANCE:
            break
    return strengths


def _ratings(strengths: Matrix, covariance: Matrix) -> list[Rating]:
    errors = Z95 * POINTS * np.sqrt(np.diag(covariance))
    return [Rating(float(s * POINTS), float(e)) for s, e in zip(strengths, errors, strict=True)]


# ---- with what is known before -------------------------------------------------------------------


@dataclass(frozen=True)
class Prior:
    """What is known of a player before its games, in Elo points: a normal distribution around ``mean``.

    With ``of``, it is around the rating of that earlier player, and ``mean`` is the difference. ``deviation`` 0 fixes
    the rating at ``mean``.
    """

    mean: float
    deviation: float
    of: int | None = None


@dataclass(frozen=True)
class Posterior:
    """The ratings of all players, and the covariance of their estimates in Elo points squared."""

    ratings: list[Rating]
    covariance: Matrix


def posterior(wins: Matrix, priors: Sequence[Prior], start: Sequence[float] | None = None) -> Posterior:
    """Returns the most probable ratings given the games, counted by ``count_finish``, and the priors of all players.

    The errors are those of the normal approximation there. Players who have met nobody keep their priors. ``start``:
    ratings near the result, which is then found sooner. The prior takes the place of Firth's correction.
    """
    means, precision, is_free = _normal(priors)
    strengths = means.copy()
    if start is not None:
        strengths[: len(start)] = np.where(
            is_free[: len(start)], np.asarray(start) / POINTS, means[: len(start)]
        )
    games, free = wins + wins.T, np.ix_(is_free, is_free)

    def newton(at: Matrix) -> tuple[Matrix, Matrix]:
        """The information, and the score."""
        every = means.copy()
        every[is_free] = at
        expected = 1 / (1 + np.exp(every[None, :] - every[:, None]))
        weights = games * expected * (1 - expected)
        information = np.diag(weights.sum(axis=1)) - weights + precision
        score = (wins - games * expected).sum(axis=1) - precision @ (every - means)
        return information[free], score[is_free]

    def step(at: Matrix) -> Matrix:
        return np.asarray(np.linalg.solve(*newton(at)), dtype=np.float64)

    found = _climb(step, strengths[is_free])
    strengths, covariance = means.copy(), np.zeros_like(wins)
    strengths[is_free] = found
    covariance[free] = np.linalg.inv(newton(found)[0])
    return Posterior(_ratings(strengths, covariance), covariance * POINTS**2)


def rating_against(
    opponents: Sequence[float], shares: Sequence[float], weights: Sequence[float], prior: Prior
) -> Rating:
    """Returns the most probable rating of one player whose opponents' ratings are known, as ``posterior`` does.

    Each comparison has the rating of an opponent, the player's share of the win (1, 0.5 or 0) and a weight.
    """
    others, won, weight = (np.asarray(values, dtype=np.float64) for values in (opponents, shares, weights))
    others, deviation = others / POINTS, prior.deviation / POINTS

    def newton(at: Matrix) -> tuple[float, float]:
        """The information, and the score."""
        expected = 1 / (1 + np.exp(others - at[0]))
        information = float((weight * expected * (1 - expected)).sum()) + deviation**-2
        return information, float((weight * (won - expected)).sum()) - (
            at[0] - prior.mean / POINTS
        ) / deviation**2

    def step(at: Matrix) -> Matrix:
        information, score = newton(at)
        return np.array([score / information])

    found = _climb(step, np.array([prior.mean / POINTS]))
    return _ratings(found, np.array([[1 / newton(found)[0]]]))[0]


def _normal(priors: Sequence[Prior]) -> tuple[Matrix, Matrix, npt.NDArray[np.bool_]]:
    """The joint mean and precision of priors in natural units, and which players are not fixed."""
    means, precision = np.zeros(len(priors)), np.zeros((len(priors), len(priors)))
    for player, prior in enumerate(priors):
        means[player] = prior.mean / POINTS + (0.0 if prior.of is None else means[prior.of])
        weight = 0.0 if prior.deviation == 0 else (POINTS / prior.deviation) ** 2
        precision[player, player] += weight
        if prior.of is not None:
            precision[prior.of, prior.of] += weight
            precision[player, prior.of] -= weight
            precision[prior.of, player] -= weight
    return means, precision, np.array([prior.deviation > 0 for prior in priors], dtype=bool)


def _is_connected(wins: Matrix) -> bool:
    reached = np.linalg.matrix_power(np.eye(len(wins)) + wins + wins.T, len(wins)) if len(wins) else wins
    return bool((reached > 0).all())


def _newton(wins: Matrix, strengths: Matrix) -> tuple[Matrix, Matrix]:
    """The covariance of the estimate (the information's inverse for strengths that sum to 0), and Firth's score."""
    games = wins + wins.T
    expected = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    weights = games * expected * (1 - expected)
    information = np.diag(weights.sum(axis=1)) - weights
    covariance: Matrix = np.asarray(np.linalg.inv(information + 1 / len(wins)) - 1 / len(wins))
    variances = np.diag(covariance)
    leverage = weights * (variances[:, None] + variances[None, :] - 2 * covariance)
    score: Matrix = (wins - games * expected + leverage * (0.5 - expected)).sum(axis=1)
    return covariance, score
