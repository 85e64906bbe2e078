"""Writes games of Hive in the formats of boardspace.net, current and old, for testing its reader."""

from collections.abc import Iterator
from dataclasses import dataclass

from engines import Position

TYPES = {"Base": "hive", "Base+MLP": "hive-plm", "Base+P": "hive-p"}
BUGS = "QAGBSMLP"
"""The order of bugs in a rack."""


@dataclass(frozen=True)
class Dialect:
    """Differences between files.

    ``column``, ``row``: the first piece's cell, 0 to 25. ``has_colors``: piece names include the colour; otherwise they
    and the actions are in lower case. ``has_passes``: forced passes are written.
    """

    column: int = 13
    row: int = 13
    has_colors: bool = True
    has_passes: bool = True


def write(game: Position, dialect: Dialect, result: str = "") -> str:
    """The file of a game."""
    head = [f"GM[27]VV[1]\nSU[{TYPES[game.variant]} 2 0 101]", 'P0[id "Ada"]', 'P1[id "Bo"]', f"RE[{result}]"]
    nodes = [f"; {action}" for action in _numbered(_actions(game, dialect))]
    return "\n".join(["(;", *head, *nodes, 'P0[time "0:01:12 "]', ")\n"])


def _numbered(actions: Iterator[tuple[int, str]]) -> Iterator[str]:
    yield "P0[0 Start P0]"
    for number, (player, action) in enumerate(actions, start=1):
        yield f"P{player}[{number} {action}]TM[{number * 100}]"


def _actions(game: Position, dialect: Dialect) -> Iterator[tuple[int, str]]:
    """The actions of all turns, each with its player."""
    position = Position("hive", game.variant, game.config)
    for ply, move in enumerate(game.history):
        position.play(move)
        if move == "pass" and not dialect.has_passes:
            continue
        turn = ["Pass"] if move == "pass" else list(_turn(position, dialect))
        for action in (*turn, "Done"):
            yield ply % 2, action if dialect.has_colors else _old(action)


def _turn(position: Position, dialect: Dialect) -> Iterator[str]:
    """The actions of the last move; alternately one action, or picking up and putting down."""
    moved = position.view()["lastMove"]
    piece = f"{moved['piece']}1" if moved["piece"][1] in "MLP" else moved["piece"]
    color, bug = piece[0].upper(), piece[1]
    cell = _cell(moved["to"], dialect)
    if position.ply % 3 == 0:
        yield f"Move {color} {piece} {cell} {_remark(position)}"
        return
    start = (
        f"Pick {color} {BUGS.index(bug)}"
        if moved["from"] is None
        else f"Pickb {_cell(moved['from'], dialect)}"
    )
    yield f"{start} {piece}"
    yield f"{'Dropb' if color == 'WB'[(position.ply - 1) % 2] else 'PDropb'} {piece} {cell} {_remark(position)}"


def _remark(position: Position) -> str:
    """The neighbour, escaped for SGF, or a placeholder."""
    _, _, neighbour = position.history[-1].partition(" ")
    return neighbour.replace("\\", "\\\\") if neighbour and position.ply % 5 else "."


def _cell(at: dict[str, int], dialect: Dialect) -> str:
    column, row = (dialect.column + at["q"]) % 26, (dialect.row - at["r"]) % 26
    return f"{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[column]} {row + 1}"


def _old(action: str) -> str:
    """The action in lower case, its piece without a colour unless it is the opponent's."""
    words = action.split(" ")
    command = words[0].lower()
    if command in ("pick", "move"):
        where = -1 if command == "pick" else 2
        words[where] = words[where][1:].lower()
    elif command in ("pickb", "dropb"):
        where = -1 if command == "pickb" else 1
        words[where] = words[where][1:].lower()
    return " ".join([command, *words[1:]])
