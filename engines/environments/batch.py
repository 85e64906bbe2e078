"""Many games at once, played by the core: one call a step, arrays in and out."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from engines import Environments


@dataclass(frozen=True, slots=True)
class BatchStep:
    """What a step leads to. The arrays are overwritten by the next step; their first axis are the games."""

    observations: npt.NDArray[np.float32]
    """What the seat to act sees, ``(games, planes, columns, rows)``; where all act, ``(games, seats, planes, …)``.

    Of a game that ended or was cut off, it is that of the next; ``final_observations`` has the last one.
    """

    masks: npt.NDArray[np.bool_]
    """Its legal actions, ``(games, actions)``; where all seats act at once, ``(games, seats, actions)``."""

    seats: npt.NDArray[np.int64]
    """The seat to act, ``(games,)``; 0 where all act at once."""

    rewards: npt.NDArray[np.float32]
    """What each seat gets for the step, ``(games, seats)``."""

    terminated: npt.NDArray[np.bool_]
    """Whether the game ended in the step, ``(games,)``. The next one has begun."""

    truncated: npt.NDArray[np.bool_]
    """The same for games that were cut off."""


@dataclass(frozen=True, slots=True)
class FinalObservations:
    """The games that ended or were cut off in a step, as they were then. The first axis are these games."""

    games: npt.NDArray[np.uintp]
    """Their numbers, ascending: ``np.flatnonzero(step.terminated | step.truncated)``."""

    observations: npt.NDArray[np.float32]
    """What every seat sees, ``(ended, seats, planes, columns, rows)``."""

    masks: npt.NDArray[np.bool_]
    """Its legal actions, ``(ended, seats, actions)``: none where the game ended, or another seat is to act."""


class BatchEnvironment:
    """Games of one kind that go on in step. Each ends by itself and begins again, with another seed.

    For one thread at a time.
    """

    def __init__(self, core: Environments) -> None:
        self._core = core
        games = self.games = core.games
        self.seats = core.seats
        """Seats of a game."""
        self.choosing = core.choosing
        """Seats that choose in a step: all of them where all act at once, otherwise 1."""
        self.planes = core.planes
        """The shape of an observation: planes, columns, rows."""
        self.actions = core.actions
        """The flat actions of a seat are 0 to this number, exclusive."""
        self._masks = np.zeros((games, core.choosing, core.actions), np.bool_)
        self._planes = np.zeros((games, core.choosing, *core.planes), np.float32)
        self._step = BatchStep(
            self._planes if core.choosing > 1 else self._planes[:, 0],
            self._masks if core.choosing > 1 else self._masks[:, 0],
            np.zeros(games, np.int64),
            np.zeros((games, core.seats), np.float32),
            np.zeros(games, np.bool_),
            np.zeros(games, np.bool_),
        )

    def reset(self, seed: int = 0) -> BatchStep:
        """Begins all games. The same seed and actions give the same games, with any number of threads."""
        self._core.reset(seed, self._arrays())
        return self._step

    def step(self, actions: npt.NDArray[np.integer[Any]]) -> BatchStep:
        """Plays an action in each game: ``(games,)``, or ``(games, seats)`` where all seats act at once.

        Raises IllegalMove if one of them is illegal, before any is played, ValueError for another shape, and TypeError
        for numbers that are not whole.
        """
        chosen = np.asarray(actions)
        if chosen.dtype.kind not in "iu":
            raise TypeError(f"actions are whole numbers, not {chosen.dtype}")
        wanted = (self.games, self.choosing) if self.choosing > 1 else (self.games,)
        if chosen.shape != wanted:
            raise ValueError(f"actions have the shape {chosen.shape}, not {wanted}")
        rows = np.ascontiguousarray(chosen, np.int64).reshape(self.games, self.choosing)
        self._core.step(rows, self._arrays())
        return self._step

    def final_observations(self) -> FinalObservations:
        """The last observations of the games that ended or were cut off in the last step, to estimate their values.

        They are computed now, so that a step costs nothing more.
        """
        return FinalObservations(*self._core.final_observations())

    def sample(self, generator: np.random.Generator) -> npt.NDArray[np.int64]:
        """A uniformly random legal action for each game, in the shape that ``step`` takes."""
        actions = self._core.sample(int(generator.integers(2**63)))
        return actions if self.choosing > 1 else actions[:, 0]

    def _arrays(self) -> tuple[Any, ...]:
        step = self._step
        return (
            self._planes,
            self._masks,
            step.seats,
            step.rewards,
            step.terminated,
            step.truncated,
        )
