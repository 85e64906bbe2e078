"""Confidence intervals of means over positions that come from the same games. Not a benchmark itself."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

RESAMPLES: Final = 2000


class Estimate(NamedTuple):
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float

    def written(self, form: str) -> str:
        """For example ``0.51 (0.48 to 0.54)`` with the format ``.2f``."""
        return f"{self.mean:{form}} ({self.low:{form}} to {self.high:{form}})"


def mean_of(games: Sequence[tuple[float, int]]) -> Estimate:
    """The mean of what is given by game as a sum and a count. Bootstrap: whole games are drawn again.

    Raises ValueError if the counts add up to 0.
    """
    sums, counts = np.array(games, dtype=np.float64).T
    if not counts.any():
        raise ValueError("a mean needs at least one number")
    draws = np.random.default_rng(1).integers(len(games), size=(RESAMPLES, len(games)))
    drawn = counts[draws].sum(axis=1)
    means = sums[draws].sum(axis=1)[drawn > 0] / drawn[drawn > 0]
    low, high = np.percentile(means, [2.5, 97.5])
    return Estimate(float(sums.sum() / counts.sum()), float(low), float(high))
