"""Network input and output of Wallwars, end to end: positions in, evaluations out.

The planes are computed here a second time from the description of the format: a board of the network's size, walled
off around the game, with distances by breadth-first search. A network whose value is a weighted sum of all inputs
agrees only if every number of every plane is right; one that prefers a single action, only if its index is right.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from engines import Cache, Position, Search
from engines.networks import SHIPPED, load
from engines.pool.model_lane import BatchRunner
from tools.networks import Shape, linear

Cell = tuple[int, int]
"""Column and row, row 0 at the top."""

STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Right, down, left, up."""


@dataclass
class Board:
    """A board of the network's size, with its walls and the place of the game's cells."""

    width: int
    height: int
    offset: Cell = (0, 0)
    right: set[Cell] = field(default_factory=set)
    down: set[Cell] = field(default_factory=set)

    def wall_up(self, game: tuple[int, int], *, classic: bool) -> None:
        """Leaves only the game open and, in classic, the bottom row, which leads to the corners."""
        inside = {
            (self.offset[0] + column, self.offset[1] + row)
            for column in range(game[0])
            for row in range(game[1])
        }
        for column in range(self.width):
            for row in range(self.height):
                here = (column, row)
                corridor = classic and row == self.height - 1 and column < self.width - 1
                if not corridor and not {here, (column + 1, row)} <= inside:
                    self.right.add(here)
                if not {here, (column, row + 1)} <= inside:
                    self.down.add(here)

    def distances(self, start: Cell) -> npt.NDArray[np.float32]:
        """Steps from ``start`` divided by the number of cells; 1 if unreachable."""
        found = {start: 0}
        queue = [start]
        for here in queue:
            for there in self.neighbours(here):
                if there not in found:
                    found[there] = found[here] + 1
                    queue.append(there)
        plane = np.ones((self.width, self.height), np.float32)
        for (column, row), steps in found.items():
            plane[column, row] = steps / (self.width * self.height)
        return plane

    def neighbours(self, here: Cell) -> Iterator[Cell]:
        column, row = here
        walls = (
            here in self.right,
            here in self.down,
            (column - 1, row) in self.right,
            (column, row - 1) in self.down,
        )
        for (dx, dy), wall in zip(STEPS, walls, strict=True):
            there = column + dx, row + dy
            if not wall and 0 <= there[0] < self.width and 0 <= there[1] < self.height:
                yield there

    def mask(self, cells: set[Cell]) -> npt.NDArray[np.float32]:
        plane = np.zeros((self.width, self.height), np.float32)
        for column, row in cells:
            plane[column, row] = 1
        return plane


def offset(variant: str, game: tuple[int, int], shape: Shape) -> Cell:
    """The cell of the network's board at which the game's top left cell lies."""
    if variant == "classic":
        return (shape.columns - game[0]) // 2, shape.rows - game[1]
    return 0, 0


def planes(position: Position, shape: Shape, *, second: bool = False) -> npt.NDArray[np.float32]:
    """The input row of a position, computed from its view only."""
    view = position.view()
    classic = position.variant == "classic"
    game = (view["boardWidth"], view["boardHeight"])
    left, top = offset(position.variant, game, shape)
    board = Board(shape.columns, shape.rows, (left, top))
    board.wall_up(game, classic=classic)
    for wall in view["walls"]:
        row, column = wall["cell"]
        if wall["orientation"] == "vertical":
            board.right.add((left + column, top + row))
        else:
            board.down.add((left + column, top + row - 1))

    def cell(seat: int, pawn: str) -> Cell:
        row, column = view["pawns"][f"p{seat + 1}"][pawn]
        return left + column, top + row

    me = position.to_act[0]
    corners = [(shape.columns - 1, shape.rows - 1), (0, shape.rows - 1)]
    goals = corners if classic else [cell(1, "mouse"), cell(0, "mouse")]
    sources = (cell(me, "cat"), goals[me], cell(1 - me, "cat"), goals[1 - me])
    flags = (second, me == 0, not classic)[: shape.planes - 6]
    rows = [board.distances(source) for source in sources]
    rows += [board.mask(board.right), board.mask(board.down)]
    rows += [np.full((shape.columns, shape.rows), flag, np.float32) for flag in flags]
    return np.stack(rows)


def evaluate(file: Path, position: Position, simulations: int) -> Search:
    """A search of the position with a network, one leaf at a time."""
    (model,) = load([file])
    search = Search(position, "planes")
    runner = BatchRunner(model, model.signature.at(position), Cache(0), model.capacity(1), 1)
    while search.visits < simulations and runner.run(search, simulations - search.visits):
        pass
    return search


def start(variant: str, game: tuple[int, int], *moves: str) -> Position:
    position = Position("wallwars", variant, {"boardWidth": game[0], "boardHeight": game[1]})
    position.play(*moves)
    return position


POSITIONS = [
    ("standard", (4, 4), ()),
    ("standard", (4, 4), ("Cb4.>c2",)),
    ("standard", (6, 5), (">b3.^d2", "Mf2.>a1", "Ca4.Ma2")),
    ("standard", (3, 5), (">a2.>b4", "^c3.^b4")),
    ("classic", (4, 4), (">c2.^b3",)),
    ("classic", (4, 4), (">c2.^b3", "Cc4.^a2")),
    ("classic", (3, 4), ()),
    ("classic", (6, 5), ("Cb5.^f4", "Ce5.>a2")),
]


@pytest.mark.parametrize("shape", [Shape(6, 5, 9), Shape(6, 5, 8), Shape(8, 7, 9, 8, 3)], ids=str)
@pytest.mark.parametrize(("variant", "game", "moves"), POSITIONS)
def test_every_number_of_every_plane(
    variant: str, game: tuple[int, int], moves: tuple[str, ...], shape: Shape, tmp_path: Path
) -> None:
    position = start(variant, game, *moves)
    weights = np.random.default_rng(5).normal(0, 0.05, shape.inputs)
    file = linear(tmp_path / "net.onnx", shape, np.zeros((shape.inputs, shape.policy)), weights)
    value = math.tanh(float(planes(position, shape).ravel() @ weights))
    seat = position.to_act[0]
    assert evaluate(file, position, 1).report().values[seat] == pytest.approx(value, abs=1e-5)


def test_values_are_for_the_seat_to_act_and_a_plane_marks_the_second_action(tmp_path: Path) -> None:
    shape = Shape(5, 5)
    weights = np.zeros((9, 5, 5))
    weights[6, 0, 0], weights[7, 0, 0] = 0.3, 0.5
    file = linear(tmp_path / "net.onnx", shape, np.zeros((225, 58)), weights.ravel())
    first, second = (evaluate(file, start("standard", (5, 5), *moves), 1) for moves in ((), ("---",)))
    assert first.report().values[0] == pytest.approx(math.tanh(0.5), abs=1e-6)
    assert second.report().values == pytest.approx([0.0, 0.0]), "plane 7 is empty for player 2"
    below = evaluate(file, start("standard", (5, 5)), 2).report().values[0]
    assert below == pytest.approx(math.tanh(0.8), abs=1e-6), "the value of all visits but the root's own"


def wall(index: int, shape: Shape, game: tuple[int, int], corner: Cell) -> str | None:
    """The text of the wall with a policy index; ``None`` if it is not on the game's board."""
    area = shape.columns * shape.rows
    column, row = divmod(index % area, shape.rows)
    column, row = column - corner[0], row - corner[1]
    right = index < area
    inside = 0 <= column < game[0] - right and 0 <= row < game[1] - (not right)
    if index >= 2 * area or not inside:
        return None
    # A wall below a cell is written as the wall above the cell beneath it.
    return f">{'abcdef'[column]}{game[1] - row}" if right else f"^{'abcdef'[column]}{game[1] - row - 1}"


@pytest.mark.parametrize(
    ("variant", "steps"),
    [
        ("standard", {50: "Cc4", 51: "Cb3", 52: "Ca4", 54: "Mc2", 55: "Mb1", 56: "Ma2", 57: "Mb3"}),
        ("classic", {50: "Cc4", 51: "Cb3", 52: "Ca4"}),
    ],
)
def test_every_policy_index(variant: str, steps: dict[int, str], tmp_path: Path) -> None:
    shape, game = Shape(5, 5), (4, 4)
    moves = ("Cb4", "---") if variant == "classic" else ("Ma2.Mb2", "---", "Cb4", "---")
    position = start(variant, game, *moves)
    legal = position.legal_actions()
    named = {index: wall(index, shape, game, offset(variant, game, shape)) for index in range(50)} | steps
    wanted = {index: action for index, action in named.items() if action in legal}
    assert set(legal) == set(wanted.values()), "every legal action has an index"
    for index, action in wanted.items():
        # Plane 7 is all ones for player 1, plane 6 in the second action of a turn.
        after = position.legal_actions(staged=action)
        then = next(other for other in (11, 36, 12) if wanted[other] in after)
        priors = np.zeros((9, 5, 5, shape.policy))
        priors[7, 0, 0, index], priors[6, 0, 0, then] = 20, 40
        file = linear(tmp_path / f"{index}.onnx", shape, priors.reshape(225, -1), np.zeros(225))
        best = evaluate(file, position, 3).report().best_move
        assert best == position.check(f"{action}.{wanted[then]}"), index


@pytest.mark.parametrize("moves", [(">c3.>e7", ">d4.^d7"), (">c4.^f4", ">e2.^d6")])
def test_the_shipped_network_evaluates_a_row_alone_as_among_others(moves: tuple[str, str]) -> None:
    (model,) = load([SHIPPED / "wallwars-small.onnx"], "cpu")
    rows = np.zeros((8, 9, 8, 8), np.float32)
    rows[0] = planes(start("standard", (8, 8), *moves), Shape(8, 8))
    for alone, among_others in zip(model.evaluate(rows, 1), model.evaluate(rows, 8), strict=True):
        assert np.array_equal(alone, among_others[:1])
