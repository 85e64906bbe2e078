"""How well each seat played, from the evaluations of the positions before and after its moves. Pure arithmetic.

The winning chance of a seat is its expected score (``Evaluation.chances``) where that is known before and after the
move, otherwise (value + 1) / 2, from its value in [-1, 1]. The *loss* of a move is the decrease of the mover's winning
chance, at least 0, and 0 for the move that the search considered best: a decrease after that
move is due to the deeper search, not to the player. Where seats move together, several moves of a seat can be equally
good, and best only as a mixture: every move counts as the best one to which the seat's policy gives at least half the
probability of its most probable move. The *accuracy* of a move is 100·exp(-5·loss): 100 for no loss,
61 for an inaccuracy of 0.1, 37 for a mistake of 0.2, 22 for a blunder of 0.3. The accuracy of a seat is the mean
over its moves.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engines import Evaluation
from protocols.values import parts_of

INACCURACY, MISTAKE, BLUNDER = 0.1, 0.2, 0.3
"""The smallest losses of winning chance that count as such."""

STEEPNESS = 5.0

GOOD_SHARE = 0.5
"""The part of the greatest probability of a policy that makes a move one of the best."""


class Judgement(StrEnum):
    """The classes of bad moves."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move of ``seat``: the seat's winning chances, 0..1, before and after it, and whether it was the best move."""

    seat: int
    before: float
    after: float
    is_best: bool

    @property
    def loss(self) -> float:
        """The decrease of the seat's winning chance, 0..1; rounded, so that 0.7 - 0.6 is not less than 0.1."""
        return 0.0 if self.is_best else round(max(0.0, self.before - self.after), 9)

    @property
    def judgement(self) -> Judgement | None:
        """The class of a bad move; None for any other move."""
        if self.loss >= BLUNDER:
            return Judgement.BLUNDER
        if self.loss >= MISTAKE:
            return Judgement.MISTAKE
        return Judgement.INACCURACY if self.loss >= INACCURACY else None


def played_moves(
    move: str, movers: Sequence[int], before: Evaluation, after: Evaluation
) -> tuple[PlayedMove, ...]:
    """Returns a move for each of its ``movers``, given the evaluations of the positions before and after it.

    ``move`` is joint if there are several movers.
    """
    are_best = _are_best(parts_of(move, len(movers)), before)
    earlier, later = _winning_chances(before, after)
    return tuple(
        PlayedMove(seat, earlier[seat], later[seat], is_best)
        for seat, is_best in zip(movers, are_best, strict=True)
    )


def _winning_chances(before: Evaluation, after: Evaluation) -> tuple[Sequence[float], Sequence[float]]:
    """Each seat's winning chance in both positions, on one scale: a difference between two scales is no loss.

    The values of a finished position are its result, which both scales give the same chance.
    """
    if before.chances is None or (after.chances is None and after.best_move):
        return _shares(before), _shares(after)
    return before.chances, after.chances or _shares(after)


def _shares(evaluation: Evaluation) -> list[float]:
    """The values, from [-1, 1] to [0, 1]."""
    return [(value + 1) / 2 for value in evaluation.values]


def _are_best(parts: Sequence[str], before: Evaluation) -> list[bool]:
    """Whether each part of a move counts as the best one."""
    if before.policies is None:
        best = parts_of(before.best_move, len(parts))
        return [part == other for part, other in zip(parts, best, strict=True)]
    pairs = zip(parts, before.policies, strict=True)
    return [policy.get(part, 0.0) >= GOOD_SHARE * max(policy.values()) for part, policy in pairs]


@dataclass(frozen=True, slots=True)
class Summary:
    """How a seat played. ``accuracy`` in 0..100 and ``mean_loss`` in 0..1 are None if it made no move.

    Each move counts once: a blunder is not also a mistake, nor a mistake also an inaccuracy.
    """

    seat: int
    accuracy: float | None
    mean_loss: float | None
    inaccuracies: int
    mistakes: int
    blunders: int


def summarise(seats: int, moves: Iterable[PlayedMove]) -> tuple[Summary, ...]:
    """Returns one summary per seat."""
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
