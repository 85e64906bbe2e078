"""How the games of the ladder begin: an opening by its number, the same for both games of a pair."""

import random
from typing import Any, Final

from engines import Position, known_members
from engines.bots import random_move

PLIES: Final = 2
"""The random moves of an opening, in games whose start does not depend on a seed: deterministic bots would otherwise
repeat one game."""

OPENING_BITS: Final = 53

ATTEMPTS: Final = 100


def ladder_config(game: str, opening: int) -> dict[str, Any]:
    """The configuration of a game with this opening: the usual board, and the opening as the seed if there is one."""
    return known_members(game, {"seed": opening})


def opening_moves(position: Position, opening: int) -> list[str]:
    """The moves that are played before the bots take over; none if the seed determines a start of its own."""
    if "seed" in {**position.config, **position.secret}:
        return []
    for attempt in range(ATTEMPTS):
        tried = position.copy()
        rng = random.Random(f"{opening}/{attempt}")  # noqa: S311  an opening is no secret
        for _ in range(PLIES):
            if tried.to_act:
                tried.play("/".join(random_move(tried, seat, rng) for seat in tried.to_act))
        if tried.to_act:
            return list(tried.history)
    return []
