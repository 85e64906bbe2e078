"""Carcassonne in characters: a grid of tiles, with their meeples in a list."""

from collections.abc import Mapping
from typing import Any

from engines.text_boards.drawing import Drawing

WIDTH = 8
"""Characters of a tile: letter, rotation, and the seat of its meeple."""


def _draw(view: Mapping[str, Any]) -> str:
    tiles = {(tile["x"], tile["y"]): f"{tile['tile']}{tile['rotation']}" for tile in view["tiles"]}
    for meeple in view["meeples"]:
        tiles[meeple["x"], meeple["y"]] += f"*{meeple['seat']}"
    columns = range(min(x for x, _ in tiles), max(x for x, _ in tiles) + 1)
    rows = range(max(y for _, y in tiles), min(y for _, y in tiles) - 1, -1)
    head = f"{'':>5} " + "".join(f"{f'x={x}':<{WIDTH}}" for x in columns)
    lines = [f"{f'y={y}':>5} " + "".join(f"{tiles.get((x, y), '.'):<{WIDTH}}" for x in columns) for y in rows]
    meeples = [
        f"meeple of seat {one['seat']}: {one['x']},{one['y']} {one['spot']}" for one in view["meeples"]
    ]
    return "\n".join(line.rstrip() for line in (head, *lines, *meeples))


DRAWING = Drawing(
    (
        "Tiles: letter and rotation (degrees clockwise), *n with a meeple of seat n. x grows to the east (right), "
        "y to the north (up); . is no tile. tile is the one to place now, unseen how many of each are left.",
    ),
    _draw,
    frozenset({"tiles", "meeples"}),
)
