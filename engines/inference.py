"""The interface between searches and networks: planes in, priors and values out.

A model evaluates rows of planes and is independent of the game; the core fills the planes
(``engines/core/src/planes.rs``). Called by the pool's threads and by bots; implemented in ``onnx_model.py``.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from engines import Position

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
    def signature(self) -> Signature:
        """The tensor shapes. They alone decide which games the model can evaluate."""

    @property
    def workers(self) -> int:
        """Number of threads worth calling it from at the same time."""

    def capacity(self, wanted: int) -> int:
        """Rows of the input buffer to allocate if up to ``wanted`` leaves are evaluated at once."""

    def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
        """Evaluates the first ``rows`` rows of ``(capacity, planes, dim2, dim3)`` and ignores the others.

        Returns priors ``(rows, policy)``, which are probabilities, and values ``(rows, values)`` in [-1, 1]. A row's
        result does not depend on the other rows in the buffer.
        """
