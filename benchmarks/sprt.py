"""How often the sequential test of ``plyhouse arena --sprt`` is wrong, by simulated matches.

python -m benchmarks.sprt [--elo0 0] [--elo1 5] [--alpha 0.05] [--beta 0.05] [--matches 10000] [--every 8] [--seed 0]

For several true differences: the share of matches that accepted each hypothesis, and the mean number of games. A match
draws its pairs independently from a distribution whose mean is that of the difference.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from engines.sprt import WORTHS, SequentialTest, expected_score, log_likelihood_ratios

Floats = npt.NDArray[np.float64]

PAIRS: Final = {
    "without draws": (0.15, 0.0, 0.7, 0.0, 0.15),
    "with draws": (0.03, 0.2, 0.54, 0.2, 0.03),
}
"""Distributions of what a pair of games of equal bots is worth, 0, ¼, ½, ¾ or 1."""

MOST_PAIRS: Final = 1_000_000


@dataclass(frozen=True)
class Outcomes:
    """What became of the simulated matches. The shares add up to 1 if every match ended."""

    accepted0: float
    accepted1: float
    mean_games: float


def tilted(equal: tuple[float, ...], elo: float) -> Floats:
    """The distribution of a bot that is this much stronger: entries are weighted exponentially in their worth."""
    low, high, wanted = -50.0, 50.0, expected_score(elo)
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if _weighted(equal, middle) @ WORTHS < wanted else (low, middle)
    return _weighted(equal, low)


def _weighted(equal: tuple[float, ...], slope: float) -> Floats:
    weights: Floats = np.array(equal) * np.exp(slope * WORTHS)
    shares: Floats = weights / weights.sum()
    return shares


def simulate(test: SequentialTest, shares: Floats, matches: int, seed: int, every: int = 1) -> Outcomes:
    """Plays matches. The test looks at the result after ``every`` so many pairs."""
    rng = np.random.default_rng(seed)
    counts = np.zeros((matches, len(WORTHS)))
    lower, upper = test.bounds
    ended0 = ended1 = pairs = 0
    while len(counts) and pairs < MOST_PAIRS * matches:
        pairs += every * len(counts)
        counts += rng.multinomial(every, shares, size=len(counts))
        ratios = log_likelihood_ratios(counts, test.elo0, test.elo1)
        ended0 += int((ratios <= lower).sum())
        ended1 += int((ratios >= upper).sum())
        counts = counts[(ratios > lower) & (ratios < upper)]
    return Outcomes(ended0 / matches, ended1 / matches, 2 * pairs / matches)


def differences(test: SequentialTest) -> list[float]:
    """No difference, both hypotheses, between them and beyond."""
    middle, width = (test.elo0 + test.elo1) / 2, test.elo1 - test.elo0
    return sorted({0.0, test.elo0 - width, test.elo0, middle, test.elo1, test.elo1 + width})


def lines(test: SequentialTest, matches: int, every: int, seed: int) -> Iterator[str]:
    """The table."""
    yield f"{test}, looked at after every {every} pairs; {matches} matches"
    yield f"{'pairs':14} {'true Elo':>8} {'H0':>7} {'H1':>7} {'games':>8}"
    for name, equal in PAIRS.items():
        for elo in differences(test):
            found = simulate(test, tilted(equal, elo), matches, seed, every)
            figures = f"{found.accepted0:7.4f} {found.accepted1:7.4f} {found.mean_games:8.0f}"
            yield f"{name:14} {elo:8.1f} {figures}"


def main() -> None:
    """Reads the options and prints the table."""
    options = argparse.ArgumentParser()
    for name, usual in (("elo0", 0.0), ("elo1", 5.0), ("alpha", 0.05), ("beta", 0.05)):
        options.add_argument(f"--{name}", type=float, default=usual)
    for name, count in (("matches", 10_000), ("every", 8), ("seed", 0)):
        options.add_argument(f"--{name}", type=int, default=count)
    given = options.parse_args()
    test = SequentialTest(given.elo0, given.elo1, given.alpha, given.beta)
    for line in lines(test, given.matches, given.every, given.seed):
        print(line, flush=True)


if __name__ == "__main__":
    main()
