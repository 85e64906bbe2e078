"""The cross table of a tournament as text: what everybody has scored against everybody, as CSV and for people."""

import csv
import io
from collections.abc import Mapping, Sequence

from engines.tournament_table import Meeting, Row

Points = Mapping[tuple[int, int], float]
"""The points of a player against another one, for those who have met."""


def points_against(meetings: Sequence[Meeting]) -> Points:
    """The points of everybody against everybody."""
    scored: dict[tuple[int, int], float] = {}
    for meeting in meetings:
        for player, won in zip(meeting.players, meeting.points, strict=True):
            pair = player, meeting.opponent(player)
            scored[pair] = scored.get(pair, 0.0) + won
    return scored


def cells(row: Row, rows: Sequence[Row], points: Points) -> list[str]:
    """The points of a row's player against those of all rows; empty for those that it has not met."""
    found = [points.get((row.player, other.player)) for other in rows]
    return ["" if won is None else f"{won:g}" for won in found]


def cross_table_csv(
    head: str,
    names: Sequence[str],
    rows: Sequence[Row],
    meetings: Sequence[Meeting],
    tie_breaks: Sequence[str],
) -> str:
    """The cross table as CSV, a line for each player. ``head`` is the title of the column of names."""
    points, text = points_against(meetings), io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["place", head, "points", "byes", *tie_breaks, *(names[row.player] for row in rows)])
    for row in rows:
        broken = [f"{value:g}" for value in row.tie_breaks.values()]
        own = [row.place, names[row.player], f"{row.points:g}", row.byes, *broken]
        writer.writerow([*own, *cells(row, rows, points)])
    return text.getvalue()


def cross_table_text(names: Sequence[str], rows: Sequence[Row], meetings: Sequence[Meeting]) -> str:
    """The cross table in columns; those of the opponents are numbered by the lines, from 1.

    Byes have a column only if there are any.
    """
    points = points_against(meetings)
    numbers = [str(number) for number in range(1, len(rows) + 1)]
    has_byes = any(row.byes for row in rows)
    lines = [["", "", "points", *(["byes"] if has_byes else []), *numbers]]
    for number, row in zip(numbers, rows, strict=True):
        own = [number, names[row.player], f"{row.points:g}", *([str(row.byes)] if has_byes else [])]
        lines.append([*own, *cells(row, rows, points)])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "".join(_line(line, widths) for line in lines)


def _line(line: Sequence[str], widths: Sequence[int]) -> str:
    number, name, *figures = line
    aligned = [figure.rjust(width) for figure, width in zip(figures, widths[2:], strict=True)]
    return "  ".join([number.rjust(widths[0]), name.ljust(widths[1]), *aligned]).rstrip() + "\n"
