"""Positions of games in progress, for tests that need some of every game."""

import random

from engines import Position

CONFIGS = {"carcassonne": {"seed": 7, "seats": 5}, "pyrat": {"seed": 7}}
SEPARATORS = {"carcassonne": " "}
"""Between the actions of a move, for games other than Wallwars."""


def played(game: str, plies: int) -> Position:
    """The position after so many random moves, the same ones each time."""
    chooses = random.Random(5)
    position = Position(game, None, CONFIGS.get(game))
    while position.to_act and position.ply < plies:
        moves = [_move(position, seat, chooses) for seat in position.to_act]
        if len(moves) > 1:
            position.play("/".join(moves))
        else:
            position = position.after(moves[0])
    return position


def _move(position: Position, seat: int, chooses: random.Random) -> str:
    if position.lists_moves:
        return chooses.choice(position.legal_moves(seat))
    staged: list[str] = []
    separator = SEPARATORS.get(position.game, ".")
    while actions := position.legal_actions(seat, separator.join(staged)):
        staged.append(chooses.choice(actions))
    return separator.join(staged)
