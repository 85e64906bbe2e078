"""The board and the states of a game, read from a ``Position`` for the messages and hashes of the host protocol."""

from dataclasses import dataclass
from typing import Any

from engines import BadConfig, Position

Cell = tuple[int, int]
"""Column and row; 0,0 is at the bottom left."""

GAME = "pyrat"

MOST_CHEESE = 511
"""With more, a running game could have more half points than can be hashed."""


@dataclass(frozen=True, slots=True)
class MatchBoard:
    """What does not change during a game."""

    width: int
    height: int
    max_turns: int
    exits: tuple[str, ...]
    """A string per row from the bottom, a hexadecimal digit per cell: the sum of 1, 2, 4, 8 over the open steps."""
    walls: tuple[tuple[Cell, Cell], ...]
    mud: tuple[tuple[Cell, Cell, int], ...]
    cheese: tuple[Cell, ...]
    """At the start."""
    starts: tuple[Cell, Cell]


@dataclass(frozen=True, slots=True)
class PlayerState:
    """One player."""

    cell: Cell
    mud: int
    """For how many turns mud still holds the player."""
    score: float
    """Points; a multiple of a half."""


@dataclass(frozen=True, slots=True)
class MatchState:
    """What changes during a game."""

    turn: int
    players: tuple[PlayerState, PlayerState]
    cheese: tuple[Cell, ...]
    """What is left."""


def board_of(position: Position) -> MatchBoard:
    """The board of a game. Raises BadConfig if the host protocol cannot express it."""
    if position.game != GAME:
        raise BadConfig(f"a PyRat bot plays {GAME}, not {position.game}")
    config, view = position.config, position.view()
    if config["mudModel"] != "rust":
        raise BadConfig(f"the host protocol of PyRat has no mudModel '{config['mudModel']}', only 'rust'")
    if len(config["cheese"]) > MOST_CHEESE:
        raise BadConfig(f"the host protocol of PyRat allows at most {MOST_CHEESE} pieces of cheese")
    return MatchBoard(
        width=config["width"],
        height=config["height"],
        max_turns=config["maxTurns"],
        exits=tuple(view["exits"]),
        walls=tuple((_cell(first), _cell(second)) for first, second in config["walls"]),
        mud=tuple((_cell(first), _cell(second), cost) for first, second, cost in config["mud"]),
        cheese=_cells(config["cheese"]),
        starts=(_cell(config["starts"][0]), _cell(config["starts"][1])),
    )


def state_of(position: Position) -> MatchState:
    """The current state of a game."""
    view = position.view()
    first, second = map(_player, view["players"])
    return MatchState(view["turn"], (first, second), _cells(view["cheese"]))


def _player(view: dict[str, Any]) -> PlayerState:
    return PlayerState(_cell(view["cell"]), view["mud"], view["score"])


def _cells(cells: list[list[int]]) -> tuple[Cell, ...]:
    return tuple(map(_cell, cells))


def _cell(cell: list[int]) -> Cell:
    x, y = cell
    return x, y
