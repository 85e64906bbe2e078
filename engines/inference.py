"""The seam between searches and networks: planes in, priors and values out.

A model sees rows of planes and knows no game; how a game fills them is the core's business
(``engines/core/src/planes.rs``). Called by the pool's threads and by bots; ``onnx_model.py`` implements it.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from engines import Position

Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Signature:
    """The tensor shapes of a model, batch dimension left out."""

    planes: int
    dim2: int
    dim3: int
    policy: int
    values: int = 1
    """1: the value for the seat to act; otherwise one per seat."""

    def __str__(self) -> str:
        return (
            f"[batch, {self.planes}, {self.dim2}, {self.dim3}] -> "
            f"[batch, {self.policy}], [batch, {self.values}]"
        )

    @property
    def area(self) -> int:
        """Cells of a plane: what makes a model large or small."""
        return self.dim2 * self.dim3

    def refusal(self, position: Position) -> str | None:
        """Why a model of these shapes cannot evaluate the position's game; ``None`` when it can."""
        return position.fits(self.planes, self.dim2, self.dim3, self.policy, self.values)


class ModelError(Exception):
    """A network that cannot be used, or an answer of it that cannot; the text is one line."""


class Model(Protocol):
    """Something that evaluates rows of planes. Any number of threads may call it."""

    @property
    def name(self) -> str:
        """Named as the source of its evaluations."""

    @property
    def provider(self) -> str:
        """Where it really computes, such as ``cpu`` or ``cuda``."""

    @property
    def signature(self) -> Signature:
        """Which games it can evaluate follows from this alone."""

    @property
    def workers(self) -> int:
        """Threads that may usefully call it at the same time."""

    def capacity(self, wanted: int) -> int:
        """Rows of the buffers that it is to be called with, where at most ``wanted`` leaves come at once."""

    def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
        """Evaluates the first ``rows`` of ``(capacity, planes, dim2, dim3)``; the others hold any numbers.

        Returns priors ``(rows, policy)``, probabilities, and values ``(rows, values)`` in [-1, 1], each row by itself:
        whatever else is in the buffer makes no difference to it.
        """


class UniformModel:
    """A model without knowledge: every action equally likely, every position even."""

    name = "uniform"
    provider = "cpu"
    workers = 1

    def __init__(self, signature: Signature) -> None:
        self.signature = signature

    def capacity(self, wanted: int) -> int:
        """Takes whatever comes."""
        return wanted

    def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
        """Uniform priors and zeros, in the shapes of the signature."""
        del planes
        priors = np.full((rows, self.signature.policy), 1.0 / self.signature.policy, np.float32)
        return priors, np.zeros((rows, self.signature.values), np.float32)
