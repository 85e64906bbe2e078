"""Measures how strong the levels of the built-in bots are: each against the one below, and the weakest against random.

Every game has a board and a variation of each bot of its own, and both bots have each seat equally often. A score of
0.76 is 200 Elo. Also counts how many of the games of one level against one fixed line of play differ. With
``--model``, a network evaluates, instead of the native evaluators.

    python -m benchmarks.levels --game carcassonne --games 400 --jobs 2
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from benchmarks.resampling import mean_of
from benchmarks.self_play import searcher
from engines import Position, Variation, known_members, networks
from engines.bots import Player, RandomPlayer, SearchPlayer
from engines.effort import network_noise_for, noise_for, samples_for
from engines.inference import Model
from engines.pool.job import Limits
from server.domain.levels import LEVELS

RANDOM: Final = "random"

LADDER: Final = (RANDOM, *(level.bot_id for level in LEVELS))
"""Weakest first."""

LONGEST: Final = 2000
"""Plies after which a game counts as a draw: no bot should need so many."""

VARIED: Final = 20
"""Games against one line of play."""


@dataclass(frozen=True, slots=True)
class Game:
    """``players`` by seat; ``board`` is the seed of the start, ``seeds`` are those of the players."""

    game: str
    variant: str | None
    config: Mapping[str, Any]
    players: tuple[str, ...]
    board: int
    seeds: tuple[int, ...]
    model: Path | None = None


def player(kind: str, position: Position, seed: int, model: Model | None = None) -> Player:
    """A bot of this level as a server plays it, or one that moves at random."""
    level = next((level for level in LEVELS if level.bot_id == kind), None)
    if level is None:
        return RandomPlayer(seed)
    noise = noise_for(position.game, level.bot_id, level.noise)
    variation = Variation(noise, seed, network_noise_for(position.game, level.bot_id))
    new_search, run = searcher(position, model)
    search = new_search(position, seed, variation.options(is_network=model is not None))
    limits = Limits(samples_for(position.game, level.bot_id, level.samples))
    return SearchPlayer(search, limits, kind, run)


def play(position: Position, players: Sequence[Player]) -> None:
    """Plays a game to its end, or to ``LONGEST`` plies."""
    while (acting := position.to_act) and position.ply < LONGEST:
        position.play("/".join(players[seat].choose(position, seat) for seat in acting))
        if position.to_act:
            for one in players:
                one.played(position.history[-1])


def played(game: Game) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """The scores of the seats, each 0 to 1, and the moves."""
    seats = {"seats": len(game.players), "seed": game.board}
    position = Position(game.game, game.variant, {**known_members(game.game, seats), **game.config})
    model = None if game.model is None else _loaded(game.model)
    seated = zip(game.players, game.seeds, strict=True)
    play(position, [player(kind, position, seed, model) for kind, seed in seated])
    outcome = position.outcome
    values = [0.0] * position.seats if outcome is None else outcome.values
    return tuple((value + 1) / 2 for value in values), tuple(position.history)


@cache
def _loaded(file: Path) -> Model:
    """The network of this process."""
    return networks.load([file], threads=1)[0]


def main() -> None:
    """Plays the games and prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="wallwars")
    parser.add_argument("--variant", default=None)
    parser.add_argument("--config", type=json.loads, default={})
    parser.add_argument("--games", type=int, default=40, help="of each pair")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--levels", nargs="*", choices=LADDER, default=LADDER)
    parser.add_argument("--model", type=Path, help="network that evaluates")
    options = parser.parse_args()

    def game(players: tuple[str, ...], board: int, *seeds: int) -> Game:
        return Game(options.game, options.variant, options.config, players, board, seeds, options.model)

    print("| level | against | games | score |\n|---|---|---|---|")
    with ProcessPoolExecutor(options.jobs) as processes:
        for weaker, stronger in pairwise(one for one in LADDER if one in options.levels):
            numbers = range(options.seed, options.seed + options.games)
            games = [game(_seated(stronger, weaker, one), one // 2, 2 * one, 2 * one + 1) for one in numbers]
            scores = [
                scores[one % 2]
                for one, (scores, _) in zip(numbers, processes.map(played, games), strict=True)
            ]
            score = mean_of([(score, 1) for score in scores]).written(".3f")
            print(f"| {stronger} | {weaker} | {len(scores)} | {score} |", flush=True)
        print(f"\n| level | different games of {VARIED} against itself with one seed |\n|---|---|")
        for level in (one for one in LADDER if one in options.levels):
            games = [game((level, level), 1, 1, seed) for seed in range(VARIED)]
            print(f"| {level} | {_different(list(processes.map(played, games)))} |", flush=True)


def _seated(stronger: str, weaker: str, number: int) -> tuple[str, str]:
    """The stronger one has seat 0 in games of even numbers."""
    return (weaker, stronger) if number % 2 else (stronger, weaker)


def _different(games: Sequence[tuple[tuple[float, ...], tuple[str, ...]]]) -> int:
    return len({moves for _, moves in games})


if __name__ == "__main__":
    main()
