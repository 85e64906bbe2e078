"""How much worse each seat's part of a joint move is than its best one, where seats move together.

There, evaluations rise and fall with what the other seat happened to choose. So a part is worth what it wins on average
against the other seat's policy, by all pairs of parts that the search has visited (``compared_parts``). A bad part has
few visits, which say little where one step decides a race. So a part that seems worse is looked at again, by searches
after it and after the best one; what these say in the end counts, and how much they changed in their second half is its
error.
"""

from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from typing import Final

from engines._core import Position, Search
from engines.calibration import Calibration
from engines.comparison import Worth
from engines.evaluation import Candidate, Comparison, Evaluation
from engines.loss_units import INACCURACY, loss_unit

JOINT_LINES: Final = 1000
"""More than a search of seats that move together has pairs of moves."""


class ComparingParts:
    """A comparison in progress of the parts of a joint move with the best ones."""

    def __init__(
        self,
        position: Position,
        best: Sequence[str],
        compared: Sequence[Comparison],
        calibration: Calibration | None,
        samples: int,
        evaluator: str = "native",
    ) -> None:
        """``compared``: the parts as the search sees them. ``samples``: of each further search.

        ``evaluator``: of these searches, as ``Search`` calls it.
        """
        self.samples = max(1, samples // 2)
        """Simulations for each search, each time that it is returned."""
        self._position = position.copy()
        self._best = list(best)
        self._calibration = calibration
        self._evaluator = evaluator
        self._compared = list(compared)
        self._searches = self._look_again()

    def next_search(self) -> Search | None:
        """The search to run next, for ``samples`` simulations, when the one before has run; None after the last."""
        return next(self._searches, None)

    @property
    def results(self) -> tuple[Comparison, ...]:
        """What each part loses."""
        return tuple(self._compared)

    def _look_again(self) -> Iterator[Search]:
        unit = loss_unit(self._position)
        for seat, part in enumerate(self._compared):
            if unit.of(part.chance, part.points) >= INACCURACY:
                better = yield from self._search_after(seat, self._best[seat])
                worse = yield from self._search_after(seat, part.move)
                halfway, end = (one.less(other, part.move) for one, other in zip(better, worse, strict=True))
                self._compared[seat] = end.with_error(halfway)

    def _search_after(self, seat: int, part: str) -> Generator[Search, None, list[Worth]]:
        """What a part is worth if the other seat plays its best one, after half of the simulations and after all."""
        after = self._position.copy()
        after.play("/".join([*self._best[:seat], part, *self._best[seat + 1 :]]))
        if after.outcome is not None:
            return [Worth.to(seat, Evaluation.of_outcome(after.outcome))] * 2
        search = Search(after, self._evaluator, {}, 0)
        worths = []
        for _ in range(2):
            yield search
            worths.append(Worth.found_by(search, seat, self._calibration))
        return worths


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


def _expectations(lines: Sequence[Candidate], seat: int) -> dict[str, Worth]:
    """What each part of a seat wins against those of the other, each as often as it was visited in all."""
    pairs = [(line.move.split("/"), line) for line in lines]
    visits: dict[str, int] = defaultdict(int)
    for parts, line in pairs:
        visits[parts[1 - seat]] += line.visits
    met: dict[str, list[tuple[Worth, int]]] = defaultdict(list)
    for parts, line in pairs:
        met[parts[seat]].append((_worth_of(line, seat), visits[parts[1 - seat]]))
    return {part: Worth.mean(weighted) for part, weighted in met.items()}


def _worth_of(line: Candidate, seat: int) -> Worth:
    """Lines have the value and the chance of seat 0."""
    chance = (line.value + 1) / 2 if line.chance is None else line.chance
    lead = None if line.points is None else line.points[seat] - line.points[1 - seat]
    return Worth(chance if seat == 0 else 1 - chance, lead)
