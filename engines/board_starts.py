"""Start positions with boards of a given size: they show which games a network fits, and the shapes that it needs.

Used where networks are loaded and described. Names no game: it tries the members with which games call their sides.
"""

from collections.abc import Iterator
from contextlib import suppress

from engines import Position, RuleError, games

SIDES = (("boardWidth", "boardHeight"), ("width", "height"))
"""Members of configurations with the columns and rows of a board."""


def start(game: str, variant: str, size: tuple[int, int]) -> Position | None:
    """The start of a variant on a board of this size (columns, rows); None if it has no such boards."""
    for members in SIDES:
        with suppress(RuleError):
            return Position(game, variant, dict(zip(members, size, strict=True)))
    return None


def starts(size: tuple[int, int]) -> Iterator[Position]:
    """A start of every listed variant, with a board of this size where the variant has one, else with its usual one."""
    for game in games():
        for variant in game.variants if game.listed else ():
            yield start(game.name, variant, size) or Position(game.name, variant)
