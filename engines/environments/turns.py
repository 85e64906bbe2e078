"""PettingZoo's AEC interface (agents act one after the other), for every game."""

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from engines import Position
from engines.environments.flat_game import RENDER_MODES, FlatGame, RenderMode, Rewards, limit

HIGHEST = 4.0
"""No number in a plane is larger; most are at most 1. None is negative."""


def agent_names(seats: int) -> list[str]:
    """The agents of a game, by seat."""
    return [f"seat_{seat}" for seat in range(seats)]


def observation_space(flat_game: FlatGame) -> spaces.Dict:
    """The planes, and which actions are legal."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, HIGHEST, flat_game.planes, np.float32),
            "action_mask": spaces.Box(0, 1, (flat_game.actions,), np.int8),
        }
    )


class TurnEnvironment(AECEnv[str, dict[str, npt.NDArray[Any]], int]):
    """A game whose seats are agents that choose one action at a time.

    A move may take several actions of one agent. Where all seats act at once, the choices of the others stay hidden
    until the last one has chosen.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as in the base class
        "name": "plyhouse_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": 2,
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
        """``max_cycles``: the actions (where all act at once: turns) after which a game is cut off; 0 for no limit."""
        super().__init__()
        self.flat_game = FlatGame(game, variant, config, size, rewards)
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

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game; without a seed, with the next random numbers."""
        if seed is not None:
            self._generator, _ = seeding.np_random(seed)
        self.flat_game.begin(self._generator)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.flat_game.waiting[0]]

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """What an agent sees; its mask is all 0 unless it has to choose."""
        seat = self.possible_agents.index(agent)
        return {"observation": self.flat_game.observe(seat), "action_mask": self.flat_game.mask(seat)}

    def step(self, action: int | None) -> None:
        """The selected agent chooses; an agent that is done chooses None. Raises IllegalMove, without any effect."""
        agent = self.agent_selection
        if action is None or self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        won = self.flat_game.choose(self.possible_agents.index(agent), action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, won, strict=True))
        is_over = not self.position.to_act
        is_cut = not is_over and 0 < self.max_cycles <= self.flat_game.steps
        self.terminations = dict.fromkeys(self.agents, is_over)
        self.truncations = dict.fromkeys(self.agents, is_cut)
        if is_over or is_cut:
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.flat_game.waiting[0]]
        self._accumulate_rewards()

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The position as text or as pixels, as the render mode says."""
        return self.flat_game.render(self.render_mode)

    def close(self) -> None:
        """Nothing is open."""
