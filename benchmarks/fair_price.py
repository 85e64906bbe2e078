"""Measures whether evaluations are fair prices: an engine that plays itself should expect no loss from its best moves.

Each game is played by one search that is kept from move to move, as the pool does for an analysis; the openings are
random. The mover's *gain* by a move is the value after it less the value before it, both for the mover, in [-1, 1].
Its mean is 0 if evaluations favour neither the seat to move nor the other one. A judge evaluates the same positions
again, each with a new search: the second mean gain. Seats that move together are left out: one's gain is the other's
loss. Intervals are of 95 %, resampled by game.

    python -m benchmarks.fair_price --games 100 --only wallwars
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from benchmarks.resampling import mean_of
from benchmarks.self_play import evaluate, fits, play_on, searcher, start_of
from engines import Evaluation, networks
from engines.effort import usual_samples
from engines.inference import Model

SUBJECTS: Final = (
    ("wallwars", "standard"),
    ("wallwars", "classic"),
    ("hive", "Base+MLP"),
    ("hive", "Base"),
    ("carcassonne", "standard"),
)
"""The games and variants."""


@dataclass(frozen=True, slots=True)
class Price:
    """The gain by each move of one game, by the player and by the judge."""

    by_player: Sequence[float]
    by_judge: Sequence[float]


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
    movers: list[int] = []
    player: list[Evaluation] = []
    judge: list[Evaluation] = []
    new_search, run = searcher(position, model)
    for at, evaluation in play_on(position, samples, seed, model):
        movers += at.to_act
        player.append(evaluation)
        judge.append(evaluate(new_search(at, seed + 1, {}), samples, run))
    if position.outcome:
        final = Evaluation(tuple(position.outcome.values))
        player, judge = [*player, final], [*judge, final]

    def gains(evaluations: Sequence[Evaluation]) -> list[float]:
        steps = zip(movers, pairwise(evaluations), strict=False)
        return [after.values[seat] - before.values[seat] for seat, (before, after) in steps]

    return Price(gains(player), gains(judge))


def _print(subject: str, samples: int, prices: Sequence[Price]) -> None:
    player, judge = [price.by_player for price in prices], [price.by_judge for price in prices]
    print(f"{subject}, {samples} samples: {len(prices)} games, {sum(map(len, player))} moves")
    sums = ([(sum(game), len(game)) for game in games] for games in (player, judge))
    kept, fresh = (mean_of(games).written("+.4f") for games in sums)
    print(f"  mean gain {kept}; with new searches {fresh}", flush=True)


if __name__ == "__main__":
    main()
