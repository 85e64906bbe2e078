"""Statistics of matches: scores with confidence intervals, and Elo differences. Plays no games itself."""

import math
import statistics
from dataclasses import dataclass

Interval = tuple[float, float]
"""Lower and upper bound."""

ELO_SCALE = 400.0
"""A difference of this many points means odds of ten to one."""

Z95 = 1.959964
"""Standard errors in half of a 95 % interval."""

EPSILON = 1e-9


@dataclass(frozen=True)
class Standing:
    """One bot's results against all its opponents."""

    name: str
    wins: int
    draws: int
    losses: int
    points: tuple[float, ...] = ()
    """The bot's final points in each game that ended with a score."""

    @property
    def games(self) -> int:
        """Number of games played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """(wins + draws/2) / games; 0 before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0

    @property
    def wilson95(self) -> Interval:
        """The 95 % confidence interval of the score, counting a draw as half a success."""
        return wilson(self.wins + self.draws / 2, self.games)

    @property
    def elo(self) -> float:
        """Elo points above a single opponent; infinite if all games were won or all were lost."""
        return elo_difference(self.score)

    @property
    def elo95(self) -> Interval:
        """The 95 % interval in Elo points, converted from the interval of the score."""
        low, high = self.wilson95
        return elo_difference(low), elo_difference(high)

    @property
    def mean_points(self) -> float | None:
        """The average of the final points; None without any."""
        return statistics.fmean(self.points) if self.points else None

    @property
    def sd_points(self) -> float | None:
        """The sample standard deviation of the final points; None for fewer than two."""
        return statistics.stdev(self.points) if len(self.points) > 1 else None

    def and_also(self, other: "Standing") -> "Standing":
        """The combined result of both series of games."""
        return Standing(
            self.name,
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            self.points + other.points,
        )


def wilson(successes: float, trials: float, z: float = Z95) -> Interval:
    """Wilson's score interval of a proportion (1927), ``z`` standard errors wide; (0, 1) without trials."""
    if trials == 0:
        return 0.0, 1.0
    p = successes / trials
    centre = p + z * z / (2 * trials)
    spread = z * math.sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def elo_difference(score: float) -> float:
    """The Elo difference for an expected ``score``; infinite within rounding error of 0 and 1."""
    if not EPSILON < score < 1.0 - EPSILON:
        return math.copysign(math.inf, score - 0.5)
    return ELO_SCALE * math.log10(score / (1.0 - score))
