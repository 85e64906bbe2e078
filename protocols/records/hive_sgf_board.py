"""The pieces on the cells of a boardspace.net game, and the notation of both in its files.

A cell is a column and a row, as in ``N 13``. A piece is named as in UHP; unique pieces may have a number (``wM1``),
and old files omit the colour. ``hive_sgf_turns`` moves the pieces.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

WRAP: Final = 26
"""The site's board is a torus with this many columns and rows: the cell east of Z is A."""

_PIECE = re.compile(r"([wb]?)([QSBGAMLP])([1-3]?)", re.IGNORECASE | re.ASCII)
_ONLY_ONE = "QMLP"
_COLUMN = re.compile(r"[A-Z]|\d{1,3}[AZ]", re.IGNORECASE | re.ASCII)
_ROW = re.compile(r"-?\d{1,3}", re.ASCII)


class Cell(NamedTuple):
    """Column and row, both modulo ``WRAP``."""

    column: int
    row: int

    def beside(self, columns: int, rows: int) -> "Cell":
        """The cell at this offset."""
        return Cell((self.column + columns) % WRAP, (self.row + rows) % WRAP)


_BESIDE: Final[Mapping[str, tuple[int, int]]] = {
    "{}\\": (0, 1),
    "/{}": (1, 1),
    "-{}": (1, 0),
    "\\{}": (0, -1),
    "{}/": (-1, -1),
    "{}-": (-1, 0),
}
"""Glyphs that place a cell relative to a neighbour, with the offset of that neighbour from the cell."""


class SgfBoard:
    """The pieces of a game by cell."""

    def __init__(self) -> None:
        self._stacks: dict[Cell, list[str]] = {}
        self._cells: dict[str, Cell] = {}

    def copy(self) -> "SgfBoard":
        """The same pieces on another board."""
        other = SgfBoard()
        other._stacks = {cell: stack.copy() for cell, stack in self._stacks.items() if stack}
        other._cells = self._cells.copy()
        return other

    def top(self, cell: Cell) -> str | None:
        """The top piece of a cell, or None."""
        return self._stacks[cell][-1] if self._stacks.get(cell) else None

    def cell_of(self, piece: str) -> Cell | None:
        """The cell of a piece; None before it is placed."""
        return self._cells.get(piece)

    def put(self, piece: str, cell: Cell) -> str | None:
        """Moves the piece to the top of the cell. Returns the MoveString; None if the piece would have no neighbour."""
        if piece in self._cells:
            self._stacks[self._cells[piece]].remove(piece)
        move = piece if not self._cells else self._named(piece, cell)
        self._stacks.setdefault(cell, []).append(piece)
        self._cells[piece] = cell
        return move

    def _named(self, piece: str, cell: Cell) -> str | None:
        below = self.top(cell)
        if below is not None:
            return f"{piece} {below}"
        for form, way in _BESIDE.items():
            neighbour = self.top(cell.beside(*way))
            if neighbour is not None:
                return f"{piece} {form.format(neighbour)}"
        return None


def piece_of(text: str, color: str) -> str | None:
    """The piece as named in UHP; ``color`` (W or w, B or b) applies to names without one. None if there is none."""
    found = _PIECE.fullmatch(text)
    if found is None or (found[2].upper() not in _ONLY_ONE and not found[3]):
        return None
    bug, number = found[2].upper(), found[3]
    return f"{(found[1] or color[:1]).lower()}{bug}{'' if bug in _ONLY_ONE else number}"


def cell_of(column: str, row: str) -> Cell | None:
    """The cell of a row and a column: A to Z, or a number of columns before A (``2A``) or after Z (``2Z``). Or None."""
    if not (_COLUMN.fullmatch(column) and _ROW.fullmatch(row)):
        return None
    letter, beyond = column[-1].upper(), int(column[:-1] or 0)
    number = ord(letter) - ord("A") + (beyond if letter == "Z" else -beyond)
    return Cell(number % WRAP, int(row) % WRAP)
