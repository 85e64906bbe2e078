"""Hive in characters: rows of hexagons, each shifted by half a cell."""

from collections.abc import Mapping
from typing import Any

from engines.text_boards.drawing import Drawing

HALF = 3
"""Characters of half a hexagon."""


def _draw(view: Mapping[str, Any]) -> str:
    cells = {(cell["q"], cell["r"]): cell["pieces"] for cell in view["cells"]}
    return "\n".join(filter(None, (_rows(cells), *_stacks(cells), *_hands(view["hands"]))))


def _rows(cells: Mapping[tuple[int, int], list[str]]) -> str:
    """The top pieces. A cell's column, in half hexagons, is 2q + r: the east is one q, the south-east one r."""
    if not cells:
        return "the board is empty"
    columns = [2 * q + r for q, r in cells]
    first, last = min(columns), max(columns)
    lines = []
    for row in range(min(r for _, r in cells), max(r for _, r in cells) + 1):
        begin = first + (first + row) % 2
        inside = [_top(cells.get(((column - row) // 2, row))) for column in range(begin, last + 1, 2)]
        lines.append(" " * (HALF * (begin - first)) + "".join(f"{text:<{2 * HALF}}" for text in inside))
    return "\n".join(line.rstrip() for line in lines)


def _top(pieces: list[str] | None) -> str:
    if pieces is None:
        return "."
    return pieces[-1] + ("^" if len(pieces) > 1 else "")


def _stacks(cells: Mapping[tuple[int, int], list[str]]) -> list[str]:
    return [
        f"stack, bottom to top: {' '.join(pieces)}" for _, pieces in sorted(cells.items()) if len(pieces) > 1
    ]


def _hands(hands: list[list[str]]) -> list[str]:
    colours = ("White", "Black")
    return [
        f"in hand of seat {seat} ({colours[seat]}): {' '.join(hand) or '-'}"
        for seat, hand in enumerate(hands)
    ]


DRAWING = Drawing(
    (
        "Pieces are named as in moves (w and b: White and Black). The neighbours of a piece are left and right of it, "
        "and half a cell to the side in the rows above and below; . is an empty cell, ^ a piece on top of others. "
        "In hand: of each insect, the pieces that can be placed next.",
    ),
    _draw,
    frozenset({"cells", "hands"}),
)
