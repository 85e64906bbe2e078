"""How a rating came about: what a player's games said one after the other, by today's ratings of its opponents."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engines.ratings import Finish, Prior, count_finish, posterior
from server.domain.ladder.players import NEWCOMER
from server.domain.ladder.pool import Rated
from server.domain.ladder.results import RatedResult

POINTS: Final = 40
"""The most points of a curve."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The rating of a player after a game that ended ``at`` (milliseconds since the epoch), with its error."""

    at: int
    elo: float
    error: float


def progress(player: str, results: Sequence[RatedResult], rated: Rated) -> list[Moment]:
    """Returns the ratings of a player after its ``results``, the oldest first, with its opponents' ratings of today."""
    played = [result for result in results if result.places is not None and player in result.players]
    opponents = sorted({other for result in played for other in result.players if other != player})
    numbers = {name: number for number, name in enumerate((player, *opponents))}
    priors = [NEWCOMER, *(Prior(rated.elo(name), 0.0) for name in opponents)]
    wins, every = np.zeros((len(priors), len(priors))), max(1, -(-len(played) // POINTS))
    moments: list[Moment] = []
    for count, result in enumerate(played, start=1):
        count_finish(wins, Finish([numbers[name] for name in result.players], result.places or ()))
        if count % every == 0 or count == len(played):
            own = posterior(wins, priors, [moments[-1].elo] if moments else None).ratings[0]
            moments.append(Moment(result.ended_at, own.elo, own.error))
    return moments
