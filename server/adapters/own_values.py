"""Values of positions from our own search, for engines whose protocol has none."""

from engines import Position, Search

VALUE_MS = 200
"""Duration of the search."""

ALL = 1 << 30
"""Simulations if only the time is limited."""


def value_after(position: Position, move: str) -> tuple[float, ...]:
    """The value per seat of the position after ``move``: from our own search, or exact if the game is over."""
    after = position.copy()
    after.play(move)
    if after.outcome is not None:
        return tuple(after.outcome.values)
    search = Search(after)
    search.run(ALL, VALUE_MS)
    return tuple(search.report().values)
