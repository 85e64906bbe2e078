"""An evaluator in numpy for any game with network planes: a small network with random weights.

    python examples/evaluators/search.py wallwars

It plays no better than its weights, but has all that a search needs: planes in, probabilities and values out.
"""

import numpy as np
import numpy.typing as npt

import plyhouse

Floats = npt.NDArray[np.float32]


class NumpyEvaluator:
    """One hidden layer. Called with planes ``(leaves, planes, dim2, dim3)``."""

    def __init__(self, position: plyhouse.Position, hidden: int = 64, seed: int = 0) -> None:
        layout = position.layout
        if layout is None:
            raise ValueError(f"{position.game} has no network planes")
        self._policies = layout.policies
        self._wins_points = position.points_unit is not None
        random = np.random.default_rng(seed)
        inputs = layout.planes * layout.dim2 * layout.dim3
        self._into = random.normal(0, inputs**-0.5, (inputs, hidden)).astype(np.float32)
        self._policy = random.normal(0, hidden**-0.5, (hidden, layout.policy)).astype(np.float32)
        self._values = random.normal(0, hidden**-0.5, (hidden, layout.values)).astype(np.float32)

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        """Probabilities ``(leaves, policy)``, adding up to 1, and values ``(leaves, values)``.

        Values are results in [-1, 1], or in games like PyRat shares in [0, 1] of the points that can still be won.
        """
        hidden = np.maximum(planes.reshape(len(planes), -1) @ self._into, 0)
        logits = (hidden @ self._policy).reshape(len(planes), self._policies, -1)
        weights = np.exp(logits - logits.max(axis=2, keepdims=True))
        policy = weights / weights.sum(axis=2, keepdims=True)
        values = np.tanh(hidden @ self._values)
        return policy.reshape(len(planes), -1), (values + 1) / 2 if self._wins_points else values
