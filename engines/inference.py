"""The seam between searches and networks: planes in, priors and values out.

A model sees rows of planes and knows no game; how a game fills them is the core's business
(``engines/core/src/planes.rs``). Called by the pool only, from one thread per model.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

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


class Model(Protocol):
    """Something that evaluates rows of planes."""

    @property
    def name(self) -> str:
        """Named as the source of its evaluations."""

    @property
    def provider(self) -> str:
        """Where it really computes, such as ``cpu`` or ``cuda``."""

    @property
    def signature(self) -> Signature:
        """Which games it can evaluate follows from this alone."""

    def evaluate(self, planes: Array) -> tuple[Array, Array]:
        """Evaluates ``(rows, planes, dim2, dim3)``.

        Returns priors ``(rows, policy)``, probabilities, and values ``(rows, values)`` in [-1, 1].
        """


class UniformModel:
    """A model without knowledge: every action equally likely, every position even."""

    name = "uniform"
    provider = "cpu"

    def __init__(self, signature: Signature) -> None:
        self.signature = signature

    def evaluate(self, planes: Array) -> tuple[Array, Array]:
        """Uniform priors and zeros, in the shapes of the signature."""
        rows = planes.shape[0]
        priors = np.full((rows, self.signature.policy), 1.0 / self.signature.policy, np.float32)
        return priors, np.zeros((rows, self.signature.values), np.float32)
