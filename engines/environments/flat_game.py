"""One game that is played with flat actions: numbers that stand for single decisions, the same in every position."""

import operator
from collections.abc import Mapping, Sequence
from typing import Any, Literal, SupportsIndex, get_args

import numpy as np
import numpy.typing as npt

from engines import BadConfig, IllegalMove, Position, games
from engines.environments.frames import pixels, text

Rewards = Literal["result", "points", "lead"]
"""What a seat gets: the value of the result at the end, in [-1, 1]; the points that it wins in a step, those of the end
of the game included; or by how much its lead on the best of the others grows."""

RenderMode = Literal["ansi", "rgb_array"]

RENDER_MODES = list(get_args(RenderMode))

SEED = "seed"
"""The member of a configuration that decides what is random in a game."""

MOST_SEEDS = 2**53


class FlatGame:
    """A game with its seats, and what they have chosen of a move that is not complete yet."""

    def __init__(
        self,
        game: str,
        variant: str | None,
        config: Mapping[str, Any] | None,
        size: int | None,
        rewards: Rewards,
    ) -> None:
        """``size`` is that of the planes, in games whose board has no edge. Raises BadConfig for what cannot be."""
        self.config = dict(config or {})
        self.position = Position(game, variant, self.config)
        self.size = size
        self.planes = self.position.flat_shape(size)[:3]
        """The shape of an observation: planes, columns, rows."""
        self.actions = self.position.flat_shape(size)[3]
        """The flat actions of a seat are 0 to this number, exclusive."""
        if rewards not in get_args(Rewards):
            raise BadConfig(f"unknown rewards '{rewards}': one of {', '.join(get_args(Rewards))}")
        if rewards != "result" and self.position.scores is None:
            raise BadConfig("this game has no points to reward")
        self.rewards: Rewards = rewards
        self.steps = 0
        """Steps since the beginning: actions, or turns in games in which all seats act at once."""
        self._staged = ""
        self._parts: dict[int, str] = {}

    @property
    def is_random(self) -> bool:
        """Whether each seed begins another game."""
        members = next(game.members for game in games() if game.name == self.position.game)
        return SEED in members and self.config.get(SEED) is None

    @property
    def acts_together(self) -> bool:
        """Whether all seats act at once."""
        return len(self.position.to_act) > 1

    def begin(self, generator: np.random.Generator) -> None:
        """Begins a new game."""
        config = self.config
        if self.is_random:
            config = {**config, SEED: int(generator.integers(MOST_SEEDS))}
        self.position = Position(self.position.game, self.position.variant, config)
        self.steps = 0
        self._staged = ""
        self._parts.clear()

    @property
    def waiting(self) -> list[int]:
        """The seats that have to choose now; empty when the game is over."""
        return [seat for seat in self.position.to_act if seat not in self._parts]

    def observe(self, seat: int) -> npt.NDArray[np.float32]:
        """What a seat sees, of the shape ``planes``; never what another one has chosen for the same turn."""
        return self.position.observe(seat, self._staged, self.size)

    def mask(self, seat: int) -> npt.NDArray[np.int8]:
        """1 for each legal action of a seat; all 0 if it has nothing to choose."""
        mask = np.zeros(self.actions, np.int8)
        if seat in self.waiting:
            mask[self.position.flat_actions(seat, self._staged, self.size)] = 1
        return mask

    def number(self, action: SupportsIndex) -> int:
        """A flat action as a whole number. Raises TypeError for others, and IllegalMove beyond the last one."""
        number = operator.index(action)
        if not 0 <= number < self.actions:
            raise IllegalMove(f"action {number} is not legal here")
        return number

    def part(self, seat: int, action: SupportsIndex) -> str:
        """The text of the action of a seat where all act at once. Raises as ``choose``."""
        return self.position.flat_text(self.number(action), seat)[0]

    def choose(self, seat: int, action: SupportsIndex) -> list[float]:
        """A seat chooses an action; returns what each seat gets for it. Raises IllegalMove, without any effect.

        Where all seats act at once, nothing happens until the last one has chosen.
        """
        text, is_whole = self.position.flat_text(self.number(action), seat, self._staged, self.size)
        if self.acts_together:
            self._parts[seat] = text
            if self.waiting:
                return [0.0] * self.position.seats
            text = "/".join(self._parts[other] for other in self.position.to_act)
        self.steps += 1
        if not is_whole:
            self._staged = text
            return [0.0] * self.position.seats
        return self.play(text)

    def choose_together(self, actions: Sequence[SupportsIndex]) -> list[float]:
        """All seats choose at once; returns what each seat gets. Raises IllegalMove, without any effect."""
        texts = [self.part(seat, action) for seat, action in enumerate(actions)]
        self.steps += 1
        return self.play("/".join(texts))

    def play(self, move: str) -> list[float]:
        """A whole move is played; returns what each seat gets for it."""
        before = self.position.scores
        self._staged = ""
        self._parts.clear()
        self.position.play(move)
        outcome = self.position.outcome
        if self.rewards == "result" or before is None:
            return outcome.values if outcome else [0.0] * self.position.seats
        after = outcome.scores if outcome and outcome.scores else self.position.scores
        if self.rewards == "lead":
            before, after = leads(before), leads(after or before)
        return [now - then for now, then in zip(after or before, before, strict=True)]

    def render(self, mode: RenderMode | None) -> str | npt.NDArray[np.uint8] | None:
        """The position before the move that is being chosen."""
        match mode:
            case "ansi":
                return text(self.position)
            case "rgb_array":
                return pixels(self.position)
            case _:
                return None


def leads(points: list[float]) -> list[float]:
    """By how much each seat is ahead of the best of the others."""
    return [own - max(points[:seat] + points[seat + 1 :]) for seat, own in enumerate(points)]


def limit(max_cycles: int) -> int:
    """A limit of cycles, 0 for none. Raises BadConfig for a negative number."""
    if max_cycles < 0:
        raise BadConfig(f"max_cycles is {max_cycles}, not 0 or more")
    return max_cycles
