"""The drawings, one a game."""

from collections.abc import Mapping

from engines.text_boards.drawing import Drawing
from engines.text_boards.drawings import carcassonne, hive, pyrat, wallwars

_DRAWINGS: Mapping[str, Drawing] = {
    "wallwars": wallwars.DRAWING,
    "hive": hive.DRAWING,
    "carcassonne": carcassonne.DRAWING,
    "pyrat": pyrat.DRAWING,
}


def drawing_of(game: str) -> Drawing | None:
    """How a game is drawn; None if it has no drawing."""
    return _DRAWINGS.get(game)
