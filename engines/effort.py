"""Default numbers of samples per search, and the noise of levels, from the catalogue.

A sample is the unit of the game's search: one simulation of a tree search, or one node of an alpha-beta search, which
needs many more of them. Called by the pool and by callers that offer levels of play.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from engines._core import Position, games

USUAL = 1000
"""Samples per evaluation for games whose catalogue entry has no number."""


@cache
def samples_for(game: str, purpose: str, usual: int) -> int:
    """Samples for a purpose, such as a level, from the game's catalogue entry; ``usual`` if it has none."""
    return int(_about(game).get("samples", {}).get(purpose, usual))


@cache
def noise_for(game: str, level: str, usual: float) -> float:
    """The noise of a level's ``Variation`` from the game's catalogue entry; ``usual`` if it has none."""
    return float(_about(game).get("noise", {}).get(level, usual))


@cache
def network_noise_for(game: str, level: str) -> float | None:
    """The same where a network evaluates; None if the catalogue does not distinguish."""
    noises: Mapping[str, float] = _about(game).get("networkNoise", {})
    return noises.get(level)


def _about(game: str) -> dict[str, Any]:
    return next((row.about for row in games() if row.name == game), {})


def usual_samples(game: str) -> int:
    """Default samples per evaluation of this game."""
    return samples_for(game, "evaluation", USUAL)


def usual_move(position: Position) -> int:
    """Samples of a usual move: as many as for an evaluation, for each of its one or two actions."""
    first = position.legal_actions()[0]
    actions = 2 if position.legal_actions(staged=first) else 1
    return actions * usual_samples(position.game)
