"""Gymnasium's interface: one seat plays against bots, which are part of the environment."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, SupportsIndex

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.logger import warn

from engines import BadConfig, IllegalMove, Position
from engines.bots import Bot, Player
from engines.environments.agents import observation_space
from engines.environments.flat_game import RENDER_MODES, FlatGame, RenderMode, Rewards, limit
from engines.pool.job import Limits

ILLEGAL = -1.0
"""The reward for an illegal action, which ends the game, as in PettingZoo."""

Observation = dict[str, npt.NDArray[Any]]


class SeatEnvironment(gymnasium.Env[Any, np.int64]):
    """A game in which one seat is the agent. A step ends when the agent has to choose again, or the game is over."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - as in the base class
        "render_modes": RENDER_MODES,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str,
        variant: str | None = None,
        config: Mapping[str, Any] | None = None,
        *,
        seat: int = 0,
        opponent: str | Sequence[str] = "random",
        samples: int = 100,
        size: int | None = None,
        rewards: Rewards = "result",
        max_cycles: int = 0,
        render_mode: RenderMode | None = None,
    ) -> None:
        """``opponent``: the bot of all other seats, or one for each in seat order, as in ``plyhouse arena``.

        ``samples``: simulations for each action of a bot that searches. ``max_cycles``: the agent's actions after
        which a game is cut off; 0 for no limit. Raises BadConfig and UnknownBot for what cannot be.
        """
        self.flat_game = FlatGame(game, variant, config, size, rewards)
        seats = self.position.seats
        if not 0 <= seat < seats:
            raise BadConfig(f"there is no seat {seat} in a game of {seats}")
        others = [other for other in range(seats) if other != seat]
        names = [opponent] * len(others) if isinstance(opponent, str) else list(opponent)
        if len(names) != len(others):
            raise BadConfig(f"{len(names)} opponents are not {len(others)}, one for each other seat")
        self.seat = seat
        self.max_cycles = limit(max_cycles)
        self.render_mode: RenderMode | None = render_mode
        self.observation_space: spaces.Space[Any] = observation_space(self.flat_game)
        self.action_space: spaces.Discrete[np.int64] = spaces.Discrete(self.flat_game.actions)
        self._bots = {other: Bot.parse(name) for other, name in zip(others, names, strict=True)}
        self._limits = Limits(samples=samples)
        self._players: dict[int, Player] = {}
        self._told = 0
        self._cycles = 0
        self._owed = 0.0
        self._is_running = False

    @property
    def position(self) -> Position:
        """The game as it stands."""
        return self.flat_game.position

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a new game, in which the bots move until it is the agent's turn."""
        super().reset(seed=seed)
        self.close()
        self.flat_game.begin(self.np_random)
        position = self.position
        for other, bot in self._bots.items():
            self._players[other] = bot.player(position, self._limits, int(self.np_random.integers(2**31)))
        self._told = len(position.history)
        self._cycles = 0
        self._owed = self._let_bots_move()
        self._is_running = True
        return self._observe(), {}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """The agent chooses, then the bots move. An illegal action ends the game with the reward -1 and a warning.

        What the agent got before its first action is part of the reward for it. Raises ResetNeeded after the end.
        """
        if not self._is_running:
            raise ResetNeeded("the game is over or has not begun: reset the environment")
        try:
            won = self._choose(action)
        except IllegalMove as refused:
            self._is_running = False
            warn(f"the game is lost: {refused}")
            return self._observe(), ILLEGAL, True, False, {"illegal": str(refused)}
        self._cycles += 1
        won += self._owed + self._let_bots_move()
        self._owed = 0.0
        is_over = not self.position.to_act
        is_cut = not is_over and 0 < self.max_cycles <= self._cycles
        self._is_running = not (is_over or is_cut)
        return self._observe(), won, is_over, is_cut, {}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, for programs that ask the environment."""
        return self.flat_game.mask(self.seat).astype(np.bool_)

    def render(self) -> Any:  # noqa: ANN401 - the interface says so
        """The position as text or as pixels, as the render mode says."""
        return self.flat_game.render(self.render_mode)

    def close(self) -> None:
        """Frees what the bots use."""
        for player in self._players.values():
            player.close()
        self._players.clear()

    def _observe(self) -> Observation:
        return {
            "observation": self.flat_game.observe(self.seat),
            "action_mask": self.flat_game.mask(self.seat),
        }

    def _choose(self, action: SupportsIndex) -> float:
        """The agent chooses; where all act at once, the bots have chosen without knowing what."""
        position = self.position
        if not self.flat_game.acts_together:
            return self.flat_game.choose(self.seat, action)[self.seat]
        part = self.flat_game.part(self.seat, action)
        parts = {other: player.choose(position, other) for other, player in self._players.items()}
        parts[self.seat] = part
        return self.flat_game.play("/".join(parts[seat] for seat in sorted(parts)))[self.seat]

    def _let_bots_move(self) -> float:
        """Plays the moves of the bots until the agent has to choose; returns what the agent gets meanwhile."""
        position, won = self.position, 0.0
        self._tell()
        while position.to_act and self.seat not in position.to_act:
            mover = position.to_act[0]
            won += self.flat_game.play(self._players[mover].choose(position, mover))[self.seat]
            self._tell()
        return won

    def _tell(self) -> None:
        """Tells the bots what was played since they were told last."""
        position = self.position
        if not position.to_act:
            return
        for move in position.history[self._told :]:
            for player in self._players.values():
                player.played(move)
        self._told = len(position.history)

    def __del__(self) -> None:
        """Frees what the bots use."""
        with suppress(AttributeError):
            self.close()
