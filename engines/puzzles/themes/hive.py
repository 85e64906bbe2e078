"""The themes of Hive: how fast the other Queen is surrounded, what a move saves, and which bug makes it."""

from collections.abc import Iterator
from typing import Final

from engines import Position, Search
from engines.puzzles.checks import PuzzleMove

TITLES: Final = {
    "surround-in-1": "Surround in 1",
    "surround-in-2": "Surround in 2",
    "surround-in-3": "Surround in 3",
    "forced-win": "Forced win",
    "save-the-queen": "Save the Queen",
    "placement": "Placing a bug",
    "throw": "Moving the other's bug",
    "climb": "Climbing the hive",
    "queen": "Queen Bee",
    "spider": "Spider",
    "beetle": "Beetle",
    "grasshopper": "Grasshopper",
    "ant": "Soldier Ant",
    "mosquito": "Mosquito",
    "ladybug": "Ladybug",
    "pillbug": "Pillbug",
}

_BUGS: Final = {
    "Q": "queen",
    "S": "spider",
    "B": "beetle",
    "G": "grasshopper",
    "A": "ant",
    "M": "mosquito",
    "L": "ladybug",
    "P": "pillbug",
}

_SHORT: Final = (1, 2, 3)

_MOST_NODES: Final = 5_000_000
"""Of a search that is to prove a win in so many moves."""

_DIRECTIONS: Final = ("-", "/", "\\")


def themes(position: Position, asked: PuzzleMove) -> Iterator[str]:
    """The themes of a position with its best move."""
    if asked.rival.best_share == 1.0:
        yield _win(position)
    elif asked.rival.share == 0.0:
        yield "save-the-queen"
    yield from _of_move(position, asked.best, asked.seat)


def _win(position: Position) -> str:
    """Without reductions, a search of so many plies finds every win in them."""
    for moves in _SHORT:
        options = {"search": "alphabeta", "maxDepth": 2 * moves - 1, "reductions": False, "hashMB": 64}
        search = Search(position, "native", options)
        done = search.run(_MOST_NODES)
        if search.report(0).values[position.to_act[0]] == 1.0:
            return f"surround-in-{moves}"
        if done == _MOST_NODES:
            break
    return "forced-win"


def _of_move(position: Position, move: str, seat: int) -> Iterator[str]:
    piece, _, target = move.partition(" ")
    if piece[0] != "wb"[seat]:
        yield "throw"
        return
    if not _is_in_play(position, piece):
        yield "placement"
    elif not target.startswith(_DIRECTIONS) and not target.endswith(_DIRECTIONS):
        yield "climb"
    yield _BUGS[piece[1]]


def _is_in_play(position: Position, piece: str) -> bool:
    return any(piece in cell["pieces"] for cell in position.view()["cells"])
