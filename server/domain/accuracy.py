"""How well each seat played, from the evaluations of the positions before and after its moves. Pure arithmetic.

The *loss* of a move is how much the seat's expected score decreases, and in games with points, how much its lead over
the best of the others does; at least 0, and 0 for the move that the search considered best: a decrease after that is
due to the deeper search, not to the player. Where more than the move decides what follows (hidden tiles, another
seat's choice), its loss is what the search found by comparing it with the best one (``Evaluation.comparisons``); where
that is within its error, there is none. A move that was looked at again (``Evaluation.reviewed``) loses what all
looks say together.

A loss is judged in the unit of its game (``engines/loss_units.py``). The *accuracy* of a seat is
100/(1 + (m/``HALF``)^``STEEPNESS``), where m is the mean loss of its moves in that unit. So small losses, by which one
search also differs from another, cost less than in proportion, and players who lose much can still be told apart.
docs/calibration.md tells how both numbers were chosen.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engines import Evaluation
from engines.loss_units import BLUNDER, INACCURACY, MISTAKE, LossUnit
from protocols.values import parts_of

HALF = 0.47
"""The mean loss, in the unit of the game, with which the accuracy is 50."""

STEEPNESS = 2.5
"""The exponent of the curve: the larger it is, the faster the accuracy falls there."""

GOOD_SHARE = 0.5
"""The part of the greatest probability of a policy that makes a move one of the best, if nothing was compared."""


class Judgement(StrEnum):
    """The classes of bad moves."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move of ``seat``. ``loss``: of its expected score, 0..1; ``points_lost``: of its lead; ``units``: as judged.

    ``points_lost`` is None in games without points. ``error``: of the points lost (elsewhere of the loss), as far as it
    is known; a loss within its error counts as none, here as well.
    """

    seat: int
    loss: float
    points_lost: float | None
    units: float
    error: float | None = None

    @property
    def judgement(self) -> Judgement | None:
        """The class of a bad move; None for any other move."""
        if self.units >= BLUNDER:
            return Judgement.BLUNDER
        if self.units >= MISTAKE:
            return Judgement.MISTAKE
        return Judgement.INACCURACY if self.units >= INACCURACY else None


@dataclass(frozen=True, slots=True)
class _Loss:
    """What a seat lost, or won if less than 0."""

    chance: float = 0.0
    points: float | None = None
    error: float | None = None

    def by(self, seat: int, unit: LossUnit) -> PlayedMove:
        """The move that lost this. Rounded, so that 0.7 - 0.6 is not less than 0.1."""
        judged = self.points if unit.in_points and self.points is not None else self.chance
        if judged <= (self.error or 0.0):
            return PlayedMove(seat, 0.0, None if self.points is None else 0.0, 0.0, self.error)
        points = None if self.points is None else round(max(0.0, self.points), 2)
        chance = round(max(0.0, self.chance), 9)
        return PlayedMove(seat, chance, points, unit.of(self.chance, self.points), self.error)


def played_moves(
    move: str, movers: Sequence[int], before: Evaluation, after: Evaluation, unit: LossUnit
) -> tuple[PlayedMove, ...]:
    """Returns a move for each of its ``movers``, given the evaluations of the positions before and after it.

    ``move`` is joint if there are several movers.
    """
    parts = parts_of(move, len(movers))
    compared = before.comparisons or ()
    if [one.move for one in compared] == list(parts):
        losses = (_Loss(one.chance, one.points, one.error) for one in compared)
        return tuple(loss.by(seat, unit) for seat, loss in zip(movers, losses, strict=True))
    are_best = _are_best(parts, before)
    none = _Loss(points=None if before.points is None else 0.0)
    return tuple(
        (none if is_best else _decrease(seat, before, after)).by(seat, unit)
        for seat, is_best in zip(movers, are_best, strict=True)
    )


def _decrease(seat: int, before: Evaluation, after: Evaluation) -> _Loss:
    """What a seat lost, on one scale: a difference between two scales is no loss.

    The values of a finished position are its result, which both scales give the same chance.
    """
    has_chances = before.chances is not None and not (after.chances is None and after.best_move)
    share = Evaluation.share if has_chances else Evaluation.value_share
    earlier, later = before.lead(seat), after.lead(seat)
    points = None if earlier is None or later is None else earlier - later
    chance = share(before, seat) - share(after, seat)
    return _Loss(chance if after.reviewed is None else after.reviewed.chance, points)


def _are_best(parts: Sequence[str], before: Evaluation) -> list[bool]:
    """Whether each part of a move counts as the best one."""
    if before.policies is None:
        best = parts_of(before.best_move, len(parts))
        return [part == other for part, other in zip(parts, best, strict=True)]
    pairs = zip(parts, before.policies, strict=True)
    return [policy.get(part, 0.0) >= GOOD_SHARE * max(policy.values()) for part, policy in pairs]


@dataclass(frozen=True, slots=True)
class Summary:
    """How a seat played. ``accuracy`` in 0..100 and the mean losses are None if it made no move.

    ``mean_units``: the mean loss in the unit of the game, which the accuracy follows from.

    ``mean_points_lost`` is None in games without points, too. Each move counts once: a blunder is not also a mistake,
    nor a mistake also an inaccuracy.
    """

    seat: int
    accuracy: float | None
    mean_units: float | None
    mean_loss: float | None
    mean_points_lost: float | None
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
    units = _mean([move.units for move in moves])
    return Summary(
        seat,
        accuracy=None if units is None else _accuracy(units),
        mean_units=units,
        mean_loss=_mean([move.loss for move in moves]),
        mean_points_lost=_mean([move.points_lost for move in moves if move.points_lost is not None]),
        inaccuracies=judgements.count(Judgement.INACCURACY),
        mistakes=judgements.count(Judgement.MISTAKE),
        blunders=judgements.count(Judgement.BLUNDER),
    )


def _accuracy(units: float) -> float:
    """Of moves with this mean loss."""
    excess: float = (units / HALF) ** STEEPNESS
    return 100.0 / (1.0 + excess)


def _mean(numbers: list[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None
