"""Measures whether evaluations are fair prices: an engine that plays itself should expect no loss from its best moves.

Each game is played by one search that is kept from move to move, as the pool does for an analysis; the openings are
random. The mover's *gain* by a move is the value after it less the value before it, both for the mover, in [-1, 1].
Its mean is 0 if evaluations favour neither the seat to move nor the other one. A judge evaluates the same positions
again, each with a new search: the second mean gain. The *accuracy* is that of ``server/domain/accuracy.py``, by the
judge's values, not by what they are worth. Where seats move together, one seat's gain is the other's loss, and only the
accuracy counts. Intervals are of 95 %, resampled by game.

    python -m benchmarks.fair_price --games 100 --only wallwars
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Final

from benchmarks.resampling import mean_of
from benchmarks.self_play import evaluate, fits, play_on, searcher, start_of
from engines import Evaluation, networks
from engines.effort import usual_samples
from engines.inference import Model
from server.domain.accuracy import PlayedMove, played_moves, summarise

SUBJECTS: Final = (
    ("wallwars", "standard"),
    ("wallwars", "classic"),
    ("hive", "Base+MLP"),
    ("hive", "Base"),
    ("carcassonne", "standard"),
    ("pyrat", "small"),
)
"""The games and variants."""


@dataclass(frozen=True, slots=True)
class Price:
    """What one game says: the moves of both seats, with chances of (value + 1) / 2 by the player and by the judge."""

    by_player: Sequence[PlayedMove]
    by_judge: Sequence[PlayedMove]


def main() -> None:
    """Plays the games and prints a line for each subject."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--samples", type=int, help="default: the usual samples of an evaluation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=sorted({game for game, _ in SUBJECTS}))
    parser.add_argument("--model", type=Path, help="a network, instead of the native evaluators")
    options = parser.parse_args()
    model = None if options.model is None else networks.load([options.model], threads=1)[0]
    for game, variant in SUBJECTS:
        if options.only in (None, game) and fits(model, game, variant):
            samples = options.samples or usual_samples(game)
            seeds = range(options.seed, options.seed + options.games)
            _print(
                f"{game} {variant}",
                samples,
                [price_of(game, variant, samples, seed, model) for seed in seeds],
            )


def price_of(game: str, variant: str, samples: int, seed: int, model: Model | None = None) -> Price:
    """Plays a game from a random opening, and judges it."""
    position = start_of(game, variant, seed)
    movers: list[Sequence[int]] = []
    moves: list[str] = []
    player: list[Evaluation] = []
    judge: list[Evaluation] = []
    new_search, run = searcher(position, model)
    for at, evaluation in play_on(position, samples, seed, model):
        movers.append(at.to_act)
        moves.append(evaluation.best_move)
        player.append(evaluation)
        judge.append(evaluate(new_search(at, seed + 1), samples, run))
    if position.outcome:
        final = Evaluation(tuple(position.outcome.values))
        player, judge = [*player, final], [*judge, final]

    def played(evaluations: Sequence[Evaluation]) -> list[PlayedMove]:
        steps = zip(moves, movers, pairwise(evaluations), strict=False)
        return list(chain.from_iterable(played_moves(move, seats, *pair) for move, seats, pair in steps))

    return Price(played(player), played(judge))


def gains(game: Sequence[PlayedMove]) -> tuple[float, int]:
    """The sum of the gains of a game's moves, and their number. A value covers two units, a chance one."""
    return sum(2 * (move.after - move.before) for move in game), len(game)


def accuracies(game: Sequence[PlayedMove]) -> tuple[float, int]:
    """The sum of the seats' accuracies in a game, each 0 to 100, and their number."""
    found = [one.accuracy for one in summarise(2, game) if one.accuracy is not None]
    return sum(found), len(found)


def _print(subject: str, samples: int, prices: Sequence[Price]) -> None:
    player, judge = [price.by_player for price in prices], [price.by_judge for price in prices]
    print(f"{subject}, {samples} samples: {len(prices)} games, {sum(map(len, player))} moves")
    kept, fresh = (mean_of([gains(game) for game in games]).written("+.4f") for games in (player, judge))
    rated = mean_of([accuracies(game) for game in judge]).written(".2f")
    print(f"  mean gain {kept}; with new searches {fresh}; accuracy {rated}", flush=True)


if __name__ == "__main__":
    main()
