"""The themes of PyRat: what is on the next cell."""

from collections.abc import Iterator
from typing import Final

from engines import Position
from engines.puzzles.checks import PuzzleMove

TITLES: Final = {
    "cheese": "Cheese now",
    "mud": "Through the mud",
    "stay": "Staying",
    "way": "The right way",
}

_STEPS: Final = {"UP": (0, 1), "RIGHT": (1, 0), "DOWN": (0, -1), "LEFT": (-1, 0), "STAY": (0, 0)}


def themes(position: Position, asked: PuzzleMove) -> Iterator[str]:
    """The themes of a position with its best move for the seat."""
    view = position.view()
    cheese = {tuple(cell) for cell in view["cheese"]}
    at = tuple(view["players"][asked.seat]["cell"])
    target = _after(at, asked.best)
    is_mud = any({at, target} == {tuple(one), tuple(two)} for one, two, _ in view["mud"])
    if is_mud:
        yield "mud"
    elif target in cheese:
        yield "cheese"
    elif asked.best == "STAY":
        yield "stay"
    else:
        yield "way"


def _after(cell: tuple[int, ...], move: str) -> tuple[int, ...]:
    return tuple(one + step for one, step in zip(cell, _STEPS[move], strict=True))
