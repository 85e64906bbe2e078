"""A strategy for the arena: tries a few moves and leaves the opponent as few answers as possible.

pip install ./examples/strategy
plyhouse arena --game hive --bots mobility:moves=30,random --games 20
"""

import random
from collections.abc import Mapping

import plyhouse


class Mobility:
    """One player in one game; implements ``plyhouse.Player``."""

    def __init__(self, moves: int, seed: int) -> None:
        """``moves`` is how many moves are tried on each turn."""
        self._moves = moves
        self._random = random.Random(seed)

    def choose(self, position: plyhouse.Position, seat: int) -> str:
        """The move after which the opponent has the fewest choices."""
        legal = position.legal(seat)
        tried = self._random.sample(legal, min(self._moves, len(legal)))
        return min(
            (self._finished(position, seat, move) for move in tried), key=lambda one: answers(position, one)
        )

    def _finished(self, position: plyhouse.Position, seat: int, move: str) -> str:
        """A whole move that begins with ``move``, in games with too many moves to list them."""
        while not position.lists_moves and (more := position.legal_actions(seat, move)):
            move = f"{move}.{self._random.choice(more)}"
        return position.check(move, seat)

    def played(self, move: str) -> None:
        """Does nothing: each position is examined anew."""

    def close(self) -> None:
        """Does nothing: there is nothing to free."""


def answers(position: plyhouse.Position, move: str) -> int:
    """How many choices the next player has after a move; -1 if the game is over."""
    after = position.copy()
    after.play(move)
    return -1 if after.outcome is not None else len(after.legal())


def player(
    position: plyhouse.Position,
    limits: plyhouse.Limits,
    seed: int,
    parameters: Mapping[str, plyhouse.Parameter],
) -> plyhouse.Player:
    """A player for one game. It ignores the limits: its parameter says how many moves it tries."""
    return Mobility(int(parameters["moves"]), seed)


STRATEGY = plyhouse.Strategy("the fewest answers for the opponent", parameters={"moves": 20}, player=player)
