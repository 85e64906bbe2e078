"""The largest games that the server accepts, of each kind, as JSON that clients send. Used by other benchmarks."""

import random
from dataclasses import dataclass
from functools import cache
from typing import Any

from engines import Position

PLIES = 10_000
SIDE = 64
CHEESE = 480


@dataclass(frozen=True, slots=True)
class LargestGame:
    """A start and moves from it."""

    name: str
    game: str
    config: dict[str, Any]
    moves: tuple[str, ...]
    variant: str | None = None

    @property
    def start(self) -> dict[str, Any]:
        """The members of a request for this start."""
        return {
            "game": self.game,
            "config": self.config,
            **({"variant": self.variant} if self.variant else {}),
        }


@cache
def largest_games() -> tuple[LargestGame, ...]:
    """Returns one game of each kind: large boards, and games that are as long as possible."""
    return (
        LargestGame("PyRat 64x64, mud everywhere", "pyrat", _maze(), ("STAY/STAY",) * 20),
        LargestGame("PyRat 64x64, 1,000 turns", "pyrat", _maze(), ("STAY/STAY",) * 1000),
        LargestGame("Wallwars 20x20, 10,000 plies", "wallwars", _board(), ("---",) * PLIES),
        _played("Hive, 1,000 plies", "hive", {"drawByRepetition": False, "plyLimit": 1000}),
        _played("Carcassonne, 5 seats", "carcassonne", {"seats": 5, "seed": 1}),
    )


def _maze() -> dict[str, Any]:
    """A board on which there is mud between all cells that are neighbours."""
    cells = [(x, y) for x in range(SIDE) for y in range(SIDE)]
    beside = [((x, y), (x + 1, y)) for x, y in cells if x + 1 < SIDE]
    above = [((x, y), (x, y + 1)) for x, y in cells if y + 1 < SIDE]
    mud = [[list(one), list(other), 2] for one, other in beside + above]
    return {"width": SIDE, "height": SIDE, "maxTurns": 1023, "cheeseCount": CHEESE, "walls": [], "mud": mud}


def _board() -> dict[str, Any]:
    return {"boardWidth": 20, "boardHeight": 20}


def _played(name: str, game: str, config: dict[str, Any]) -> LargestGame:
    """A game of random moves to its end."""
    choose = random.Random(1)  # noqa: S311 - a seed for the same game again
    position = Position(game, None, config)
    while position.outcome is None and position.ply < PLIES:
        position.play(choose.choice(position.legal(position.to_act[0])))
    return LargestGame(name, game, config, tuple(position.history))
