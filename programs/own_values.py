"""Values of positions from our own search, for engines whose protocol has none."""

from engines import Position, Search

VALUE_MS = 200
"""Usual duration of the search."""

ALL = 1 << 30
"""Simulations if only the time is limited."""


def value_after(position: Position, move: str, most_ms: int = VALUE_MS) -> tuple[float, ...]:
    """The value per seat of the position after ``move``: from our own search, or exact if the game is over.

    ``most_ms``: a shorter time for the search, if the clock is running low.
    """
    after = position.copy()
    after.play(move)
    if after.outcome is not None:
        return tuple(after.outcome.values)
    search = Search(after)
    search.run(ALL, min(VALUE_MS, most_ms))
    return tuple(search.report().values)
