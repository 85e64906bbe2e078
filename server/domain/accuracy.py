"""How well each seat played, from the values of the positions before and after its moves. Pure arithmetic.

The winning chance of a seat is (value + 1) / 2, from its value in [-1, 1]. The *loss* of a move is what the
chance of whoever made it fell by, never below 0, and 0 for the move that the search itself held to be best:
what that costs is a better search afterwards, not a fault of the player. The *accuracy* of a move is
100·exp(-5·loss): 100 for no loss, 61 for an inaccuracy of 0.1, 37 for a mistake of 0.2, 22 for a blunder of
0.3; that of a seat is the mean over its moves.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

INACCURACY, MISTAKE, BLUNDER = 0.1, 0.2, 0.3
"""From which loss of winning chance a move counts as such."""

STEEPNESS = 5.0


class Judgement(StrEnum):
    """What a move that loses much counts as."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move of ``seat``: its values in [-1, 1] before and after, and whether it was held to be best."""

    seat: int
    before: float
    after: float
    is_best: bool

    @property
    def loss(self) -> float:
        """What the winning chance of the seat fell by, 0..1."""
        return 0.0 if self.is_best else max(0.0, (self.before - self.after) / 2)

    @property
    def judgement(self) -> Judgement | None:
        """What the move counts as; None: nothing to complain about."""
        if self.loss >= BLUNDER:
            return Judgement.BLUNDER
        if self.loss >= MISTAKE:
            return Judgement.MISTAKE
        return Judgement.INACCURACY if self.loss >= INACCURACY else None


@dataclass(frozen=True, slots=True)
class Summary:
    """How a seat played. ``accuracy`` in 0..100 and ``mean_loss`` in 0..1 are None where it made no move.

    A blunder is no mistake and a mistake no inaccuracy: each move counts once.
    """

    seat: int
    accuracy: float | None
    mean_loss: float | None
    inaccuracies: int
    mistakes: int
    blunders: int


def summarise(seats: int, moves: Iterable[PlayedMove]) -> tuple[Summary, ...]:
    """One summary per seat."""
    of_seat: list[list[PlayedMove]] = [[] for _ in range(seats)]
    for move in moves:
        of_seat[move.seat].append(move)
    return tuple(_summary(seat, own) for seat, own in enumerate(of_seat))


def _summary(seat: int, moves: list[PlayedMove]) -> Summary:
    judgements = [move.judgement for move in moves]
    return Summary(
        seat,
        accuracy=_mean([100.0 * math.exp(-STEEPNESS * move.loss) for move in moves]),
        mean_loss=_mean([move.loss for move in moves]),
        inaccuracies=judgements.count(Judgement.INACCURACY),
        mistakes=judgements.count(Judgement.MISTAKE),
        blunders=judgements.count(Judgement.BLUNDER),
    )


def _mean(numbers: list[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None
