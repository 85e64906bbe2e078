"""How the games of the ladder and of tournaments begin: an opening by its number, the same for both games of a pair."""

import random
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from engines import Position, known_members
from engines.bots import random_move
from engines.opening_suite import BadOpenings, OpeningSuite, read_suite, shipped_suite

PLIES: Final = 2
"""The random moves of an opening where there is no suite: deterministic bots would otherwise repeat one game."""

OPENING_BITS: Final = 53

ATTEMPTS: Final = 100


def ladder_config(game: str, opening: int, seats: int = 2) -> dict[str, Any]:
    """The configuration of a game with this opening: the usual board, and the opening as the seed if there is one."""
    return known_members(game, {"seed": opening, "seats": seats})


@cache
def hides_order(game: str, variant: str) -> bool:
    """Whether an opening determines what nobody may know, so that no two games have the same."""
    return bool(Position(game, variant, ladder_config(game, 1)).secret)


def suite_moves(game: str, variant: str, opening: int) -> tuple[str, ...]:
    """The moves of an opening that comes with Plyhouse; none if the variant has no such openings."""
    suite = None if _depends_on_seed(game, variant) else _suite(game, variant)
    return () if suite is None else suite.openings[opening % len(suite.openings)].moves


def opening_moves(position: Position, opening: int) -> list[str]:
    """The moves that are played before the bots take over: one of the balanced openings that come with Plyhouse.

    Those are for the usual board; there are random moves on others, and in games without such openings.

    None if the seed determines a start of its own, which nobody can know beforehand, as they know those openings.
    """
    if _depends_on_seed(position.game, position.variant):
        return []
    is_usual = position.config == _usual_config(position.game, position.variant)
    moves = suite_moves(position.game, position.variant, opening) if is_usual else ()
    return list(moves) or _random_moves(position, opening)


@cache
def _depends_on_seed(game: str, variant: str) -> bool:
    """Whether the starts of a variant differ; its game may have others that ignore the seed."""
    one, other = (Position(game, variant, ladder_config(game, opening)) for opening in (1, 2))
    return (one.config, one.secret) != (other.config, other.secret)


@cache
def _usual_config(game: str, variant: str) -> Mapping[str, Any]:
    return Position(game, variant, ladder_config(game, 0)).config


@cache
def _suite(game: str, variant: str) -> OpeningSuite | None:
    try:
        return read_suite(shipped_suite(game, variant))
    except BadOpenings:
        return None


def _random_moves(position: Position, opening: int) -> list[str]:
    for attempt in range(ATTEMPTS):
        tried = position.copy()
        rng = random.Random(f"{opening}/{attempt}")  # noqa: S311  an opening is no secret
        for _ in range(PLIES):
            if tried.to_act:
                tried.play("/".join(random_move(tried, seat, rng) for seat in tried.to_act))
        if tried.to_act:
            return list(tried.history)
    return []
