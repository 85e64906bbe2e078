"""The moves of a seat, and how much worse the best of the others is than a given one.

Every legal move is tried. Small searches after each of them exclude most; the few that remain get larger ones, and the
last ones the largest (successive halving, Karnin, Koren and Somekh 2013). The given move is searched as deeply each
time, so that both sides of a comparison look equally far ahead.

* One seat to act, nothing hidden: a search after each move (:func:`plain_rival`).
* A hidden order: a search after each move in the same deals (:func:`dealt_rival`), as ``engines/comparison.py`` does.
* Seats that act together: a search after each pair of moves (:func:`joint_rival`).
"""

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engines import Evaluation, Position, Search
from engines.comparison import DEVIATIONS
from engines.effort import usual_samples
from engines.loss_units import DEFAULT, LossUnit, loss_unit
from engines.native_calibrations import native_calibration

EVALUATOR: Final = "native"

FIRST_SHARE: Final = 50
"""The first searches have the usual samples divided by this, ..."""

LEAST_SAMPLES: Final = 200
"""... but at least so many."""

LIKELY_MOVES: Final = 12
"""How many moves of a usual search are tried before all others: most positions that are no puzzles are excluded so."""

KEPT: Final = (24, 4)
"""How many alternatives are searched again in the second and the third round."""

FACTOR: Final = 10
"""How many times larger the searches of the second round are than those of the first."""

EARLY: Final = 0.5
"""In the first rounds, this part of the gap is enough."""

DEALS: Final = (4, 16, 96)
"""Deals of what is hidden in each round."""

DEAL_SAMPLES: Final = 50
"""Simulations after a move in a deal."""

SEED: Final = 1
"""Of the searches after moves."""

LIKELY: Final = 0.02
"""The other seat's moves that are at least so likely are tried."""


@dataclass(frozen=True, slots=True)
class Rival:
    """The best of all other moves."""

    move: str
    gap: float
    """How much worse it is than the best move, in loss units."""
    best_share: float
    """The expected score of the seat after the best move, in [0, 1]."""
    share: float | None = None
    """The same after this one; None where moves are compared in another way."""
    reply: str | None = None
    """The answer to the best move; None if the game is over then, or if nobody can know it."""


def whole_moves(position: Position, seat: int) -> Iterator[str]:
    """Every legal move; where the rules do not list them, all that have an action."""
    if position.lists_moves:
        yield from position.legal_moves(seat)
    else:
        yield from dict.fromkeys(_staged_moves(position, seat, ""))


def _staged_moves(position: Position, seat: int, staged: str) -> Iterator[str]:
    if staged and position.can_finish(seat, staged):
        yield position.check(staged, seat)
    for action in position.legal_actions(seat, staged):
        yield from _staged_moves(position, seat, f"{staged}.{action}" if staged else action)


def evaluated(position: Position, samples: int, seed: int) -> Evaluation:
    """What the game's own search says; the result if the game is over."""
    if position.outcome is not None:
        return Evaluation.of_outcome(position.outcome)
    search = Search(position, EVALUATOR, {}, seed)
    search.run(samples)
    calibration = native_calibration(position)
    return Evaluation.of_report(
        search.report(1),
        inherited=0,
        source=EVALUATOR,
        is_cut=False,
        calibration=calibration.at(position.progress) if calibration else None,
    )


# ---- one seat, nothing hidden --------------------------------------------------------------------


def plain_rival(position: Position, best: str, least_gap: float, effort: int) -> Rival | None:
    """The rival of ``best``; None once a round finds it less than ``least_gap`` units worse.

    ``effort``: how many times more samples than usual the last round may have.
    """
    seat, early = position.to_act[0], least_gap * EARLY
    tried = _Tried(position, seat, position.after(best, seat))
    usual = usual_samples(position.game)
    samples = max(LEAST_SAMPLES, usual // FIRST_SHARE)
    others = [move for move in likely_moves(position) if move != best]
    if tried.ranked(others, samples, early) is None:
        return None
    others = [move for move in whole_moves(position, seat) if move != best]
    for kept in KEPT:
        ranked = tried.ranked(others, samples, early)
        if not ranked:
            return None
        others = list(ranked)[:kept]
        samples *= FACTOR
    deepest = max(samples, usual * effort // 4)
    ranked = tried.ranked(others, deepest, least_gap)
    return tried.rival(ranked, deepest) if ranked else None


def likely_moves(position: Position) -> list[str]:
    """The best moves of a usual search."""
    search = Search(position, EVALUATOR)
    search.run(usual_samples(position.game))
    return [line.move for line in search.report(LIKELY_MOVES).lines]


class _Tried:
    """Searches after a best move and after others."""

    def __init__(self, position: Position, seat: int, target: Position) -> None:
        """``target``: the position after the best move."""
        self._position = position
        self._seat = seat
        self._target = target
        self._unit = _chance_unit(loss_unit(position))

    def ranked(self, others: Sequence[str], samples: int, least_gap: float) -> dict[str, float] | None:
        """The expected scores after other moves, best first; None if one is less than ``least_gap`` units worse.

        Moves that lead to the same position as the best one are left out.
        """
        least = self._share(self._target, samples) - least_gap * self._unit
        shares: dict[str, float] = {}
        for move in others:
            after = self._position.after(move, self._seat)
            if after.key != self._target.key:
                shares[move] = self._share(after, samples)
                if shares[move] > least:
                    return None
        return dict(sorted(shares.items(), key=lambda entry: -entry[1]))

    def rival(self, ranked: Mapping[str, float], samples: int) -> Rival:
        """The first of the ranked moves, compared with the best one by searches of this length."""
        move, share = next(iter(ranked.items()))
        after_best = evaluated(self._target, samples, SEED)
        best_share = after_best.share(self._seat)
        return Rival(move, (best_share - share) / self._unit, best_share, share, after_best.best_move or None)

    def _share(self, position: Position, samples: int) -> float:
        return evaluated(position, samples, SEED).share(self._seat)


def _chance_unit(unit: LossUnit) -> float:
    return DEFAULT.size if unit.in_points else unit.size


# ---- a hidden order ------------------------------------------------------------------------------


def dealt_rival(position: Position, best: str, least_gap: float) -> Rival | None:
    """As ``plain_rival``, by what moves are worth in the same deals; in the last round, errors count for the rival."""
    seat, early = position.to_act[0], least_gap * EARLY
    others = [move for move in likely_moves(position) if move != best]
    if _dealt_gaps(position, best, others, DEALS[0], early) is None:
        return None
    others = [move for move in whole_moves(position, seat) if move != best]
    for kept, deals in zip(KEPT, DEALS, strict=False):
        gaps = _dealt_gaps(position, best, others, deals, early)
        if not gaps:
            return None
        others = [move for move, _ in gaps[:kept]]
    deals = DEALS[-1]
    gaps = _dealt_gaps(position, best, others, deals, least_gap, DEVIATIONS)
    if not gaps:
        return None
    share = statistics.fmean(one.share(seat) for one in _dealt(position, best, seat, deals))
    return Rival(*gaps[0], share)


def _dealt_gaps(
    position: Position, best: str, others: Sequence[str], deals: int, least_gap: float, errors: float = 0.0
) -> list[tuple[str, float]] | None:
    """Moves with how many units less they are worth, minus so many standard errors, the best first.

    None if one is less than ``least_gap`` units worse.
    """
    seat, unit = position.to_act[0], loss_unit(position)
    target = [_units(one, seat, unit) for one in _dealt(position, best, seat, deals)]
    gaps: dict[str, float] = {}
    for move in others:
        after = _dealt(position, move, seat, deals)
        losses = [mine - _units(one, seat, unit) for mine, one in zip(target, after, strict=True)]
        error = statistics.stdev(losses) / len(losses) ** 0.5
        gaps[move] = statistics.fmean(losses) - errors * error
        if gaps[move] < least_gap:
            return None
    return sorted(gaps.items(), key=lambda entry: entry[1])


def _dealt(position: Position, move: str, seat: int, deals: int) -> list[Evaluation]:
    return [
        evaluated(position.after(move, seat, deal=number), DEAL_SAMPLES, number) for number in range(deals)
    ]


def _units(evaluation: Evaluation, seat: int, unit: LossUnit) -> float:
    """What a position is worth, in loss units."""
    lead = evaluation.lead(seat)
    if unit.in_points and lead is not None:
        return lead / unit.size
    return evaluation.share(seat) / _chance_unit(unit)


# ---- seats that act together ---------------------------------------------------------------------


def joint_rival(
    position: Position,
    seat: int,
    best: str,
    other_policy: Sequence[tuple[str, float]],
    least_gap: float,
    samples: int,
) -> Rival | None:
    """As ``plain_rival``, against each likely move of the other of two seats.

    ``best`` must be at least as good as the rival against every one of them, so that it is right whatever the other
    seat does, and ``least_gap`` units better on average.
    """
    unit = loss_unit(position)
    answers = [(move, chance) for move, chance in other_policy if chance >= LIKELY]
    whole = sum(chance for _, chance in answers)
    target = {move: _joint(position, seat, best, move) for move, _ in answers}
    values = {move: _units(evaluated(after, samples, SEED), seat, unit) for move, after in target.items()}
    rivals: dict[str, float] = {}
    for move in position.legal_moves(seat):
        after = {answer: _joint(position, seat, move, answer) for answer, _ in answers}
        if all(after[answer].key == target[answer].key for answer in after):
            continue
        losses = {
            answer: values[answer] - _units(evaluated(one, samples, SEED), seat, unit)
            for answer, one in after.items()
        }
        rivals[move] = sum(losses[answer] * chance for answer, chance in answers) / whole
        if min(losses.values()) < 0 or rivals[move] < least_gap:
            return None
    if not rivals:
        return None
    rival = min(rivals, key=rivals.__getitem__)
    shares = (evaluated(target[answer], samples, 0).share(seat) * chance for answer, chance in answers)
    return Rival(rival, rivals[rival], sum(shares) / whole)


def _joint(position: Position, seat: int, move: str, answer: str) -> Position:
    after = position.copy()
    after.play("/".join([move, answer] if seat == 0 else [answer, move]))
    return after
