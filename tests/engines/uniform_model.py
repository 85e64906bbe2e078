"""A network without knowledge, for tests of what surrounds networks."""

from collections.abc import Mapping

import numpy as np

from engines.game_calibration import GameCalibration
from engines.inference import Array, Signature


class UniformModel:
    """A model without knowledge: equal probabilities for all actions, value 0 for all positions."""

    name = "uniform"
    provider = "cpu"
    workers = 1

    def __init__(self, signature: Signature) -> None:
        self.signature = signature
        self.calibrations: Mapping[str, GameCalibration] = {}

    def capacity(self, wanted: int) -> int:
        """Accepts any number of rows."""
        return wanted

    def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
        """Returns uniform priors and zero values, in the shapes of the signature."""
        del planes
        priors = np.full((rows, self.signature.policy), 1.0 / self.signature.policy, np.float32)
        return priors, np.zeros((rows, self.signature.values), np.float32)
