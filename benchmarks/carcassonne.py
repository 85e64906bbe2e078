"""Measures the strength of Carcassonne's bots against each other, and what RAVE and parallel deals gain.

Every seed is played twice with the seats swapped, so that the luck of the tiles counts for both. Scores are those of
the first bot, with 95 % intervals.

    python -m benchmarks.carcassonne --games 400
"""

import argparse
import statistics
import time
from typing import Final

from engines import Position, Search
from engines.arena import Match, play_match
from engines.bots import Bot
from engines.pool.job import Limits
from engines.standings import wilson

GAME: Final = "carcassonne"

STRENGTH: Final = (
    ("mcts", "random", 800),
    ("mcts", "greedy", 800),
    ("mcts", "greedy", 4000),
    ("mcts:eval=v1:dets=3", "mcts-seed:eval=v1:dets=3", 500),
    ("mcts:eval=v2", "mcts:eval=v1", 800),
    ("mcts:dets=0", "mcts", 800),
)
"""The first bot, the second bot, and simulations per action over all deals."""

RAVE: Final = (
    "max_amaf_depth=0",
    "max_amaf_depth=2",
    "max_amaf_depth=4",
    "max_amaf_depth=6",
    "rave_fpu=false",
    "tile_aware_amaf=true",
)
"""Parameters of ``mcts+rave``, each against ``mcts``."""

RAVE_SIMULATIONS: Final = 200

SCALING: Final = ((20, 40), 20_000, 5)
"""Tiles placed, simulations of a search, and searches with one thread and with several in turn."""


def main() -> None:
    """Plays all matches and prints the scores, then the scaling."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    matches = [*STRENGTH, *((f"mcts+rave:{setting}", "mcts", RAVE_SIMULATIONS) for setting in RAVE)]
    for first, second, samples in matches:
        _play(first, second, samples, options)
    for tiles in SCALING[0]:
        _scale(tiles)


def _play(first: str, second: str, samples: int, options: argparse.Namespace) -> None:
    bots = [Bot.parse(first), Bot.parse(second)]
    match = Match(GAME, bots, options.games, Limits(samples), seed=options.seed)
    began = time.perf_counter()
    games = play_match(match, options.jobs)
    seconds = time.perf_counter() - began
    successes = sum((game.values[0] + 1) / 2 for game in games)
    low, high = wilson(successes, len(games))
    scores = [game.scores for game in games if game.scores is not None]
    points = " : ".join(f"{statistics.fmean(side):.1f}" for side in zip(*scores, strict=True))
    score = f"{successes / len(games):.3f} ({low:.3f} to {high:.3f})"
    print(f"{first} against {second}, {samples}: {score}, points {points}, {seconds:.0f} s", flush=True)


def _scale(tiles: int) -> None:
    """Prints how many times as many simulations per second two threads make, on two deals."""
    _, simulations, rounds = SCALING
    position = Position(GAME, config={"seed": tiles})
    while position.ply < tiles:
        legal = position.legal_moves(position.to_act[0])
        position.play(legal[position.ply * 7 % len(legal)])

    def seconds(threads: int) -> float:
        search = Search(position, options={"num_determinizations": 2, "threads": threads}, seed=1)
        began = time.perf_counter()
        search.run(simulations)
        return time.perf_counter() - began

    ratio = statistics.median(seconds(1) / seconds(2) for _ in range(rounds))
    print(f"two threads on two deals, {tiles + 1} tiles placed: {ratio:.2f} times the simulations/s")


if __name__ == "__main__":
    main()
