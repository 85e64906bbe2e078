"""PettingZoo's Parallel interface, for games in which all seats act at once."""

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from pettingzoo import ParallelEnv

from engines import BadConfig, Position
from engines.environments.flat_game import RENDER_MODES, FlatGame, RenderMode, Rewards, limit
from engines.environments.turns import agent_names, observation_space

Observations = dict[str, dict[str, npt.NDArray[Any]]]


class TogetherEnvironment(ParallelEnv[str, dict[str, npt.NDArray[Any]], int]):
    """A game whose seats all choose an action in every step."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - as in the base class
        "name": "plyhouse_v0",
        "render_modes": RENDER_MODES,
        "render_fps": 4,
    }

    def __init__(
        self,
        game: str,
        variant: str | None = None,
        config: Mapping[str, Any] | None = None,
        *,
        size: int | None = None,
        rewards: Rewards = "result",
        max_cycles: int = 0,
        render_mode: RenderMode | None = None,
    ) -> None:
        """``max_cycles``: the turns after which a game is cut off; 0 for no limit. Raises BadConfig for other games."""
        self.flat_game = FlatGame(game, variant, config, size, rewards)
        if not self.flat_game.acts_together:
            raise BadConfig(f"the seats of {game} act one after the other: use env")
        self.max_cycles = limit(max_cycles)
        self.render_mode = render_mode
        self.possible_agents = agent_names(self.position.seats)
        self.agents: list[str] = []
        self.metadata = {**self.metadata, "name": f"plyhouse_{game}_v0"}
        self._generator, _ = seeding.np_random(None)

    @property
    def position(self) -> Position:
        """The game as it stands."""
        return self.flat_game.position

    @functools.cache  # noqa: B019 - the interface asks that an agent's space is always one object
    def observation_space(self, agent: str) -> spaces.Dict:
        """The planes that an agent sees and the mask of its legal actions."""
        return observation_space(self.flat_game)

    @functools.cache  # noqa: B019
    def action_space(self, agent: str) -> spaces.Discrete:
        """The flat actions."""
        return spaces.Discrete(self.flat_game.actions)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, dict[str, Any]]]:
        """Begins a new game; without a seed, with the next random numbers."""
        if seed is not None:
            self._generator, _ = seeding.np_random(seed)
        self.flat_game.begin(self._generator)
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Plays a turn. Raises IllegalMove, without any effect, and ResetNeeded after the end."""
        agents = self.agents
        if not agents:
            raise ResetNeeded("the game is over or has not begun: reset the environment")
        won = self.flat_game.choose_together([actions[agent] for agent in agents])
        is_over = not self.position.to_act
        is_cut = not is_over and 0 < self.max_cycles <= self.flat_game.steps
        observations = self._observations()
        if is_over or is_cut:
            self.agents = []
        return (
            observations,
            dict(zip(agents, won, strict=True)),
            dict.fromkeys(agents, is_over),
            dict.fromkeys(agents, is_cut),
            {agent: {} for agent in agents},
        )

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The position as text or as pixels, as the render mode says."""
        return self.flat_game.render(self.render_mode)

    def close(self) -> None:
        """Nothing is open."""

    def _observations(self) -> Observations:
        return {
            agent: {"observation": self.flat_game.observe(seat), "action_mask": self.flat_game.mask(seat)}
            for seat, agent in enumerate(self.agents)
        }
