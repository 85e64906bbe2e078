"""A rectangular board with something between its cells, such as walls."""

from collections.abc import Callable, Mapping, Sequence

Cell = tuple[int, int]
"""Column and row of the drawing, from the top left."""


def draw_grid(
    columns: Sequence[str],
    rows: Sequence[str],
    cells: Mapping[Cell, str],
    right: Mapping[Cell, str],
    above: Mapping[Cell, str],
    width: int,
) -> str:
    """The board with the names of its ``columns`` above and of its ``rows`` at the left.

    ``right`` and ``above`` have one character for the line to the right of a cell and the one above it; a missing one
    is open. ``width``: the characters of a cell.
    """
    margin, blank = max(map(len, rows)) + 1, " " * width
    shown = {cell: f"{text:^{width}}" for cell, text in cells.items()}
    lines_above = {line: _level(line, width) for line in {" ", *above.values()}}
    frame = " " * margin + "+" + "+".join("-" * width for _ in columns) + "+"
    lines = [" " * margin + "".join(f" {name:^{width}}" for name in columns)]
    for row, name in enumerate(rows):
        between = [lines_above[above.get((column, row), " ")] for column in range(len(columns))]
        lines.append(frame if row == 0 else " " * margin + "+" + "+".join(between) + "+")
        inside = [
            shown.get((column, row), blank) + right.get((column, row), " ")
            for column in range(len(columns) - 1)
        ]
        last = shown.get((len(columns) - 1, row), blank)
        lines.append(f"{name:>{margin - 1}} |{''.join(inside)}{last}|")
    return "\n".join(line.rstrip() for line in (*lines, frame))


def _level(line: str, width: int) -> str:
    return line * width if line in " -" else f"{line:^{width}}"


def letters(count: int) -> list[str]:
    """The names of columns: a, b, and so on."""
    return [chr(ord("a") + column) for column in range(count)]


def numbers(count: int) -> list[str]:
    """The coordinates from 0 on."""
    return list(map(str, range(count)))


def joined(marks: Sequence[tuple[Cell, str]], name: Callable[[list[str]], str] = "".join) -> dict[Cell, str]:
    """What is in each cell, from the marks that lie there."""
    found: dict[Cell, list[str]] = {}
    for cell, mark in marks:
        found.setdefault(cell, []).append(mark)
    return {cell: name(inside) for cell, inside in found.items()}
