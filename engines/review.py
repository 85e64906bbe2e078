"""Further looks at a move that seems worse than the best one, where nothing but the move decides what comes next.

There a move loses what the position before it is worth, less what the one after it is worth. But evaluations rise and
fall with the order in which a search happens to try moves. So both positions are searched again, in another order each
time, until it is clear how bad the move is. Each look is what an analysis does: it looks ahead where it can, and the
search of the position before the move knows what came of it.
"""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engines._core import Position, Search
from engines.calibration import Calibration
from engines.comparison import DEVIATIONS, Worth, is_clear
from engines.evaluation import Comparison
from engines.hindsight import look_ahead, samples_ahead
from engines.loss_units import loss_unit

MOST_LOOKS: Final = 6
"""How often a move is looked at again, at most."""

NOISE: Final = 0.45
"""The standard deviation of what a move loses by one look, in units of the game. In Hive, looks that compared it with
the best one differed by 0.28 units where it lost less than half of one, by 0.47 up to one and by 0.57 up to two."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the searches of a look run with: ``evaluator`` as ``Search`` calls it, with ``calibration``."""

    samples: int
    evaluator: str = "native"
    calibration: Calibration | None = None


class Review:
    """A review in progress."""

    def __init__(
        self, position: Position, played: str, following: Sequence[str], first_loss: float, look: Look
    ) -> None:
        """Reviews a move of the only seat to act, after which ``following`` were played.

        ``first_loss``: the expected score that it loses by the evaluations before and after it.
        """
        self._position = position.copy()
        self._seat = position.to_act[0]
        self._line = [played, *following]
        self._losses = [first_loss]
        self._look = look
        self._unit = loss_unit(position)
        self._runs = self._search_all()
        self.samples = 0
        """Simulations for the search that runs."""

    def next_search(self) -> Search | None:
        """The search to run next, for ``samples`` simulations, when the one before has run; None after the last.

        A search comes several times, each time at another position.
        """
        search, self.samples = next(self._runs, (None, 0))
        return search

    @property
    def results(self) -> tuple[Comparison]:
        """What the move loses by all looks together, the first loss included."""
        return (Comparison(self._line[0], round(statistics.fmean(self._losses), 4), None),)

    @property
    def _is_clear(self) -> bool:
        loss, error = statistics.fmean(self._losses), DEVIATIONS * NOISE / len(self._losses) ** 0.5
        return is_clear(self._unit.of(loss, None), error)

    def _search_all(self) -> Iterator[tuple[Search, int]]:
        """The searches to run, each with its simulations; takes down what each look found when it has run."""
        for number in range(MOST_LOOKS):
            if number > 0 and self._is_clear:
                return
            yield from self._search_once(number)

    def _search_once(self, seed: int) -> Iterator[tuple[Search, int]]:
        """The searches of one look: of the position after the move, which is on the way back, and of the one before."""
        samples, after = self._look.samples, None
        search = self._new_search(self._position, seed)
        for moves in look_ahead(search, self._line):
            yield search, samples if moves == 1 else samples_ahead(samples)
            if moves == 1:
                after = self._worth_in(search)
        yield search, samples
        before = self._worth_in(search)
        if after is None:
            search = self._new_search(self._position.after(self._line[0]), seed)
            yield search, samples
            after = self._worth_in(search)
        if before is not None and after is not None:
            self._losses.append(before - after)

    def _new_search(self, position: Position, seed: int) -> Search:
        return Search(position, self._look.evaluator, {}, seed)

    def _worth_in(self, search: Search) -> float | None:
        """The expected score of the seat that moved, where the search is now; None if there was no memory to run it."""
        return (
            Worth.found_by(search, self._seat, self._look.calibration).chance if search.visits > 0 else None
        )
