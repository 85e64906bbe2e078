"""PyRat in characters: the maze with its mud, the cheese and the players."""

from collections.abc import Mapping
from typing import Any

from engines.text_boards.drawing import Drawing
from engines.text_boards.walled_grid import Cell, draw_grid, joined, numbers

RIGHT, DOWN = 2, 4
"""Bits of a cell's exits; UP and LEFT are those of its neighbours."""

LONGEST = 9
"""The most turns of mud that fit in the drawing; longer ones are listed below it."""

PLAYERS = "RP"
"""The marks of Rat and Python."""


def _draw(view: Mapping[str, Any]) -> str:
    width, height = view["width"], view["height"]
    marks = [(_place(one["cell"], height), mark) for one, mark in zip(view["players"], PLAYERS, strict=True)]
    marks += [(_place(cell, height), "*") for cell in view["cheese"]]
    right, above = _lines(view)
    rows = [str(height - 1 - row) for row in range(height)]
    deep = [
        f"mud between {one[0]},{one[1]} and {other[0]},{other[1]}: {turns} turns"
        for one, other, turns in view["mud"]
        if turns > LONGEST
    ]
    return "\n".join((draw_grid(numbers(width), rows, joined(marks), right, above, 3), *deep))


def _place(cell: list[int], height: int) -> Cell:
    """A cell of the view, whose y grows upwards, in the drawing."""
    return cell[0], height - 1 - cell[1]


def _lines(view: Mapping[str, Any]) -> tuple[dict[Cell, str], dict[Cell, str]]:
    """Walls and mud to the right of cells and above them."""
    width, height = view["width"], view["height"]
    right: dict[Cell, str] = {}
    above: dict[Cell, str] = {}
    for y, row in enumerate(view["exits"]):
        for x, digit in enumerate(row):
            exits = int(digit, 16)
            if x + 1 < width and not exits & RIGHT:
                right[x, height - 1 - y] = "|"
            if y > 0 and not exits & DOWN:
                above[x, height - y] = "-"
    for one, other, turns in view["mud"]:
        low = min(one, other)
        (above if one[0] == other[0] else right)[_place(low, height)] = _digit(turns)
    return right, above


def _digit(turns: int) -> str:
    """The turns that mud takes, in one character."""
    return str(turns) if turns <= LONGEST else "~"


DRAWING = Drawing(
    (
        "R: Rat (seat 0), P: Python (seat 1), *: cheese. | and --- are walls; a number between two cells is mud, and "
        "the turns it takes to cross (~: see below). x is above the board, y at its left; UP is y + 1.",
    ),
    _draw,
    frozenset({"width", "height", "exits", "mud", "cheese"}),
)
