"""How many samples a search makes where nobody says: as the game's row of the catalogue has it.

A sample is what the game's search counts: a simulation of a tree search, or one node of an alpha-beta search, of
which an answer takes many more. Called by the pool and by callers that offer levels of play.
"""

from functools import cache

from engines._core import games

USUAL = 1000
"""Samples of an evaluation in games that say nothing else."""


@cache
def samples_for(game: str, purpose: str, usual: int) -> int:
    """Samples for a purpose that a game's row may name, such as a level; else ``usual``."""
    about = next((row.about for row in games() if row.name == game), {})
    return int(about.get("samples", {}).get(purpose, usual))


def usual_samples(game: str) -> int:
    """Samples of an evaluation of this game."""
    return samples_for(game, "evaluation", USUAL)
