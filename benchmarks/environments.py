"""Environments: steps a second of random games, with masks and observations.

python -m benchmarks.environments                          all games
python -m benchmarks.environments --seconds 5 --games 256  longer, with larger batches

Each game is played in a loop of the core (moves, masks, planes; no Python), in batches of one thread and of all cores,
and in PettingZoo's interface. The ratio is to the loop. If OpenSpiel is installed, its Hive is played in the same way:
legal actions, the observation and a random action, in Python.
"""

import argparse
import importlib
import os
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import plyhouse
from engines import Environments

GAMES: Mapping[str, tuple[str | None, dict[str, Any]]] = {
    "wallwars": (None, {"boardWidth": 8, "boardHeight": 8}),
    "hive": ("Base", {"plyLimit": 120}),
    "carcassonne": (None, {}),
    "pyrat": (None, {}),
}
"""The game that is played most, by name: a variant and a configuration."""

MAX_CYCLES = 400
LOOP_STEPS = 20_000


def rate(step: Callable[[], int], seconds: float) -> float:
    """Steps a second."""
    step()
    start, steps = time.perf_counter(), 0
    while (passed := time.perf_counter() - start) < seconds:
        steps += step()
    return steps / passed


def loop_rate(game: str, seconds: float) -> float:
    """Of the core's own loop."""
    variant, config = GAMES[game]
    core = Environments(game, variant, config, max_steps=MAX_CYCLES)
    seeds = iter(range(1_000_000))

    def step() -> int:
        core.play_random(LOOP_STEPS, next(seeds))
        return LOOP_STEPS

    return rate(step, seconds)


def batch_rate(game: str, games: int, threads: int, seconds: float) -> float:
    """Of a batch."""
    variant, config = GAMES[game]
    batch = plyhouse.batch_env(game, games, variant, config, max_cycles=MAX_CYCLES, threads=threads)
    generator = np.random.default_rng(1)
    batch.reset(1)

    def step() -> int:
        batch.step(batch.sample(generator))
        return games

    return rate(step, seconds)


def agents_rate(game: str, seconds: float) -> float:
    """Of PettingZoo's interface."""
    env = plyhouse.env(game, *GAMES[game], max_cycles=MAX_CYCLES)
    generator = np.random.default_rng(1)
    env.reset(seed=1)

    def step() -> int:
        observation, _, is_over, is_cut, _ = env.last()
        if is_over or is_cut:
            env.reset()
            return 0
        env.step(generator.choice(np.flatnonzero(observation["action_mask"])))
        return 1

    return rate(step, seconds)


def open_spiel_rate(seconds: float) -> float | None:
    """Of OpenSpiel's Hive, without expansions; None if it is not installed."""
    try:
        spiel = importlib.import_module("pyspiel")
    except ImportError:
        return None
    game = spiel.load_game("hive(uses_mosquito=false,uses_ladybug=false,uses_pillbug=false)")
    generator = np.random.default_rng(1)
    states = [game.new_initial_state()]

    def step() -> int:
        state = states[0]
        if state.is_terminal():
            states[0] = state = game.new_initial_state()
        np.asarray(state.observation_tensor(state.current_player()), np.float32)
        state.apply_action(generator.choice(state.legal_actions()))
        return 1

    return rate(step, seconds)


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure")
    parser.add_argument("--games", type=int, default=64, help="of a batch")
    given = parser.parse_args()
    cores = os.cpu_count() or 1
    print("game         loop in the core   batch, 1 thread      all cores   PettingZoo   (steps a second)")
    for game in GAMES:
        loop = loop_rate(game, given.seconds)
        one = batch_rate(game, given.games, 1, given.seconds)
        every = batch_rate(game, given.games, cores, given.seconds)
        agents = agents_rate(game, given.seconds)
        print(
            f"{game:12s} {loop:16,.0f} {one:12,.0f} ({one / loop:.2f}) {every:8,.0f} ({every / loop:.2f})"
            f" {agents:12,.0f}"
        )
    spiel = open_spiel_rate(given.seconds)
    if spiel is None:
        print("OpenSpiel is not installed: pip install open_spiel")
    else:
        print(f"OpenSpiel's Hive: {spiel:,.0f} steps a second in Python")


if __name__ == "__main__":
    main()
