"""Fits the points that Carcassonne's evaluators expect, and measures how far off they are.

The search plays games against itself, with two to five seats and few samples. In some positions of each game, the terms
of every seat's expectation (``Position.features``) are compared with what the seat had in the end: half of the games
fit the weights by least squares, and the other half test them, by thirds of the game. The weights are those of
``engines/core/src/games/carcassonne/evaluators/expectation.rs``.

    python -m benchmarks.points --games 300
"""

import argparse
import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from typing import Final

import numpy as np

from benchmarks.self_play import play_on, start_of
from engines.calibration import Floats

SEATS: Final = range(2, 6)

SAMPLES: Final = 40
"""Samples of a move in the games."""

POSITIONS: Final = 16
"""The number of positions of a game."""

NAMES: Final = ("TURN", "MEEPLE", "GROWTH", "RISK")
"""The weights; the first term, what a seat has now, has none."""

PHASES: Final = 3


@dataclass(frozen=True, slots=True)
class Finished:
    """Positions of a game: the terms of each seat, shape ``(positions, seats, terms)``, and when, in [0, 1].

    ``scores``: the final points of the seats.
    """

    terms: Floats
    at: Floats
    scores: Floats

    @property
    def won(self) -> Floats:
        """The points that each seat still won, shape ``(positions, seats)``."""
        rest: Floats = self.scores - self.terms[:, :, 0]
        return rest


def finished(seats: int, seed: int) -> Finished:
    """Plays a game."""
    position = start_of("carcassonne", "standard", seed, seats=seats)
    rows = [(at.ply, at.features()) for at, _ in play_on(position, SAMPLES, seed)]
    drawn = random.Random(seed).sample(rows, min(POSITIONS, len(rows)))  # noqa: S311 - repeatable
    scores = position.outcome.scores if position.outcome else None
    if scores is None:
        raise ValueError("the game has no points")
    plies, terms = zip(*drawn, strict=True)
    return Finished(np.array(terms), np.array(plies) / position.ply, np.array(scores))


def fitted(games: list[Finished]) -> Floats:
    """The weights that fit these games best."""
    terms = np.concatenate([game.terms[:, :, 1:].reshape(-1, len(NAMES)) for game in games])
    won = np.concatenate([game.won.ravel() for game in games])
    weights: Floats = np.linalg.lstsq(terms, won, rcond=None)[0]
    return weights


def errors(games: list[Finished], weights: Floats) -> list[str]:
    """The root mean square error and the mean error in each third of these games."""
    off = np.concatenate([game.won - game.terms[:, :, 1:] @ weights for game in games])
    phases = np.minimum(np.concatenate([game.at for game in games]) * PHASES, PHASES - 1).astype(int)
    by_phase = [off[phases == phase] for phase in range(PHASES)]
    return [f"{np.sqrt(np.mean(part**2)):.1f} ({part.mean():+.1f})" for part in by_phase]


def main() -> None:
    """Plays, fits and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20, help="for each number of seats")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.games)
    with ProcessPoolExecutor(options.jobs) as processes:
        played = {seats: list(processes.map(finished, repeat(seats), seeds)) for seats in SEATS}
    weights = fitted([game for games in played.values() for game in games[::2]])
    print(", ".join(f"{name} {weight:.2f}" for name, weight in zip(NAMES, weights, strict=True)))
    print("\n| seats | games | standard deviation | early | middle | late |\n|---|---|---|---|---|---|")
    for seats, games in played.items():
        spread = np.std(np.concatenate([game.scores for game in games]))
        print(f"| {seats} | {len(games)} | {spread:.1f} | {' | '.join(errors(games[1::2], weights))} |")


if __name__ == "__main__":
    main()
