"""Classes of boards by their number of cells, which lists of finished games can be filtered by."""

from enum import StrEnum


class BoardClass(StrEnum):
    """The class of a board of up to 400 cells."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


_MOST_CELLS = {BoardClass.SMALL: 36, BoardClass.MEDIUM: 81, BoardClass.LARGE: 400}


def board_class(cells: int) -> BoardClass | None:
    """Returns the class of a board with this number of cells; None if it is in none."""
    if cells < 1:
        return None
    return next((name for name, most in _MOST_CELLS.items() if cells <= most), None)
