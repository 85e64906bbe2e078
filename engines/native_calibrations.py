"""The calibrations of the native evaluators, by game, variant and seats, from ``native_calibrations.json``.

They were measured on the default boards (docs/calibration.md) and are used on every board of their variant.
``benchmarks/calibration.py`` writes the file.
"""

import json
from functools import cache
from pathlib import Path

from engines import Position
from engines.game_calibration import GameCalibration

FILE = Path(__file__).with_suffix(".json")

Maps = dict[str, dict[str, dict[int, GameCalibration]]]
"""Calibrations by game, variant and number of seats."""


def read_maps() -> Maps:
    """Reads the file."""
    data = json.loads(FILE.read_text())
    return {
        game: {
            variant: {int(seats): GameCalibration.read(maps) for seats, maps in by_seats.items()}
            for variant, by_seats in variants.items()
        }
        for game, variants in data.items()
    }


def written(maps: Maps) -> str:
    """The contents of the file with these maps: one line for each number."""
    data = {
        game: {
            variant: {str(seats): calibration.write() for seats, calibration in by_seats.items()}
            for variant, by_seats in variants.items()
        }
        for game, variants in maps.items()
    }
    return json.dumps(data, indent=1) + "\n"


def native_calibration(position: Position) -> GameCalibration | None:
    """What the native evaluator's values mean in this game; None if that was not measured."""
    return _maps().get(position.game, {}).get(position.variant, {}).get(position.seats)


@cache
def _maps() -> Maps:
    return read_maps()
