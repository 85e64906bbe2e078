"""Measures the speed and the strength of Carcassonne's bots, and what RAVE and parallel deals gain.

Every seed is played twice with the seats swapped, so that the luck of the tiles counts for both. Scores are those of
the first bot, with 95 % intervals.

    python -m benchmarks.carcassonne --games 400
"""

import argparse
import statistics
import time
from collections.abc import Mapping
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

PUBLISHED: Final = {"exploration_constant": 1.41, "pw_c": 2.0}
SPEED: Final[Mapping[str, Mapping[str, float]]] = {"v1": PUBLISHED, "native": {}}
"""Evaluators with their options: the search with the published parameters, and what bots play with."""

SPEED_TILES: Final = (1, 20, 40, 60)
SPEED_SIMULATIONS: Final = 5_000
ROUNDS: Final = 5
"""Tiles placed, simulations from a fresh root, and searches of which the median counts."""

SCALING: Final = ((20, 40), 20_000, 5)
"""Tiles placed, simulations of a search, and searches with one thread and with several in turn."""


def main() -> None:
    """Prints the speed of the search, plays all matches and prints the scores, then the scaling."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for evaluator, settings in SPEED.items():
        speeds = ", ".join(f"{_speed(evaluator, settings, tiles):,.0f}" for tiles in SPEED_TILES)
        print(f"simulations/s with {evaluator}, {SPEED_TILES} tiles placed: {speeds}", flush=True)
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


def _placed(moves: int) -> Position:
    """The position after so many moves of a game; the start tile lies already."""
    position = Position(GAME, config={"seed": moves})
    while position.ply < moves:
        legal = position.legal_moves(position.to_act[0])
        position.play(legal[position.ply * 7 % len(legal)])
    return position


def _speed(evaluator: str, settings: Mapping[str, float], tiles: int) -> float:
    """Simulations per second of processor time on one core, with five deals, from a fresh root."""
    position = _placed(tiles - 1)

    def seconds() -> float:
        search = Search(position, evaluator, settings, seed=1)
        began = time.process_time()
        search.run(SPEED_SIMULATIONS)
        return time.process_time() - began

    return SPEED_SIMULATIONS / statistics.median(seconds() for _ in range(ROUNDS))


def _scale(tiles: int) -> None:
    """Prints how many times as many simulations per second two threads make, on two deals."""
    _, simulations, rounds = SCALING
    position = _placed(tiles)

    def seconds(threads: int) -> float:
        search = Search(position, options={"num_determinizations": 2, "threads": threads}, seed=1)
        began = time.perf_counter()
        search.run(simulations)
        return time.perf_counter() - began

    ratio = statistics.median(seconds(1) / seconds(2) for _ in range(rounds))
    print(f"two threads on two deals, {tiles + 1} tiles placed: {ratio:.2f} times the simulations/s")


if __name__ == "__main__":
    main()
