"""Learns to beat random moves with a masked PPO, in minutes on one core; Hive needs more than minutes.

pip install 'plyhouse[rl]' stable-baselines3 sb3-contrib
python learn.py pyrat
python learn.py hive --steps 100000
"""

import argparse
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from torch import nn

import plyhouse

CLOSE_GAME = (
    r"Base;InProgress;White[10];wA1;bB1 wA1\;wQ \wA1;bQ bB1\;wG1 -wQ;bG1 bQ-;wA2 -wG1;bB2 bG1\;wG2 wA1/;bG2 /bQ;"
    r"wG3 \wG1;bG3 /bG2;wB1 wG3/;bG3 \bG1;wA2 \wB1;bS1 bG2\;wS1 wG1\;" + "bA1 bB2\\"
)
"""Both Queens have four neighbours: random moves hardly ever end a game of Hive from its start."""

GAMES: dict[str, tuple[str | None, dict[str, Any], dict[str, Any], int]] = {
    "wallwars": (None, {"boardWidth": 4, "boardHeight": 4}, {"max_cycles": 60}, 40_000),
    "hive": ("Base", {"gameString": CLOSE_GAME, "plyLimit": 48}, {"size": 12}, 30_000),
    "carcassonne": (None, {"tileCount": 10}, {"rewards": "lead", "size": 10}, 30_000),
    "pyrat": (
        "open",
        {"width": 5, "height": 5, "cheeseCount": 5, "maxTurns": 30},
        {"rewards": "lead"},
        40_000,
    ),
}
"""A short version of each game: variant, configuration, arguments of the environment, and the steps that it takes."""


class Planes(gymnasium.ObservationWrapper[np.ndarray, np.int64, dict[str, np.ndarray]]):
    """The planes alone; the policy asks for the mask by itself."""

    def __init__(self, env: gymnasium.Env[Any, np.int64]) -> None:
        super().__init__(env)
        self.observation_space = env.observation_space["observation"]  # type: ignore[index]

    def observation(self, observation: dict[str, np.ndarray]) -> np.ndarray:
        """The planes."""
        return observation["observation"]

    def action_masks(self) -> np.ndarray:
        """The legal actions."""
        return self.unwrapped.action_masks()  # type: ignore[attr-defined, no-any-return]


def make(game: str, seat: int) -> Planes:
    """One seat against random moves."""
    variant, config, options, _ = GAMES[game]
    return Planes(plyhouse.gymnasium_env(game, variant, config, seat=seat, **options))


def score(model: MaskablePPO, game: str, games: int) -> float:
    """The mean value of the results in [-1, 1], half of them from each seat."""
    values = []
    for number in range(games):
        env = make(game, number % 2)
        observation, _ = env.reset(seed=1_000_000 + number)
        is_over = is_cut = False
        while not (is_over or is_cut):
            action, _ = model.predict(observation, action_masks=env.action_masks())
            observation, _, is_over, is_cut, _ = env.step(action)
        outcome = env.unwrapped.position.outcome  # type: ignore[attr-defined]
        values.append(outcome.values[number % 2] if outcome else 0.0)
    return float(np.mean(values))


def main() -> None:
    """Trains and prints the score before and after."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--steps", type=int, help="actions of the agent")
    parser.add_argument("--games", type=int, default=100, help="for each score")
    given = parser.parse_args()
    torch.set_num_threads(1)
    network = {"net_arch": [128, 128], "activation_fn": nn.ReLU}
    env = make(given.game, 0)
    model = MaskablePPO(
        "MlpPolicy", env, gamma=0.97, n_steps=1024, n_epochs=5, batch_size=256, policy_kwargs=network, seed=1
    )
    print(f"before: {score(model, given.game, given.games):+.2f}")
    for half, steps in enumerate([(given.steps or GAMES[given.game][3]) // 2] * 2):
        model.set_env(make(given.game, half))
        model.learn(steps)
    print(f"after:  {score(model, given.game, given.games):+.2f}")


if __name__ == "__main__":
    main()
