"""What matches say about strength: scores with their intervals, and differences in Elo. Figures only; plays nothing."""

import math
from dataclasses import dataclass

Interval = tuple[float, float]
"""Low and high bound."""

ELO_SCALE = 400.0
"""A difference of so many points means odds of ten to one."""

EPSILON = 1e-9


@dataclass(frozen=True)
class Standing:
    """One bot's result against the others of its games."""

    name: str
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """Games played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """(wins + draws/2) / games; 0 before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0

    @property
    def wilson95(self) -> Interval:
        """The 95 % interval of the score, wins and half the draws counting as successes."""
        return wilson(self.wins + self.draws / 2, self.games)

    @property
    def elo(self) -> float:
        """Points above a single opponent; infinite after wins or losses only."""
        return elo_difference(self.score)

    @property
    def elo95(self) -> Interval:
        """The 95 % interval of those points: the bounds of the score's."""
        low, high = self.wilson95
        return elo_difference(low), elo_difference(high)

    def and_also(self, other: "Standing") -> "Standing":
        """The result of both series of games."""
        return Standing(
            self.name, self.wins + other.wins, self.draws + other.draws, self.losses + other.losses
        )


def wilson(successes: float, trials: float, z: float = 1.959964) -> Interval:
    """The score interval of a proportion (Wilson 1927); (0, 1) without trials."""
    if trials == 0:
        return 0.0, 1.0
    p = successes / trials
    centre = p + z * z / (2 * trials)
    spread = z * math.sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def elo_difference(score: float) -> float:
    """The difference in Elo at which ``score`` is expected; infinite for 0 and 1, but for rounding."""
    if not EPSILON < score < 1.0 - EPSILON:
        return math.copysign(math.inf, score - 0.5)
    return ELO_SCALE * math.log10(score / (1.0 - score))
