"""PettingZoo's AEC interface (agents act one after the other), for every game."""

from typing import Any

import numpy.typing as npt
from pettingzoo import AECEnv

from engines.environments.agents import SeatAgents


class TurnEnvironment(SeatAgents, AECEnv[str, dict[str, npt.NDArray[Any]], int]):
    """A game whose seats are agents that choose one action at a time.

    A move may take several actions of one agent. Where all seats act at once, the choices of the others stay hidden
    until the last one has chosen.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game; without a seed, with the next random numbers."""
        self._begin(seed)
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
