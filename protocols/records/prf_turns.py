"""The part of a PRF record below its tags: the lines of the start, and the turns.

Ignored: comments (``{…}`` over any number of lines, ``;`` and ``#`` to the end of the line), and the marks ``!`` and
``?`` (preprocessing and postprocessing done). Read and written by ``prf``, which knows what the lines mean.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from protocols.records.record import RecordError

LATE: Final = "*"
"""A player whose time ran out, and who stayed."""

LETTERS: Final[Mapping[str, str]] = {
    "U": "UP",
    "R": "RIGHT",
    "D": "DOWN",
    "L": "LEFT",
    "S": "STAY",
    LATE: "STAY",
}
"""Directions by their letters."""

_LETTER_OF: Final = {direction: letter for letter, direction in LETTERS.items() if letter != LATE}
_COMMENT = re.compile(r"\{[^}]*(\}|\Z)|[;#][^\n]*")
_SECTION = re.compile(r"([WMCRP])[ \t]*:(.*)")
_TURN = re.compile(r"\s*(\d{1,6})\s*\.\s*([URDLS*])\s*/\s*([URDLS*])(?:\s*\((.*?)\))?", re.ASCII)
_TIMES = re.compile(r"\s*(\d{1,10})\s*ms\s*/\s*(\d{1,10})\s*ms\s*", re.ASCII)
_CELL: Final = r"\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)"
_ITEMS: Final = {
    "W": (re.compile(rf"\s*{_CELL}\s*-\s*{_CELL}", re.ASCII), "a wall is written (x,y)-(x,y)"),
    "M": (
        re.compile(rf"\s*{_CELL}\s*-\s*{_CELL}\s*:\s*(\d{{1,3}})", re.ASCII),
        "mud is written (x,y)-(x,y):cost",
    ),
    **dict.fromkeys("CRP", (re.compile(rf"\s*{_CELL}", re.ASCII), "a cell is written (x,y)")),
}


@dataclass(frozen=True, slots=True)
class Section:
    """A line of the start: its entries as in a configuration (cells, pairs of cells, pairs with a cost)."""

    cells: list[Any]
    line: int


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as a joint move, the seats that were late, the milliseconds of each player if stated, and the line."""

    move: str
    late: tuple[int, ...]
    times: tuple[int, int] | None
    line: int


@dataclass(frozen=True, slots=True)
class MazeText:
    """A record below its tags: the lines of the start by their letter, and the turns."""

    sections: dict[str, Section]
    turns: tuple[Turn, ...]


# ---- writing -------------------------------------------------------------------------------------


def write(
    moves: Sequence[str], late: Sequence[Sequence[int]], times: Sequence[tuple[int, int]] | None
) -> str:
    """A line for each joint move, with the seats that were late in it.

    ``times``: the milliseconds of both players in each turn.
    """
    spent = [""] * len(moves) if times is None else [f" ({rat}ms/{python}ms)" for rat, python in times]
    turns = enumerate(zip(moves, late, spent, strict=True), start=1)
    return "".join(f"{number}. {_letters(move, seats)}{took}\n" for number, (move, seats, took) in turns)


def _letters(move: str, late: Sequence[int]) -> str:
    parts = enumerate(move.split("/"))
    return "/".join(LATE if seat in late else _LETTER_OF[direction] for seat, direction in parts)


# ---- reading -------------------------------------------------------------------------------------


def read(text: str, first_line: int) -> MazeText:
    """Parses the text. Raises RecordError, naming the line."""
    sections: dict[str, Section] = {}
    turns: list[Turn] = []
    for number, line in enumerate(_without_comments(text, first_line).split("\n"), start=first_line):
        stripped = line.strip().strip("!?").strip()
        section = _SECTION.fullmatch(stripped)
        if section is None:
            turns += _turns(stripped, number, len(turns))
        elif turns:
            raise RecordError(f"line {number}: {section[1]}: comes after the first turn")
        elif section[1] in sections:
            raise RecordError(
                f"line {number}: {section[1]}: was given in line {sections[section[1]].line} already"
            )
        else:
            sections[section[1]] = Section(_items(section[1], section[2], number), number)
    return MazeText(sections, tuple(turns))


def _without_comments(text: str, first_line: int) -> str:
    """Removes comments and keeps line breaks. Raises RecordError for a comment that is not closed."""

    def blank(comment: re.Match[str]) -> str:
        if comment[0].startswith("{") and not comment[1]:
            line = first_line + text.count("\n", 0, comment.start())
            raise RecordError(f"line {line}: the comment that begins with {{ is not closed by }}")
        return "\n" * comment[0].count("\n")

    return _COMMENT.sub(blank, text)


def _items(name: str, text: str, line: int) -> list[Any]:
    pattern, form = _ITEMS[name]
    found, end = [], 0
    while item := pattern.match(text, end):
        found.append(_item([int(number) for number in item.groups()]))
        end = item.end()
    rest = text[end:].strip()
    if rest:
        raise RecordError(f"line {line}: {rest[:40]!r} in {name}: {form}")
    return found


def _item(numbers: list[int]) -> list[Any]:
    if len(numbers) == 2:
        return numbers
    return [numbers[:2], numbers[2:4], *numbers[4:]]


def _turns(text: str, line: int, played: int) -> list[Turn]:
    """The turns of a line, which usually has one."""
    found: list[Turn] = []
    end = 0
    while turn := _TURN.match(text, end):
        due = played + len(found) + 1
        if int(turn[1]) != due:
            raise RecordError(f"line {line}: turn {turn[1]} found where {due} was expected")
        letters = turn.group(2, 3)
        move = "/".join(LETTERS[letter] for letter in letters)
        late = tuple(seat for seat, letter in enumerate(letters) if letter == LATE)
        found.append(Turn(move, late, _times(turn[4], line), line))
        end = turn.end()
    rest = text[end:].strip()
    if rest:
        raise RecordError(f"line {line}: {rest[:40]!r} is not a turn such as 1. U/L, with U, R, D, L, S or *")
    return found


def _times(text: str | None, line: int) -> tuple[int, int] | None:
    if text is None:
        return None
    match = _TIMES.fullmatch(text)
    if match is None:
        raise RecordError(f"line {line}: ({text[:40]}) is not a pair of times such as (12ms/340ms)")
    return int(match[1]), int(match[2])
