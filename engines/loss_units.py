"""How much a bad move loses in each game: the unit by which the quality of moves is measured.

In games with points, a loss is measured in points of a seat's lead over the best of the others, elsewhere in its
expected score. The units in ``loss_units.json`` were fitted to games of players of known strength
(``benchmarks/judgement.py``): each is the largest with which a player who idles loses at least 0.69 units a move, and
one who moves at random at least 0.51. Where a usual game is longer, as on a larger board, one move decides less of it,
and the unit is smaller in proportion. docs/calibration.md has the measurements.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from engines._core import Position

FILE: Final = Path(__file__).with_suffix(".json")

INACCURACY: Final = 0.75
"""The smallest loss that is marked, in units."""


@dataclass(frozen=True, slots=True)
class LossUnit:
    """``size`` in points of the lead if ``in_points``, otherwise in expected score.

    ``is_reviewed``: whether moves that seem bad are looked at again.
    """

    size: float
    in_points: bool = False
    is_reviewed: bool = False


DEFAULT: Final = LossUnit(0.13)
"""Of games that were not measured, and of evaluations without points."""


def loss_unit(position: Position) -> LossUnit:
    """The unit for the game of this position."""
    unit = loss_units().get(position.game)
    if unit is None:
        return DEFAULT
    longer = 1.0 if unit.plies is None else max(1.0, (position.usual_plies or 0) / unit.plies)
    return LossUnit(unit.size / longer, unit.in_points, unit.is_reviewed)


@dataclass(frozen=True, slots=True)
class GameUnit:
    """The unit of a game. ``plies``: those of a usual game where it was fitted; None if the length does not matter."""

    size: float
    in_points: bool
    plies: int | None
    is_reviewed: bool


@cache
def loss_units() -> Mapping[str, GameUnit]:
    """The measured units by game."""
    data = json.loads(FILE.read_text())
    return {
        game: GameUnit(unit["size"], unit["in"] == "points", unit["plies"], unit.get("reviewed", False))
        for game, unit in data.items()
    }
