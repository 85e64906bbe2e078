"""The notation of puzzles of the old wallwars.net, for reading only: ``d2; b2 b3v; c3, c4 a4>``.

Rows count from the **top**: ``c2`` the cat goes to c2, ``a4>`` a wall right of a4, ``d2v`` a wall **below** d2.
A blank joins the actions of a turn, a comma parts alternatives, of which the first is taken, a semicolon parts
turns; player 1 has the first. Tags above the turns name the start as in the Wallwars format; without them it is
that of classic on the old site's board. The result is not told.
"""

import re
from typing import Final

from protocols.records import tags as head
from protocols.records.record import Reading, Record, RecordError, Seat
from protocols.records.tags import Tag
from protocols.records.wallwars import GAME, read_start

VARIANT: Final = "classic"
BOARD: Final = "12x10"

_ACTION = re.compile(r"([a-z])([1-9]\d?)([>vV]?)", re.ASCII)
_WHOLE = re.compile(r"\s*[a-z]\d{1,2}[>vV]?(?:[\s;,]|[a-z]\d{1,2}[>vV]?)*", re.ASCII)


def looks_like(text: str) -> bool:
    """Whether nothing but such actions stands below the tags."""
    try:
        return _WHOLE.fullmatch(head.split(text).body) is not None
    except RecordError:
        return False


def read(text: str) -> Reading:
    """The record; RecordError names the turn."""
    parts = head.split(text)
    tags, notes = parts.tags, []
    if "Board" not in tags:
        notes.append(f"There is no [Board …]: {BOARD} is assumed.")
    variant, config = read_start({"Board": Tag(BOARD, parts.first_line), **tags}, VARIANT)
    moves = []
    for number, turn in enumerate(_turns(parts.body), start=1):
        first, *others = turn.split(",")
        if others:
            notes.append(f"Turn {number} has {len(others) + 1} alternatives: the first is taken.")
        moves.append(_move(first, number, config["boardHeight"]))
    return Reading(Record(GAME, variant, config, (Seat(), Seat()), tuple(moves)), tuple(notes))


def _turns(body: str) -> list[str]:
    turns = body.split(";")
    return turns if turns[-1].strip() else turns[:-1]


def _move(text: str, number: int, height: int) -> str:
    actions = text.split()
    if not actions:
        raise RecordError(f"turn {number} is empty")
    return ".".join(_action(action, number, height) for action in actions)


def _action(text: str, number: int, height: int) -> str:
    """The action in today's notation: its rows count from the bottom, its walls lie right of a cell or above it."""
    match = _ACTION.fullmatch(text)
    if match is None:
        raise RecordError(f"turn {number}: {text[:40]!r} is no action: c2, a4> or d2v")
    column, row, wall = match[1], height + 1 - int(match[2]), match[3].lower()
    if row < 1 or (wall == "v" and row < 2):
        raise RecordError(f"turn {number}: {text!r} is not on a board of {height} rows")
    return {"": f"C{column}{row}", ">": f">{column}{row}", "v": f"^{column}{row - 1}"}[wall]
