"""How much worse a move is than the best one where more than the move decides what comes next.

* Where moves reveal what no seat knows, evaluations rise and fall with the deal. So the move and its rivals are tried:
  what the seat to act cannot know is dealt many times, and each deal is searched after each of them (``Comparing``).
  The mean difference from the best rival is what the move loses; its error follows from how much the deals differ.
  Until it is clear how bad the move is, more is dealt; rivals that are clearly worse drop out.
* Where seats move together: see ``engines/joint_comparison.py``.

Where nothing but the move decides: see ``engines/review.py``.
"""

import statistics
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engines._core import Position, Search
from engines.calibration import Calibration
from engines.evaluation import Comparison, Evaluation
from engines.loss_units import BLUNDER, INACCURACY, MISTAKE, loss_unit


@dataclass(frozen=True, slots=True)
class Looks:
    """How often the moves are searched: in rounds, until it is clear how bad the one is, or ``most`` times."""

    round: int
    """How often in each round."""
    most: int
    samples: int
    """Simulations after each move, each time."""


DEALT: Final = Looks(8, 480, 25)
"""Where something is hidden."""

RIVALS: Final = 8
"""Where something is hidden, a search often misses the best move: so many of its candidates are compared."""

DEVIATIONS: Final = 2.0
"""How many standard errors of the mean an error has."""

SURE: Final = 1.5
"""How many times its error a loss must be away from a bound for the deals to end. That is asked after every round, and
one of many answers is wrong by more than its error."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What a position is worth to a seat: its expected score and its lead in points."""

    chance: float
    lead: float | None

    @classmethod
    def to(cls, seat: int, evaluation: Evaluation) -> "Worth":
        """What a position is worth by its evaluation."""
        return cls(evaluation.share(seat), evaluation.lead(seat))

    @classmethod
    def found_by(cls, search: Search, seat: int, calibration: Calibration | None) -> "Worth":
        """What a search says that has run."""
        report = search.report(0)
        return cls.to(
            seat,
            Evaluation.of_report(report, inherited=0, source="", is_cut=False, calibration=calibration),
        )

    @classmethod
    def mean(cls, weighted: Sequence[tuple["Worth", int]]) -> "Worth":
        """The mean of several, each with its weight."""
        weights = [weight for _, weight in weighted]
        chance = statistics.fmean([worth.chance for worth, _ in weighted], weights)
        leads = [worth.lead for worth, _ in weighted if worth.lead is not None]
        return cls(chance, statistics.fmean(leads, weights) if leads else None)

    def less(self, other: "Worth", move: str) -> Comparison:
        """What a move loses that is worth the other, if this is what the best one is worth."""
        points = None if self.lead is None or other.lead is None else round(self.lead - other.lead, 2)
        return Comparison(move, round(self.chance - other.chance, 4), points)


def is_clear(loss: float, error: float) -> bool:
    """Whether a loss is farther than its error from those at which another kind of bad move begins.

    In units of the game.
    """
    return all(abs(abs(loss) - bound) > error for bound in (INACCURACY, MISTAKE, BLUNDER))


class Comparing:
    """A comparison in progress."""

    def __init__(
        self,
        position: Position,
        rivals: Sequence[str],
        played: str,
        calibration: Calibration | None,
        looks: Looks = DEALT,
        evaluator: str = "native",
    ) -> None:
        """Compares a legal move of the only seat to act with its ``rivals``.

        ``evaluator``: of the searches, as ``Search`` calls it; ``calibration`` is its.
        """
        self._looks = looks
        self._evaluator = evaluator
        self._position = position.copy()
        self._seat = position.to_act[0]
        self._rivals = list(rivals)
        """The moves that may still be the best one."""
        self._played = played
        self._calibration = calibration
        self._unit = loss_unit(position)
        self._found: defaultdict[str, list[Worth]] = defaultdict(list)
        """What each move is worth, each time."""
        self._positions = self._after()
        self._search: Search | None = None
        self._searched = ""
        """The move after which it searches."""

    @property
    def samples(self) -> int:
        """Simulations for each search."""
        return self._looks.samples

    def next_search(self) -> Search | None:
        """The search to run next, for ``samples`` simulations, when the one before has run; None after the last."""
        if self._search is not None:
            self._found[self._searched].append(Worth.found_by(self._search, self._seat, self._calibration))
            self._search = None
        for number, move, position in self._positions:
            if position.outcome is None:
                # All moves get the same seed, and thus the same deals of what the next seat cannot know.
                options = {"num_determinizations": 1}
                self._search, self._searched = Search(position, self._evaluator, options, number), move
                return self._search
            self._found[move].append(Worth.to(self._seat, Evaluation.of_outcome(position.outcome)))
        return None

    @property
    def results(self) -> tuple[Comparison]:
        """What the move loses, and the error of that number: of the points, where there are any."""
        pairs = zip(self._found[self._best], self._found[self._played], strict=True)
        losses = [best.less(played, self._played) for best, played in pairs]
        chances = [loss.chance for loss in losses]
        points = [loss.points for loss in losses if loss.points is not None]
        found = Comparison(
            self._played,
            round(statistics.fmean(chances), 4),
            round(statistics.fmean(points), 2) if points else None,
            round(_error(points or chances), 4),
        )
        return (found,)

    def _after(self) -> Iterator[tuple[int, str, Position]]:
        """The positions after the moves, as often as they are searched, with the number of the time."""
        for number in range(self._looks.most):
            if number > 0 and number % self._looks.round == 0:
                losses = self._gaps(self._best, self._played)
                if is_clear(statistics.fmean(losses), SURE * _error(losses)):
                    return
                self._drop_rivals()
            for move in dict.fromkeys((*self._rivals, self._played)):
                yield number, move, self._position.after(move, deal=number)

    def _drop_rivals(self) -> None:
        """Keeps the best rival, and those that are worse by less than the error: not its equals by symmetry."""
        best = self._best

        def is_near(rival: str) -> bool:
            gaps = self._gaps(best, rival)
            return statistics.fmean(gaps) < _error(gaps)

        self._rivals = [rival for rival in self._rivals if rival == best or is_near(rival)]

    @property
    def _best(self) -> str:
        """The rival that is worth most so far, as moves are judged."""
        return max(self._rivals, key=lambda rival: sum(map(self._in_units, self._found[rival])))

    def _gaps(self, better: str, worse: str) -> list[float]:
        """How much more one move is worth than another, each time, in units of the game."""
        both = zip(self._found[better], self._found[worse], strict=True)
        return [self._in_units(one) - self._in_units(other) for one, other in both]

    def _in_units(self, worth: Worth) -> float:
        return self._unit.of(worth.chance, worth.lead)


def _error(numbers: list[float]) -> float:
    """Of their mean."""
    return float(DEVIATIONS * statistics.stdev(numbers) / len(numbers) ** 0.5)
