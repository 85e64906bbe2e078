"""The notation of puzzles of the old wallwars.net, read-only: ``d2; b2 b3v; c3, c4 a4>``.

Rows count from the **top**: ``c2`` moves the cat to c2, ``a4>`` is a wall right of a4, ``d2v`` a wall **below** d2.
Spaces separate the actions of a turn, commas separate alternatives, of which the first one is used, and semicolons
separate turns; player 1 moves first. Tags above the turns give the start, as in the Wallwars format; without them, it
is that of classic on the old site's board. Results are not recorded.
"""

import re
from typing import Final

from protocols.records import tags as head
from protocols.records.record import Reading, RecordError
from protocols.records.tags import Tag
from protocols.records.wallwars import GAME, read_start
from protocols.values import Record, Seat, SeatKind

VARIANT: Final = "classic"
BOARD: Final = "12x10"

_ACTION = re.compile(r"([a-z])([1-9]\d?)([>vV]?)", re.ASCII)
_WHOLE = re.compile(r"\s*[a-z]\d{1,2}[>vV]?(?:[\s;,]|[a-z]\d{1,2}[>vV]?)*", re.ASCII)


def looks_like(text: str) -> bool:
    """Whether the text after the tags consists of such actions only."""
    try:
        return _WHOLE.fullmatch(head.split(text).body) is not None
    except RecordError:
        return False


def read(text: str) -> Reading:
    """Reads a record. Raises RecordError, naming the turn."""
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
    seats = (Seat(SeatKind.HUMAN),) * 2
    return Reading(Record(GAME, variant, config, seats, tuple(moves)), tuple(notes))


def _turns(body: str) -> list[str]:
    turns = body.split(";")
    return turns if turns[-1].strip() else turns[:-1]


def _move(text: str, number: int, height: int) -> str:
    actions = text.split()
    if not actions:
        raise RecordError(f"turn {number} is empty")
    return ".".join(_action(action, number, height) for action in actions)


def _action(text: str, number: int, height: int) -> str:
    """The action in current notation, in which rows count from the bottom and walls are right of a cell or above it."""
    match = _ACTION.fullmatch(text)
    if match is None:
        raise RecordError(f"turn {number}: {text[:40]!r} is not an action: c2, a4> or d2v")
    column, row, wall = match[1], height + 1 - int(match[2]), match[3].lower()
    if row < 1 or (wall == "v" and row < 2):
        raise RecordError(f"turn {number}: {text!r} is not on a board of {height} rows")
    return {"": f"C{column}{row}", ">": f">{column}{row}", "v": f"^{column}{row - 1}"}[wall]
