"""Learns to beat random moves with a masked PPO, in minutes on one core, and then plays against others.

pip install 'plyhouse[rl]' stable-baselines3 sb3-contrib
python learn.py pyrat
python learn.py hive --against random beginner easy
"""

import argparse
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import DummyVecEnv
from torch import nn

import plyhouse
from engines.effort import noise_for, samples_for

ENVIRONMENTS = 16
"""Games that go on side by side."""


@dataclass(frozen=True)
class Lesson:
    """A short version of a game.

    ``options``: of the environment. ``steps``: the actions of the agent that it takes. ``gamma``: what a reward is
    worth one action later.
    """

    variant: str | None
    config: Mapping[str, Any]
    options: Mapping[str, Any]
    steps: int
    gamma: float = 0.97


LESSONS = {
    "wallwars": Lesson(None, {"boardWidth": 4, "boardHeight": 4}, {"max_cycles": 60}, 40_000),
    "hive": Lesson("Base", {"plyLimit": 100}, {"size": 12}, 250_000, gamma=0.9),
    "carcassonne": Lesson(None, {"tileCount": 10}, {"rewards": "lead", "size": 10}, 30_000),
    "pyrat": Lesson(
        "open", {"width": 5, "height": 5, "cheeseCount": 5, "maxTurns": 30}, {"rewards": "lead"}, 40_000
    ),
}

# ---- the environment ------------------------------------------------------------------------------


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


class Siege(Planes):
    """Hive: the planes, and a reward for each neighbour that the other Queen gains or the own one loses.

    Random moves surround a Queen so rarely that the results of games alone teach nothing.
    """

    WORTH = 0.1
    OWN_QUEEN, OTHER_QUEEN, HEIGHTS = 0, 14, 30
    """Planes, see ``engines/core/src/games/hive/planes.rs``."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins a new game."""
        planes, info = super().reset(seed=seed, options=options)
        self._lead = self.lead(planes)
        return planes, info

    def step(self, action: np.int64) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Plays, and adds to the reward by how much the lead grows."""
        planes, reward, is_over, is_cut, info = super().step(action)
        before, self._lead = self._lead, self.lead(planes)
        return planes, float(reward) + self.WORTH * (self._lead - before), is_over, is_cut, info

    def lead(self, planes: np.ndarray) -> int:
        """How many more neighbours the other Queen has."""
        taken = np.pad(planes[self.HEIGHTS] > 0, 1)
        return neighbours(planes[self.OTHER_QUEEN], taken) - neighbours(planes[self.OWN_QUEEN], taken)


def neighbours(queen: np.ndarray, taken: np.ndarray) -> int:
    """Of a Queen; 0 if she is not in play. ``taken`` has a border."""
    if not queen.any():
        return 0
    column, row = np.unravel_index(queen.argmax(), queen.shape)
    around = taken[column : column + 3, row : row + 3]
    return int(around.sum() - around[0, 0] - around[1, 1] - around[2, 2])


def make(game: str, seat: int, opponent: Mapping[str, Any]) -> Planes:
    """One seat against an opponent."""
    lesson = LESSONS[game]
    env = plyhouse.gymnasium_env(game, lesson.variant, lesson.config, seat=seat, **lesson.options, **opponent)
    return Siege(env) if game == "hive" else Planes(env)


def level(game: str, name: str) -> dict[str, Any]:
    """The opponent of this name: ``random``, or a level of the built-in bots."""
    if name == "random":
        return {}
    noise, samples = noise_for(game, name, 0.1), samples_for(game, name, 100)
    return {"opponent": f"native:evaluation_noise={noise}", "samples": samples}


# ---- the network ------------------------------------------------------------------------------------


class Body(BaseFeaturesExtractor):
    """Two layers of convolutions, which keep the columns and rows of the planes."""

    def __init__(self, observation_space: gymnasium.spaces.Box, channels: int = 32) -> None:
        planes, *board = observation_space.shape
        self.shape = (channels, *board)
        super().__init__(observation_space, channels * board[0] * board[1])
        self.layers = nn.Sequential()
        for inputs in (planes, channels):
            self.layers.extend([nn.Conv2d(inputs, channels, 3, padding=1), nn.ReLU()])
        self.layers.append(nn.Flatten())

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """``(games, planes, columns, rows)`` to ``(games, channels * columns * rows)``."""
        features: torch.Tensor = self.layers(planes)
        return features


class Whole(nn.Module):
    """The highest number of each channel, wherever on the board it is, and one layer on them."""

    def __init__(self, shape: tuple[int, ...], outputs: int) -> None:
        super().__init__()
        self.shape = shape
        self.layers = nn.Sequential(nn.Linear(shape[0], 64), nn.ReLU(), nn.Linear(64, outputs))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """``(games, features)`` to ``(games, outputs)``."""
        outputs: torch.Tensor = self.layers(features.unflatten(1, self.shape).amax((2, 3)))
        return outputs


class Actions(nn.Module):
    """The logits of all actions: first ``per_cell`` for each cell, then ``others``."""

    def __init__(self, shape: tuple[int, ...], per_cell: int, others: int) -> None:
        super().__init__()
        self.shape = shape
        self.cells = nn.Conv2d(shape[0], per_cell, 1)
        self.pieces = Whole(shape, per_cell)
        self.others = Whole(shape, others)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """``(games, features)`` to ``(games, actions)``."""
        cells = self.cells(features.unflatten(1, self.shape)) + self.pieces(features)[:, :, None, None]
        return torch.cat([cells.flatten(1), self.others(features)], 1)


class BoardPolicy(MaskableActorCriticPolicy):
    """For games with thousands of actions, nearly all of which are "this piece to that cell".

    A cell's actions are read from what the convolutions see around that cell, with the same weights on the whole board,
    as in AlphaZero (Silver et al. 2018). A linear layer over all actions would learn each pair of a piece and a cell by
    itself. ``per_cell``: the actions of each cell, which come first (``Position.layout.per_cell``).
    """

    def __init__(self, *arguments: object, per_cell: int, **options: object) -> None:
        self.per_cell = per_cell
        super().__init__(*arguments, features_extractor_class=Body, net_arch=[], **options)

    def _build(self, lr_schedule: Callable[[float], float]) -> None:
        self._build_mlp_extractor()
        shape = self.features_extractor.shape
        others = self.action_space.n - self.per_cell * shape[1] * shape[2]
        self.action_net = Actions(shape, self.per_cell, others)
        self.value_net = Whole(shape, 1)
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


def policy_of(game: str) -> tuple[Any, dict[str, Any]]:
    """The policy of a game and its arguments: two layers if its actions are not those of cells."""
    lesson = LESSONS[game]
    layout = plyhouse.Position(game, lesson.variant, lesson.config).layout
    if layout is None or layout.per_cell == 0:
        return "MlpPolicy", {"net_arch": [128, 128], "activation_fn": nn.ReLU}
    return BoardPolicy, {"per_cell": layout.per_cell}


# ---- learning ---------------------------------------------------------------------------------------


def score(model: MaskablePPO, game: str, games: int, opponent: Mapping[str, Any]) -> tuple[float, float]:
    """The mean value of the results in [-1, 1], half of them from each seat, and its standard error."""
    values = []
    for number in range(games):
        env = make(game, number % 2, opponent)
        observation, _ = env.reset(seed=1_000_000 + number)
        is_over = is_cut = False
        while not (is_over or is_cut):
            action, _ = model.predict(observation, action_masks=env.action_masks(), deterministic=True)
            observation, _, is_over, is_cut, _ = env.step(action)
        outcome = env.unwrapped.position.outcome  # type: ignore[attr-defined]
        values.append(outcome.values[number % 2] if outcome else 0.0)
        env.close()
    return float(np.mean(values)), float(np.std(values) / np.sqrt(games))


def tell(when: str, model: MaskablePPO, given: argparse.Namespace) -> None:
    """Prints the scores against all opponents."""
    for name in given.against:
        mean, error = score(model, given.game, given.games, level(given.game, name))
        print(f"{when} {name}: {mean:+.2f} ± {error:.2f}", flush=True)


def main() -> None:
    """Trains, and prints the score before and after."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=list(LESSONS))
    parser.add_argument("--steps", type=int, help="actions of the agent")
    parser.add_argument("--games", type=int, default=100, help="for each score")
    parser.add_argument("--against", nargs="*", default=["random"], help="random, beginner, easy, …")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    torch.set_num_threads(1)
    lesson = LESSONS[given.game]
    env = DummyVecEnv(
        [partial(make, given.game, number % 2, level(given.game, "random")) for number in range(ENVIRONMENTS)]
    )
    policy, network = policy_of(given.game)
    model = MaskablePPO(
        policy,
        env,
        gamma=lesson.gamma,
        gae_lambda=0.9,
        learning_rate=1e-3,
        n_steps=64,
        batch_size=128,
        n_epochs=4,
        clip_range=0.3,
        ent_coef=0.005,
        policy_kwargs=network,
        seed=given.seed,
    )
    tell("before", model, given)
    start = time.process_time()
    model.learn(given.steps or lesson.steps)
    print(f"{model.num_timesteps} steps in {time.process_time() - start:.0f} s of one core", flush=True)
    tell("after", model, given)


if __name__ == "__main__":
    main()
