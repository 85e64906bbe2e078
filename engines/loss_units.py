"""How much a bad move loses in each game: the unit by which the quality of moves is measured.

In games with points, a loss is measured in points of a seat's lead over the best of the others, elsewhere in its
expected score. The units in ``loss_units.json`` were fitted to games of players of known strength
(``benchmarks/judgement.py``) on the default boards: each is the largest with which a player who idles has an accuracy
of at most 50, and one who moves at random of at most 60. They hold for every board of their variant; a variant that
was not measured has the smallest unit of its game, and other games have ``DEFAULT``. docs/calibration.md has the
measurements.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from engines._core import Position

FILE: Final = Path(__file__).with_suffix(".json")


@dataclass(frozen=True, slots=True)
class LossUnit:
    """``size`` in points of the lead if ``in_points``, otherwise in expected score."""

    size: float
    in_points: bool = False


DEFAULT: Final = LossUnit(0.13)
"""Of games that were not measured, and of evaluations without points."""


def loss_unit(position: Position) -> LossUnit:
    """The unit for the game of this position."""
    units = loss_units().get(position.game, {})
    smallest = min(units.values(), key=lambda unit: unit.size, default=DEFAULT)
    return units.get(position.variant, smallest)


@cache
def loss_units() -> Mapping[str, Mapping[str, LossUnit]]:
    """The measured units, by game and variant."""
    data = json.loads(FILE.read_text())
    return {
        game: {
            variant: LossUnit(size, kind == "points")
            for variant, unit in variants.items()
            for kind, size in unit.items()
        }
        for game, variants in data.items()
    }
