"""How much worse a move is than the best one where more than the move decides what comes next.

* Where moves reveal what no seat knows, evaluations rise and fall with the deal. So both moves are tried: what the
  seat to act cannot know is dealt many times, and each deal is searched after the one move and after the other
  (``Comparing``). The mean difference is what the move loses; its error follows from how much the deals differ. Where
  that leaves open how bad the move is, more is dealt.
* Where seats move together, evaluations rise and fall with what the other seat happened to choose. A part of a move is
  worth what it wins on average against the other seat's policy (``compared_parts``).

Where nothing but the move decides, but evaluations rise and fall with the order in which a search happens to try moves,
a move that seems worse than the best one is compared in the same way, without deals: it is looked at again.
"""

import statistics
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engines._core import Position, Search
from engines.calibration import Calibration
from engines.evaluation import Candidate, Comparison, Evaluation
from engines.loss_units import BLUNDER, DEFAULT, INACCURACY, MISTAKE, loss_unit

JOINT_LINES: Final = 1000
"""More than a search of seats that move together has pairs of moves."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How often both moves are searched: ``least`` times, and until it is clear how bad the move is, ``most`` times."""

    least: int
    most: int
    samples: int
    """Simulations after each move, each time."""


DEALT: Final = Effort(24, 120, 25)
"""Where something is hidden."""

NOISE: Final = 0.3
"""The standard deviation of what a move loses by one look where nothing is dealt, in units of the game. Looks of Hive
differ by 0.21 of them, and from what the evaluations before and after the move say by 0.5."""

DEVIATIONS: Final = 2.0
"""How many standard errors of the mean an error has."""


@dataclass(frozen=True, slots=True)
class _Worth:
    """What a position is worth to a seat: its expected score and its lead in points."""

    chance: float
    lead: float | None

    @classmethod
    def to(cls, seat: int, evaluation: Evaluation) -> "_Worth":
        return cls(evaluation.share(seat), evaluation.lead(seat))

    @classmethod
    def mean(cls, weighted: Sequence[tuple["_Worth", int]]) -> "_Worth":
        weights = [weight for _, weight in weighted]
        chance = statistics.fmean([worth.chance for worth, _ in weighted], weights)
        leads = [worth.lead for worth, _ in weighted if worth.lead is not None]
        return cls(chance, statistics.fmean(leads, weights) if leads else None)

    def less(self, other: "_Worth", move: str) -> Comparison:
        points = None if self.lead is None or other.lead is None else round(self.lead - other.lead, 2)
        return Comparison(move, round(self.chance - other.chance, 4), points)


class Comparing:
    """A comparison in progress."""

    def __init__(
        self,
        position: Position,
        best: str,
        played: str,
        calibration: Calibration | None,
        effort: Effort = DEALT,
        *,
        first_loss: float | None = None,
    ) -> None:
        """Compares two legal moves of the only seat to act. ``calibration``: of the native evaluator.

        ``first_loss``: where nothing is hidden, what the move loses by the evaluations before and after it.
        """
        self._effort = effort
        self._first_loss = first_loss
        self._position = position.copy()
        self._seat = position.to_act[0]
        self._moves = (best, played)
        self._calibration = calibration
        self._found: list[_Worth] = []
        """What each move is worth in each deal: the best one and the other in turn."""
        self._positions = self._after()
        self._search: Search | None = None

    @property
    def samples(self) -> int:
        """Simulations for each search."""
        return self._effort.samples

    @property
    def _is_dealt(self) -> bool:
        return self._first_loss is None

    def next_search(self) -> Search | None:
        """The search to run next, for ``samples`` simulations, when the one before has run; None after the last."""
        if self._search is not None:
            self._add(self._evaluated(self._search))
            self._search = None
        for number, position in self._positions:
            if position.outcome is None:
                # Both moves get the same seed, and thus the same deals of what the next seat cannot know.
                options = {"num_determinizations": 1} if self._is_dealt else {}
                self._search = Search(position, "native", options, number)
                return self._search
            self._add(Evaluation.of_outcome(position.outcome))
        return None

    @property
    def result(self) -> Comparison:
        """What the move loses, and the error of that number: of the points, where there are any."""
        chances, points = self._losses()
        return Comparison(
            self._moves[1],
            round(statistics.fmean(chances), 4),
            round(statistics.fmean(points), 2) if points else None,
            round(DEVIATIONS * _standard_error(points or chances), 4) if self._is_dealt else None,
        )

    def _losses(self) -> tuple[list[float], list[float]]:
        """What the move loses each time, as expected score and, where there are any, in points."""
        if self._first_loss is not None:
            shares = [worth.chance for worth in self._found]
            again = [best - played for best, played in zip(shares[::2], shares[1::2], strict=True)]
            return [self._first_loss, *again], []
        pairs = list(zip(self._found[::2], self._found[1::2], strict=True))
        losses = [best.less(played, self._moves[1]) for best, played in pairs]
        return [one.chance for one in losses], [one.points for one in losses if one.points is not None]

    def _is_clear(self) -> bool:
        """Whether the loss is farther from those at which another kind of bad move begins than its error."""
        chances, points = self._losses()
        unit = loss_unit(self._position)
        in_points = bool(points) and unit.in_points
        losses, size = (
            (points, unit.size) if in_points else (chances, (DEFAULT if unit.in_points else unit).size)
        )
        spread = statistics.stdev(losses) if self._is_dealt else NOISE * size
        loss, error = abs(statistics.fmean(losses)), DEVIATIONS * spread / len(losses) ** 0.5
        return all(abs(loss - bound * size) > error for bound in (INACCURACY, MISTAKE, BLUNDER))

    def _after(self) -> Iterator[tuple[int, Position]]:
        """The positions after both moves, as often as they are searched, with the number of the time."""
        for number in range(self._effort.most):
            if number >= self._effort.least and self._is_clear():
                return
            for move in self._moves:
                yield number, self._position.after(move, deal=number if self._is_dealt else None)

    def _evaluated(self, search: Search) -> Evaluation:
        report = search.report(0)
        return Evaluation.of_report(
            report, inherited=0, source="", is_cut=False, calibration=self._calibration
        )

    def _add(self, evaluation: Evaluation) -> None:
        self._found.append(_Worth.to(self._seat, evaluation))


def compared_parts(
    lines: Sequence[Candidate], best: Sequence[str], played: Sequence[str]
) -> tuple[Comparison, ...] | None:
    """Compares each seat's part of a joint move with its best one, by all pairs that a search of two seats has visited.

    None if one of the parts was never searched.
    """
    expected = [_expectations(lines, seat) for seat in (0, 1)]
    if any(
        part not in worths for parts in (best, played) for part, worths in zip(parts, expected, strict=True)
    ):
        return None
    return tuple(
        worths[better].less(worths[part], part)
        for better, part, worths in zip(best, played, expected, strict=True)
    )


def _expectations(lines: Sequence[Candidate], seat: int) -> dict[str, _Worth]:
    """What each part of a seat wins against those of the other, each as often as it was visited in all."""
    pairs = [(line.move.split("/"), line) for line in lines]
    visits: dict[str, int] = defaultdict(int)
    for parts, line in pairs:
        visits[parts[1 - seat]] += line.visits
    met: dict[str, list[tuple[_Worth, int]]] = defaultdict(list)
    for parts, line in pairs:
        met[parts[seat]].append((_worth_of(line, seat), visits[parts[1 - seat]]))
    return {part: _Worth.mean(weighted) for part, weighted in met.items()}


def _worth_of(line: Candidate, seat: int) -> _Worth:
    """Lines have the value and the chance of seat 0."""
    chance = (line.value + 1) / 2 if line.chance is None else line.chance
    lead = None if line.points is None else line.points[seat] - line.points[1 - seat]
    return _Worth(chance if seat == 0 else 1 - chance, lead)


def _standard_error(numbers: list[float]) -> float:
    """Of their mean."""
    return float(statistics.stdev(numbers) / len(numbers) ** 0.5)
