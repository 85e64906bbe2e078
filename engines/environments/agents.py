"""The seats of a game as the agents of PettingZoo: their names and spaces."""

import functools
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding

from engines import Position
from engines.environments.flat_game import RENDER_MODES, FlatGame, RenderMode, limit

HIGHEST = 4.0
"""No number in a plane is larger; most are at most 1. None is negative."""


def observation_space(flat_game: FlatGame) -> spaces.Dict:
    """The planes, and which actions are legal."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, HIGHEST, flat_game.planes, np.float32),
            "action_mask": spaces.Box(0, 1, (flat_game.actions,), np.int8),
        }
    )


class SeatAgents:
    """What PettingZoo's two interfaces have in common; see their environments."""

    def __init__(
        self, flat_game: FlatGame, max_cycles: int = 0, render_mode: RenderMode | None = None
    ) -> None:
        """``max_cycles``: the actions (where all act at once: turns) after which a game is cut off; 0 for no limit."""
        super().__init__()
        self.flat_game = flat_game
        self.max_cycles = limit(max_cycles)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.position.seats)]
        self.agents: list[str] = []
        self.metadata: dict[str, Any] = {
            "name": f"plyhouse_{self.position.game}_v0",
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self._generator, _ = seeding.np_random(None)

    @property
    def position(self) -> Position:
        """The game as it stands."""
        return self.flat_game.position

    @functools.cache  # noqa: B019 - the interface asks that an agent's space is always one object
    def observation_space(self, agent: str) -> spaces.Dict:
        """The planes that an agent sees and the mask of its legal actions."""
        return observation_space(self.flat_game)

    @functools.cache  # noqa: B019 - as above
    def action_space(self, agent: str) -> spaces.Discrete:
        """The flat actions."""
        return spaces.Discrete(self.flat_game.actions)

    def render(self) -> Any:  # noqa: ANN401 - the interfaces say so
        """The position as text or as pixels, as the render mode says."""
        return self.flat_game.render(self.render_mode)

    def close(self) -> None:
        """Nothing is open."""

    def _begin(self, seed: int | None) -> None:
        """Begins a new game; without a seed, with the next random numbers."""
        if seed is not None:
            self._generator, _ = seeding.np_random(seed)
        self.flat_game.begin(self._generator)
        self.agents = list(self.possible_agents)
