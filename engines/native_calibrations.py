"""The calibrations of the native evaluators, by game and variant, from ``native_calibrations.json``.

They were measured on the default boards with two seats (docs/calibration.md) and are used on every board of their
variant. ``benchmarks/calibration.py`` writes the file.
"""

import json
from functools import cache
from pathlib import Path

from engines import Position
from engines.calibration import Calibration

FILE = Path(__file__).with_suffix(".json")

Maps = dict[str, dict[str, Calibration]]
"""Calibrations by game and variant."""


def read_maps() -> Maps:
    """Reads the file."""
    data = json.loads(FILE.read_text())
    return {
        game: {variant: Calibration.read(points) for variant, points in variants.items()}
        for game, variants in data.items()
    }


def written(maps: Maps) -> str:
    """The contents of the file with these maps: one line for each point."""
    data = {
        game: {variant: calibration.write() for variant, calibration in variants.items()}
        for game, variants in maps.items()
    }
    return json.dumps(data, indent=1) + "\n"


def native_calibration(position: Position) -> Calibration | None:
    """What the native evaluator's values mean in this game; None if that was not measured."""
    return _maps().get(position.game, {}).get(position.variant) if position.seats == 2 else None


@cache
def _maps() -> Maps:
    return read_maps()
