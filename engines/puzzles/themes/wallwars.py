"""The themes of Wallwars: what a move does, and how it changes the shortest ways of the cats."""

from collections import deque
from collections.abc import Iterator
from typing import Any, Final

from engines import Position
from engines.puzzles.checks import PuzzleMove

TITLES: Final = {
    "win-in-1": "Win in 1",
    "win": "Forced win",
    "save": "Every other move loses",
    "run": "Running",
    "step-and-wall": "Step and wall",
    "walls": "Two walls",
    "mouse": "Moving the mouse",
    "block": "Lengthening the other's way",
}

Cell = tuple[int, int]

_STEPS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))


def themes(position: Position, asked: PuzzleMove) -> Iterator[str]:
    """The themes of a position with its best move."""
    before, after = position.view(), position.after(asked.best, asked.seat)
    if after.outcome is not None:
        yield "win-in-1"
    elif asked.rival.best_share == 1.0:
        yield "win"
    elif asked.rival.share == 0.0:
        yield "save"
    yield _kind(asked.best)
    if "M" in asked.best:
        yield "mouse"
    if after.outcome is None and _way(after.view(), 1 - asked.seat) > _way(before, 1 - asked.seat):
        yield "block"


def _kind(move: str) -> str:
    walls = sum(action[0] in "^>" for action in move.split("."))
    return ("run", "step-and-wall", "walls")[walls]


def _way(view: dict[str, Any], seat: int) -> int:
    """The length of the shortest way of a seat's cat to what it runs to."""
    pawns = view["pawns"]
    own, other = pawns[f"p{seat + 1}"], pawns[f"p{2 - seat}"]
    start, goal = tuple(own["cat"]), tuple(own.get("home") or other["mouse"])
    walls = {(*wall["cell"], wall["orientation"]) for wall in view["walls"]}
    lengths, queue = {start: 0}, deque([start])
    while queue and goal not in lengths:
        cell = queue.popleft()
        for step in _STEPS:
            target = (cell[0] + step[0], cell[1] + step[1])
            if target not in lengths and _is_open(view, walls, cell, target):
                lengths[target] = lengths[cell] + 1
                queue.append(target)
    return lengths[goal]


def _is_open(view: dict[str, Any], walls: set[tuple[int, int, str]], cell: Cell, target: Cell) -> bool:
    """A horizontal wall is above its cell, a vertical one right of it. Rows count from the top."""
    if not (0 <= target[0] < view["boardHeight"] and 0 <= target[1] < view["boardWidth"]):
        return False
    if cell[0] != target[0]:
        return (max(cell[0], target[0]), cell[1], "horizontal") not in walls
    return (cell[0], min(cell[1], target[1]), "vertical") not in walls
