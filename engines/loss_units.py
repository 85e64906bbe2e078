"""How much a bad move loses in each game: the unit by which the quality of moves is measured.

In games with points, a loss is measured in points of a seat's lead over the best of the others, elsewhere in its
expected score. The units in ``loss_units.json`` were fitted to games of players of known strength
(``benchmarks/judgement.py``), so that a player who idles has an accuracy of at most 50, and one who moves at random of
at most 60. Where a usual game is longer and one move decides less of it, as on a larger board of Wallwars, the unit
is smaller in proportion. Where more seats play, each has fewer moves, which decide more: the unit grows with the root
of their number. A network takes fewer moves back that it has said before, so a player loses less in its eyes: games
that networks were measured in have a second unit for these. docs/calibration.md has the measurements.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from engines._core import Position
from engines.evaluation import BOOK, NATIVE

FILE: Final = Path(__file__).with_suffix(".json")

INACCURACY, MISTAKE, BLUNDER = 0.75, 1.5, 2.5
"""The smallest losses that count as such, in units."""


@dataclass(frozen=True, slots=True)
class LossUnit:
    """``size`` in points of the lead if ``in_points``, otherwise in expected score.

    ``is_reviewed``: whether moves that seem worse than the best one are looked at again.
    """

    size: float
    in_points: bool = False
    is_reviewed: bool = False

    def of(self, chance: float, points: float | None) -> float:
        """A loss of expected score, and of points where there are any, in units. Rounded, so that 0.7 - 0.6 is 0.1."""
        if not self.in_points:
            return round(chance / self.size, 9)
        return round(chance / DEFAULT.size if points is None else points / self.size, 9)


DEFAULT: Final = LossUnit(0.13)
"""Of games that were not measured, and of evaluations without points."""

MEASURED_SEATS: Final = 2
"""The seats of the games that the units were fitted to."""

NO_NETWORKS: Final = (NATIVE, BOOK, "")
"""Sources of evaluations (``Evaluation.source``) that are no networks."""


def loss_unit(position: Position, source: str = NATIVE) -> LossUnit:
    """The unit for the game of this position, where ``source`` evaluates it."""
    unit = loss_units().get(position.game)
    if unit is None:
        return DEFAULT
    longer = 1.0 if unit.plies is None else max(1.0, (position.usual_plies or 0) / unit.plies)
    size = unit.size if source in NO_NETWORKS or unit.network is None else unit.network
    fewer = (position.seats / MEASURED_SEATS) ** 0.5
    return LossUnit(size / longer * fewer, unit.in_points, unit.is_reviewed)


@dataclass(frozen=True, slots=True)
class GameUnit:
    """The unit of a game. ``plies``: those of a usual game where it was fitted; None if the length does not matter.

    ``network``: the size where a network evaluates; None if none was measured.
    """

    size: float
    in_points: bool
    plies: int | None
    is_reviewed: bool
    network: float | None


@cache
def loss_units() -> Mapping[str, GameUnit]:
    """The measured units by game."""
    data = json.loads(FILE.read_text())
    return {
        game: GameUnit(
            unit["size"],
            unit["in"] == "points",
            unit["plies"],
            unit.get("reviewed", False),
            unit.get("network"),
        )
        for game, unit in data.items()
    }
