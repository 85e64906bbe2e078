"""Elo ratings of several players, estimated from the places they took in their games. Plays no games itself.

The model is Bradley and Terry's (1952): i finishes ahead of j with probability 1 / (1 + 10^((elo_j - elo_i) / 400)),
and a shared place counts as half a win for both. The estimate is Firth's bias-reduced maximum likelihood (1993), as
the R package BradleyTerry2 computes it with ``br = TRUE``: it is finite even for a player that wins all its games.

A game of n players is n(n-1)/2 comparisons, which are not independent. The places of equal players have the variance
that 3/(n+1) of that many independent comparisons would give; each comparison is weighted with this number, 1 for n = 2.
"""

import math
from collections.abc import Iterable, Sequence
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
    strengths = np.zeros(players)
    for _ in range(MOST_STEPS):
        covariance, score = _newton(wins, strengths)
        step = covariance @ score
        strengths = strengths + step * min(1.0, LONGEST_STEP / max(abs(step).max(), LONGEST_STEP))
        if abs(step).max() < TOLERANCE:
            break
    covariance, _ = _newton(wins, strengths)
    points = ELO_SCALE / math.log(10)
    errors = Z95 * np.sqrt(np.diag(covariance))
    centred = strengths - strengths.mean()
    return [Rating(float(s * points), float(e * points)) for s, e in zip(centred, errors, strict=True)]


def _wins(players: int, finishes: Iterable[Finish]) -> Matrix:
    """The weighted number of times that each player (row) finished ahead of each other player (column)."""
    wins = np.zeros((players, players))
    for finish in finishes:
        weight = 3 / (len(finish.players) + 1)
        for (i, place), (j, other) in combinations(zip(finish.players, finish.places, strict=True), 2):
            share = 0.5 if place == other else float(place < other)
            wins[i, j] += weight * share
            wins[j, i] += weight * (1 - share)
    return wins


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
