"""Wallwars in characters: pawns as letters, walls as lines."""

from collections.abc import Mapping
from typing import Any

from engines.text_boards.drawing import Drawing
from engines.text_boards.walled_grid import draw_grid, joined, letters

PAWNS = {
    ("p1", "cat"): "C",
    ("p1", "mouse"): "M",
    ("p1", "home"): "H",
    ("p2", "cat"): "c",
    ("p2", "mouse"): "m",
    ("p2", "home"): "h",
}


def _draw(view: Mapping[str, Any]) -> str:
    width, height = view["boardWidth"], view["boardHeight"]
    marks = [
        ((column, row), PAWNS[player, pawn])
        for player, pawns in view["pawns"].items()
        for pawn, (row, column) in pawns.items()
    ]
    lines = {
        kind: {
            (wall["cell"][1], wall["cell"][0]): line for wall in view["walls"] if wall["orientation"] == kind
        }
        for kind, line in (("vertical", "|"), ("horizontal", "-"))
    }
    rows = [str(height - row) for row in range(height)]
    return draw_grid(letters(width), rows, joined(marks), lines["vertical"], lines["horizontal"], 4)


DRAWING = Drawing(
    (
        "C, M, H: cat, mouse and home of seat 0 (player 1); c, m, h: those of seat 1 (player 2). | and ---- are walls. "
        "Columns have letters, rows numbers from the bottom.",
    ),
    _draw,
    frozenset({"boardWidth", "boardHeight", "pawns", "walls"}),
)
