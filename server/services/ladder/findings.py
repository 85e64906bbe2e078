"""What a bot's latest games tell its author: openings that it plays badly, and how it loses other than by the rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from server.domain.ladder.losses import LossTally, losses
from server.domain.ladder.opening_scores import OpeningGame, WeakOpening, opening_game, weak_openings
from server.domain.ladder.rating_pool import PoolKey, Rated
from server.domain.ladder.results import RatedResult
from server.services.ladder.openings import suite_moves


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found in so many ``games``."""

    games: int
    weak_openings: Sequence[WeakOpening]
    losses: Sequence[LossTally]


def findings_of(bot: str, results: Sequence[RatedResult], rated: Mapping[PoolKey, Rated]) -> Findings:
    """Returns what a bot's latest results, newest first, tell by the ratings of their pools. May take long."""
    by_pool: dict[PoolKey, list[OpeningGame]] = {}
    for result in results:
        key = result.game, result.variant
        if key in rated:
            game = opening_game(result, bot, suite_moves(*key, result.opening), rated[key])
            if game is not None:
                by_pool.setdefault(key, []).append(game)
    weak = [one for key, games in sorted(by_pool.items()) for one in weak_openings(key, games)]
    return Findings(len(results), weak, losses(bot, results))
