"""What puzzles are about, by the rules of their game. Only what the rules decide is a theme.

A game's module has ``TITLES``, its themes by name with what players read, and ``themes(position, asked)``.
"""

from collections.abc import Mapping
from types import ModuleType
from typing import Final

from engines import Position
from engines.puzzles.checks import PuzzleMove
from engines.puzzles.themes import carcassonne, hive, pyrat, wallwars

_MODULES: Final[Mapping[str, ModuleType]] = {
    "wallwars": wallwars,
    "hive": hive,
    "carcassonne": carcassonne,
    "pyrat": pyrat,
}


def themes_of(position: Position, asked: PuzzleMove) -> tuple[str, ...]:
    """The themes of a puzzle; none in a game that has no module."""
    module = _MODULES.get(position.game)
    return () if module is None else tuple(module.themes(position, asked))


def titles_of(game: str) -> Mapping[str, str]:
    """The themes of a game with their titles, in the order in which they are shown."""
    module = _MODULES.get(game)
    return {} if module is None else dict(module.TITLES)
