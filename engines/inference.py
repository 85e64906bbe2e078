"""The interface between searches and networks: planes in, priors and values out.

A model evaluates rows of planes and is independent of the game; the core fills the planes
(``engines/core/src/planes.rs``). Called by the pool's threads and by bots; implemented in ``onnx_model.py`` and
``torch_model.py``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from engines import Position
from engines.game_calibration import GameCalibration
from engines.model_metadata import BoardRange

Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Signature:
    """The tensor shapes of a model, without the batch dimension."""

    planes: int
    dim2: int
    dim3: int
    policy: int
    values: int = 1
    """1: the value for the seat to act; otherwise one value per seat."""
    policies: int = 1
    """Number of policies of equal length in ``policy``, one after another: one per seat where seats act together."""

    def __str__(self) -> str:
        return (
            f"[batch, {self.planes}, {self.dim2}, {self.dim3}] -> "
            f"[batch, {self.policy}], [batch, {self.values}]"
        )

    @property
    def area(self) -> int:
        """Cells per plane: the measure by which models are sorted by size."""
        return self.dim2 * self.dim3

    def refusal(self, position: Position) -> str | None:
        """Why a model with these shapes cannot evaluate the position's game; ``None`` if it can."""
        return position.fits(self.planes, self.dim2, self.dim3, self.policy, self.values)

    def at(self, position: Position) -> "Signature":
        """The shapes with which the model evaluates the position: these, whatever the board, which the core pads."""
        del position
        return self


@dataclass(frozen=True)
class BoardSignature:
    """The shapes of a model that evaluates every board of a game at its own size."""

    game: str
    boards: BoardRange

    def __str__(self) -> str:
        return f"{self.game} on boards {self.boards}"

    def refusal(self, position: Position) -> str | None:
        """As ``Signature.refusal``."""
        if position.game != self.game:
            return f"the model was made for {self.game}"
        shapes = exact_signature(position)
        if shapes is None:
            return f"models do not support {position.game}"
        if (shapes.dim2, shapes.dim3) not in self.boards:
            return f"a {shapes.dim2}x{shapes.dim3} board is outside the model's {self.boards}"
        return shapes.refusal(position)

    def at(self, position: Position) -> Signature:
        """The shapes for the position's board. Raises ValueError if the model refuses the position."""
        shapes = exact_signature(position)
        if shapes is None:
            raise ValueError(f"models do not support {position.game}")
        return shapes


def exact_signature(position: Position) -> Signature | None:
    """The shapes of a model for exactly the position's board; None if models do not support the game."""
    layout = position.layout
    if layout is None:
        return None
    return Signature(layout.planes, layout.dim2, layout.dim3, layout.policy, layout.values, layout.policies)


class ModelError(Exception):
    """A network cannot be used, or returned unusable numbers. The text is one line."""


class Model(Protocol):
    """Evaluates rows of planes. Thread-safe."""

    @property
    def name(self) -> str:
        """The ``source`` of the model's evaluations."""

    @property
    def provider(self) -> str:
        """The device actually used, such as ``cpu`` or ``cuda``."""

    @property
    def signature(self) -> Signature | BoardSignature:
        """The tensor shapes. They alone decide which games the model can evaluate."""

    @property
    def calibrations(self) -> Mapping[str, GameCalibration]:
        """What its values are worth, by variant; a variant without an entry was not measured."""

    @property
    def workers(self) -> int:
        """Number of threads worth calling it from at the same time."""

    def capacity(self, wanted: int) -> int:
        """Rows of the input buffer to allocate if up to ``wanted`` leaves are evaluated at once."""

    def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
        """Evaluates the first ``rows`` rows of ``(capacity, planes, dim2, dim3)`` and ignores the others.

        Returns priors ``(rows, policy)``, which are probabilities, and values ``(rows, values)`` in [-1, 1]. A row's
        result does not depend on the other rows in the buffer. Raises ModelError.
        """


def choose(models: Sequence[Model], position: Position) -> Model | None:
    """The model for a position's game: of those that fit, the first one with the smallest board; None if none fits.

    So a model that evaluates the board at its own size comes before one that pads it.
    """
    fitting = [model for model in models if model.signature.refusal(position) is None]
    return min(fitting, key=lambda model: model.signature.at(position).area, default=None)
