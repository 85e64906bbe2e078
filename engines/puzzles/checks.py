"""Whether a position is a puzzle: a quick look says whether it may be one, a deep check whether it is.

A puzzle has one best move: all others lose at least ``Standard.gap`` loss units (``engines/loss_units.py``) more. The
quick look is one search. The deep check is another, much larger search with another seed, which must find the same
move, and searches after every move (``alternatives.py``), which must find the same gap. Games that are lost anyway, or
won after other moves as well, are no puzzles.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engines import Line, Position, Search, hides_order
from engines.effort import usual_samples
from engines.loss_units import DEFAULT, loss_unit
from engines.native_calibrations import native_calibration
from engines.puzzles.alternatives import (
    EVALUATOR,
    Rival,
    dealt_rival,
    evaluated,
    joint_rival,
    plain_rival,
)

QUICK_SHARE: Final = 4
"""Where one seat is to act and nothing is hidden, a quick look has the usual samples divided by this."""

QUICK_JOINT_SAMPLES: Final = 100
"""After each pair of moves, in a quick look at seats that act together."""

CERTAIN: Final = 0.97
"""How likely the best move of a seat is, by its policy, where seats act together; in a quick look ..."""

NEARLY_CERTAIN: Final = 0.9

LOST: Final = 0.15
"""The smallest expected score after the best move of a puzzle."""

WON_ANYWAY: Final = 0.75
"""The largest expected score after another move."""

FEWEST_MOVES: Final = 3
"""Fewer legal moves are no choice."""

SEED: Final = 7
"""Of the deep check. Quick looks have 0."""


@dataclass(frozen=True)
class Standard:
    """What makes a position a puzzle."""

    gap: float = 1.5
    """In loss units: by default, all other moves are mistakes."""
    effort: int = 20
    """How many times more samples than for a usual evaluation the deep check has."""


@dataclass(frozen=True, slots=True)
class PuzzleMove:
    """A position that is a puzzle for ``seat``."""

    seat: int
    best: str
    rival: Rival


def candidates(position: Position, standard: Standard) -> Iterator[tuple[int, str]]:
    """The seats for which the position may be a puzzle, and the move that is best for each."""
    acting = position.to_act
    if len(acting) > 1:
        yield from _joint_candidates(position, standard)
    elif acting and not _has_few_moves(position, acting[0]):
        best = _dealt_best(position, standard) if hides_order(position) else _plain_best(position, standard)
        if best is not None:
            yield acting[0], best


def checked_move(position: Position, seat: int, best: str, standard: Standard) -> PuzzleMove | None:
    """The deep check; None if the position is no puzzle."""
    deepest = standard.effort * usual_samples(position.game)
    if len(position.to_act) > 1:
        rival = _joint_rival(position, seat, best, standard, deepest)
    elif hides_order(position):
        rival = dealt_rival(position, best, standard.gap)
    else:
        rival = plain_rival(position, best, standard.gap, standard.effort)
    if rival is None or rival.best_share < LOST or (rival.share or 0.0) > WON_ANYWAY:
        return None
    if len(position.to_act) == 1 and evaluated(position, deepest, SEED).best_move != best:
        return None
    return PuzzleMove(seat, best, rival)


def _has_few_moves(position: Position, seat: int) -> bool:
    return len(position.legal(seat)) < FEWEST_MOVES


def _plain_best(position: Position, standard: Standard) -> str | None:
    lines = _lines(position, usual_samples(position.game) // QUICK_SHARE)
    if len(lines) == 1:
        return lines[0].move
    first, second = (_share(position, line.value) for line in lines)
    is_open = first >= LOST and second <= WON_ANYWAY
    return lines[0].move if is_open and first - second >= standard.gap * _chance_size(position) else None


def _dealt_best(position: Position, standard: Standard) -> str | None:
    """By half the gap: the search has few simulations behind all but the best move."""
    lines = _lines(position, usual_samples(position.game))
    seat = position.to_act[0]
    leads = [_lead(line.points, seat) for line in lines if line.points is not None]
    if len(leads) == 1:
        return None
    return lines[0].move if leads[0] - leads[1] >= standard.gap / 2 * loss_unit(position).size else None


def _lead(points: Sequence[float], seat: int) -> float:
    return points[seat] - max(one for other, one in enumerate(points) if other != seat)


def _share(position: Position, value: float) -> float:
    calibration = native_calibration(position)
    return (value + 1) / 2 if calibration is None else calibration.at(position.progress).score(value)


def _chance_size(position: Position) -> float:
    unit = loss_unit(position)
    return DEFAULT.size if unit.in_points else unit.size


def _lines(position: Position, samples: int) -> list[Line]:
    """The two best lines."""
    search = Search(position, EVALUATOR)
    search.run(samples)
    return search.report(2).lines


def _joint_candidates(position: Position, standard: Standard) -> Iterator[tuple[int, str]]:
    """By half the gap, as after few simulations."""
    policies = _policies(position, usual_samples(position.game), 0)
    for seat, policy in policies.items():
        best, chance = policy[0]
        if chance < NEARLY_CERTAIN or _has_few_moves(position, seat):
            continue
        other = policies[_other(position, seat)]
        if joint_rival(position, seat, best, other, standard.gap / 2, QUICK_JOINT_SAMPLES):
            yield seat, best


def _joint_rival(position: Position, seat: int, best: str, standard: Standard, deepest: int) -> Rival | None:
    policies = _policies(position, deepest, SEED)
    if policies[seat][0][0] != best or policies[seat][0][1] < CERTAIN:
        return None
    other = policies[_other(position, seat)]
    return joint_rival(position, seat, best, other, standard.gap, usual_samples(position.game))


def _policies(position: Position, samples: int, seed: int) -> dict[int, list[tuple[str, float]]]:
    search = Search(position, EVALUATOR, {}, seed)
    search.run(samples)
    return dict(zip(position.to_act, search.report(0).policies, strict=True))


def _other(position: Position, seat: int) -> int:
    (other,) = (one for one in position.to_act if one != seat)
    return other
