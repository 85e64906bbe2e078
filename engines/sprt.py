"""Sequential tests of whether one bot is stronger than another (SPRT). Plays no games itself.

The unit is a pair of games from one opening with the seats swapped, as their results are not independent. A pair is
worth 0, ¼, ½, ¾ or 1 to the first bot: the mean of its points. The hypotheses are about the expected value of a pair:
H0 says that it is that of a bot which is ``elo0`` points stronger than its opponent, H1 that of ``elo1`` points. Points
are logistic Elo, as in the other figures of matches: expected score 1 / (1 + 10^(-elo/400)). (The normalised Elo of
some testers would divide by the deviation of a game, and needs other bounds for each game.)

The test is the generalised sequential probability ratio test of X. Li, J. Liu and Z. Ying ("Generalized sequential
probability ratio test for separate families of hypotheses", 2014), as M. Van den Bergh applies it to five outcomes in
fishtest, the framework of Stockfish ("The generalized maximum likelihood ratio for the expectation value of a
distribution", hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf). After each pair, the log-likelihood ratio is
compared with Wald's bounds (1945). It may overshoot them a little, which makes the test longer and errors rarer than
stated; like cutechess-cli and fastchess, we do not correct that.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from engines.near_names import known_names
from engines.standings import ELO_SCALE, Z95, Interval, elo_difference

Floats = npt.NDArray[np.float64]

Verdict = Literal["H0", "H1"]
"""The hypothesis that a test has accepted."""

PairCounts = tuple[int, int, int, int, int]
"""Number of pairs by what they were worth to the first bot: 0, ¼, ½, ¾ and 1 (LL, LD, LW or DD, WD, WW)."""

WORTHS: Final = np.array([0.0, 0.25, 0.5, 0.75, 1.0])

UNSEEN: Final = 0.001
"""The number that stands for an outcome without pairs, so that the likelihoods are defined; fishtest has the same."""

MOST_ELO: Final = 1000.0

MOST_STEPS: Final = 100
TOLERANCE: Final = 1e-12
INSIDE: Final = 1 - 1e-12
"""Keeps the first interval of a solution clear of its ends, where the equation has poles."""


class BadTest(ValueError):
    """The text does not describe a test. The text of the error says why."""


@dataclass(frozen=True)
class SequentialTest:
    """The hypotheses of a test, and how often it may be wrong."""

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    """The probability of accepting H1 where H0 is true."""
    beta: float = 0.05
    """The probability of accepting H0 where H1 is true."""

    def __post_init__(self) -> None:
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            raise BadTest(
                f"elo0 is {self.elo0:g} and elo1 {self.elo1:g}, not {-MOST_ELO:g} to {MOST_ELO:g} rising"
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise BadTest(f"{name} is {value:g}, not between 0 and 0.5")

    @classmethod
    def parse(cls, text: str) -> "SequentialTest":
        """Reads ``elo0=0,elo1=5,alpha=.05,beta=.05``, of which any part may be left out. Raises BadTest."""
        known = [field.name for field in fields(cls)]
        given: dict[str, float] = {}
        for part in text.split(","):
            name, equals, value = part.strip().partition("=")
            if name not in known or not equals:
                raise BadTest(f"'{part}' is not NAME=NUMBER{known_names(name, known)}")
            if name in given:
                raise BadTest(f"{name} is given twice")
            try:
                given[name] = float(value)
            except ValueError:
                raise BadTest(f"{name} is '{value}', which is not a number") from None
        return cls(**given)

    @property
    def bounds(self) -> Interval:
        """The log-likelihood ratios that end the test: at or below the first H0 is accepted, from the second on H1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[int]) -> float:
        """The log-likelihood ratio of H1 against H0 after these pairs."""
        return float(log_likelihood_ratios(np.array(counts), self.elo0, self.elo1))

    def verdict(self, counts: Sequence[int]) -> Verdict | None:
        """The accepted hypothesis; None if the test goes on."""
        lower, upper = self.bounds
        ratio = self.llr(counts)
        if ratio >= upper:
            return "H1"
        return "H0" if ratio <= lower else None

    def expected_pairs(self, counts: Sequence[int]) -> float | None:
        """How many more pairs the test takes on average if the bots differ as measured until now.

        The model is a Brownian motion that ends at a bound. None if the test is over, or if all pairs were worth the
        same.
        """
        lower, upper = self.bounds
        ratio = self.llr(counts)
        mean, variance = moments(counts)
        if variance == 0 or not lower < ratio < upper:
            return None
        score0, score1 = expected_score(self.elo0), expected_score(self.elo1)
        drift = (score1 - score0) * (2 * mean - score0 - score1) / (2 * variance)
        return _mean_exit_time(ratio - lower, upper - ratio, drift, (score1 - score0) ** 2 / variance)


def pair_counts(values: Sequence[float]) -> PairCounts:
    """Counts the pairs of a match, given the result of each game for the first bot: +1, 0 or -1.

    Games 2k and 2k+1 are a pair; a last game without a second is left out.
    """
    sums = [int(first + second) for first, second in zip(values[::2], values[1::2], strict=False)]
    losses, minus, even, plus, wins = (sums.count(total) for total in (-2, -1, 0, 1, 2))
    return losses, minus, even, plus, wins


def expected_score(elo: float) -> float:
    """The expected score of a bot that is this much stronger."""
    return float(1 / (1 + 10 ** (-elo / ELO_SCALE)))


def moments(counts: Sequence[int]) -> tuple[float, float]:
    """The mean and the variance of what a pair was worth; of no pairs, ½ and 0."""
    total = sum(counts)
    if total == 0:
        return 0.5, 0.0
    mean = float(np.dot(counts, WORTHS)) / total
    return mean, float(np.dot(counts, (WORTHS - mean) ** 2)) / total


def elo_of_pairs(counts: Sequence[int]) -> tuple[float, Interval | None]:
    """The Elo difference and its 95 % interval: that of the mean, with the deviation of the pairs.

    No interval if all pairs were worth the same, as their deviation is unknown.
    """
    mean, variance = moments(counts)
    if variance == 0:
        return elo_difference(mean), None
    spread = Z95 * math.sqrt(variance / sum(counts))
    return elo_difference(mean), (elo_difference(mean - spread), elo_difference(mean + spread))


def log_likelihood_ratios(counts: npt.ArrayLike, elo0: float, elo1: float) -> Floats:
    """The log-likelihood ratios of many matches; ``counts`` has the shape (..., 5).

    Each hypothesis has the likelihood of the most likely distribution of pairs with its expected value.
    """
    seen = np.asarray(counts, dtype=np.float64)
    filled = np.where(seen == 0, UNSEEN, seen)
    shares = filled / filled.sum(axis=-1, keepdims=True)
    zero, one = (np.log(_slopes(shares, expected_score(elo))) for elo in (elo0, elo1))
    ratios: Floats = (filled * (zero - one)).sum(axis=-1)
    return ratios


def _slopes(shares: Floats, mean: float) -> Floats:
    """By how much the most likely distribution with this mean is smaller than ``shares`` in each entry.

    It is p_i / (1 + x b_i) with b_i = a_i - mean, where x solves the sum of p_i b_i / (1 + x b_i) = 0 (Van den Bergh,
    proposition 1.1). The sum falls in x from infinity to minus infinity: Newton's method, within an interval around the
    solution that shrinks at every step.
    """
    distances = WORTHS - mean
    low = np.full(shares.shape[:-1], -INSIDE / distances[-1])
    high = np.full(shares.shape[:-1], -INSIDE / distances[0])
    root = np.zeros(shares.shape[:-1])
    for _ in range(MOST_STEPS):
        parts = distances / (1 + root[..., None] * distances)
        total, fall = (shares * parts).sum(axis=-1), (shares * parts**2).sum(axis=-1)
        low, high = np.where(total > 0, root, low), np.where(total > 0, high, root)
        better = root + total / fall
        better = np.where((better >= low) & (better <= high), better, (low + high) / 2)
        step, root = np.abs(better - root).max(initial=0), better
        if step < TOLERANCE:
            break
    slopes: Floats = 1 + root[..., None] * distances
    return slopes


def _mean_exit_time(below: float, above: float, drift: float, variance: float) -> float:
    """How long a Brownian motion takes on average to fall by ``below`` or to rise by ``above``.

    Cox and Miller, "The Theory of Stochastic Processes" (1965), section 5.
    """
    if drift < 0:
        return _mean_exit_time(above, below, -drift, variance)
    steepness = 2 * drift / variance
    if steepness * (below + above) < 1e-6:
        return below * above / variance
    rises = -math.expm1(-steepness * below) / -math.expm1(-steepness * (below + above))
    return ((below + above) * rises - below) / drift
