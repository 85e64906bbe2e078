"""How a rating came about: what a player's games said one after the other, by today's ratings of its opponents."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engines.ratings import Prior, rating_against
from server.domain.ladder.rating_pool import Rated
from server.domain.ladder.results import RatedResult

POINTS: Final = 40
"""The most points of a curve."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The rating of a player after a game that ended ``at`` (milliseconds since the epoch), with its error."""

    at: int
    elo: float
    error: float


def progress(player: str, results: Sequence[RatedResult], rated: Rated, prior: Prior) -> list[Moment]:
    """Returns the ratings of a player after its ``results``, the oldest first; ``prior``: what was known before."""
    played = [result for result in results if result.places is not None and player in result.players]
    every = max(1, -(-len(played) // POINTS))
    opponents: list[float] = []
    shares: list[float] = []
    weights: list[float] = []
    moments: list[Moment] = []
    for count, result in enumerate(played, start=1):
        places = result.places or ()
        own = result.players.index(player)
        for seat, place in enumerate(places):
            if seat != own:
                opponents.append(rated.elo(result.players[seat]))
                shares.append(0.5 if place == places[own] else float(places[own] < place))
                weights.append(3 / (len(places) + 1))
        if count % every == 0 or count == len(played):
            now = rating_against(opponents, shares, weights, prior)
            moments.append(Moment(result.ended_at, now.elo, now.error))
    return moments
