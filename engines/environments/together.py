"""PettingZoo's Parallel interface, for games in which all seats act at once."""

from typing import Any

import numpy.typing as npt
from gymnasium.error import ResetNeeded
from pettingzoo import ParallelEnv

from engines import BadConfig
from engines.environments.agents import SeatAgents
from engines.environments.flat_game import FlatGame, RenderMode

Observations = dict[str, dict[str, npt.NDArray[Any]]]


class TogetherEnvironment(SeatAgents, ParallelEnv[str, dict[str, npt.NDArray[Any]], int]):
    """A game whose seats all choose an action in every step."""

    def __init__(
        self, flat_game: FlatGame, max_cycles: int = 0, render_mode: RenderMode | None = None
    ) -> None:
        """See ``SeatAgents``. Raises BadConfig for games whose seats act one after the other."""
        super().__init__(flat_game, max_cycles, render_mode)
        if not flat_game.acts_together:
            raise BadConfig(f"the seats of {self.position.game} act one after the other: use env")

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, dict[str, Any]]]:
        """Begins a new game; without a seed, with the next random numbers."""
        self._begin(seed)
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

    def _observations(self) -> Observations:
        return {
            agent: {"observation": self.flat_game.observe(seat), "action_mask": self.flat_game.mask(seat)}
            for seat, agent in enumerate(self.agents)
        }
