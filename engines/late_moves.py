"""The move of a seat whose time for a move has run out, from the catalogue.

A game has such a move if a seat can always make it. Callers that limit the time for a move play it for a seat that is
late, instead of ending the game.
"""

from functools import cache

from engines._core import games


@cache
def late_move(game: str) -> str | None:
    """Returns the late move of a game as text; None if the game has none."""
    about = next((row.about for row in games() if row.name == game), {})
    move = about.get("lateMove")
    return None if move is None else str(move)
