"""Words of the text protocol: cells, walls, mud, directions, and the split of lines into words.

Both sides use these. The reader accepts repeated spaces and unknown trailing words; the writer uses single spaces.
Cells are ``(x,y)`` without spaces, from 0,0 at the bottom left. "rat" is seat 0, "python" seat 1.
"""

import re
from collections.abc import Iterable, Sequence

from protocols.session import RemoteError

GAME = "pyrat"
SEAT_NAMES = ("rat", "python")
DIRECTIONS = ("UP", "RIGHT", "DOWN", "LEFT", "STAY")
STAY = "STAY"

MAX_BOT_LINE_BYTES = 16_384
"""The longest line that a host reads."""

MAX_HOST_LINE_BYTES = 1 << 20
"""The longest line that our bot reads: a board of 64x64 cells has up to 8,064 walls, of up to 15 letters each."""

Cell = tuple[int, int]
Edge = tuple[Cell, Cell]
Mud = tuple[Cell, Cell, int]

_CELL = re.compile(r"\((\d{1,3}),(\d{1,3})\)", re.ASCII)
_EDGE = re.compile(r"\((\d{1,3}),(\d{1,3})\)-\((\d{1,3}),(\d{1,3})\)(?::(\d{1,4}))?", re.ASCII)
_COUNT = re.compile(r"\d{1,9}", re.ASCII)
_SCORE = re.compile(r"\d{1,5}(?:\.\d{1,3})?", re.ASCII)


class BadLine(RemoteError):
    """A line of the peer cannot be read; the text says why."""


def cell_text(cell: Sequence[int]) -> str:
    """``(x,y)``."""
    x, y = cell
    return f"({x},{y})"


def edge_text(edge: Sequence[Sequence[int]]) -> str:
    """``(x,y)-(x,y)``."""
    return f"{cell_text(edge[0])}-{cell_text(edge[1])}"


def mud_text(mud: tuple[Sequence[int], Sequence[int], int]) -> str:
    """``(x,y)-(x,y):N``."""
    return f"{edge_text(mud[:2])}:{mud[2]}"


def read_cell(word: str) -> Cell:
    """Reads ``(x,y)``. Raises BadLine."""
    found = _CELL.fullmatch(word)
    if found is None:
        raise BadLine(f"{word[:40]!r} is not a cell (x,y)")
    return int(found[1]), int(found[2])


def read_wall(word: str) -> Edge:
    """Reads ``(x,y)-(x,y)``. Raises BadLine."""
    found = _EDGE.fullmatch(word)
    if found is None or found[5] is not None:
        raise BadLine(f"{word[:40]!r} is not a wall (x,y)-(x,y)")
    return (int(found[1]), int(found[2])), (int(found[3]), int(found[4]))


def read_mud(word: str) -> Mud:
    """Reads ``(x,y)-(x,y):N``. Raises BadLine."""
    found = _EDGE.fullmatch(word)
    if found is None or found[5] is None:
        raise BadLine(f"{word[:40]!r} is not mud (x,y)-(x,y):N")
    return (int(found[1]), int(found[2])), (int(found[3]), int(found[4])), int(found[5])


def read_direction(word: str) -> str:
    """Reads a direction in any case. Raises BadLine."""
    if word.upper() not in DIRECTIONS:
        raise BadLine(f"{word[:40]!r} is not a direction: {', '.join(DIRECTIONS)}")
    return word.upper()


def read_count(word: str) -> int:
    """Reads a whole number of up to nine digits. Raises BadLine."""
    if _COUNT.fullmatch(word) is None:
        raise BadLine(f"{word[:40]!r} is not a whole number")
    return int(word)


def read_score(word: str) -> float:
    """Reads a number of points. Raises BadLine."""
    if _SCORE.fullmatch(word) is None:
        raise BadLine(f"{word[:40]!r} is not a number of points")
    return float(word)


def score_text(score: float) -> str:
    """Points without needless digits: ``3``, ``2.5``."""
    return f"{score:g}"


def read_members(words: Iterable[str]) -> dict[str, str]:
    """Reads words ``key:value``; if a key is repeated, the last one counts. Raises BadLine."""
    members = {}
    for word in words:
        key, colon, value = word.partition(":")
        if not colon:
            raise BadLine(f"{word[:40]!r} is not key:value")
        members[key.lower()] = value
    return members


def member(members: dict[str, str], key: str) -> str:
    """The value of a key. Raises BadLine if it is missing."""
    if key not in members:
        raise BadLine(f"{key}: is missing")
    return members[key]


def per_seat(words: Iterable[str]) -> tuple[str, str]:
    """Reads ``rat:… python:…`` in any order. Raises BadLine."""
    members = read_members(words)
    return member(members, SEAT_NAMES[0]), member(members, SEAT_NAMES[1])


def per_seat_text(rat: str, python: str) -> str:
    """``rat:… python:…``."""
    return f"rat:{rat} python:{python}"
