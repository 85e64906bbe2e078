"""The entries of a game's history: moves, and seats that left a game which continued without them.

A seat that leaves is an entry such as ``!1``. It is not a move and does not count as a ply. A move that several seats
make together is joint (``a/b``): it has a part for each of them, in seat order.
"""

from collections.abc import Sequence

FORFEIT = "!"
"""How the entry of a seat that left begins."""


def is_move(entry: str) -> bool:
    """Whether an entry is a move, and so a ply."""
    return not entry.startswith(FORFEIT)


def moves_of(history: Sequence[str]) -> list[str]:
    """The moves of a history, by ply from 0."""
    return [entry for entry in history if is_move(entry)]


def parts_of(move: str, movers: int) -> list[str]:
    """The part of each of the seats that made a move together; the whole move if one seat made it.

    ValueError if the move does not have as many parts.
    """
    parts = move.split("/") if movers > 1 else [move]
    if len(parts) != movers:
        raise ValueError(f"{move!r} does not have {movers} parts")
    return parts


def entries_until(history: Sequence[str], ply: int) -> int:
    """How many entries lead to the position after ``ply`` moves, including the seats that left in that position."""
    moves = [index for index, entry in enumerate(history) if is_move(entry)]
    return moves[ply] if ply < len(moves) else len(history)
