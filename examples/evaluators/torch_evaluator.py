"""An evaluator in PyTorch for any game with network planes: a small convolutional network with random weights.

    python examples/evaluators/search.py pyrat torch_evaluator:TorchEvaluator

Needs torch. The search calls the evaluator in the thread that runs it and holds the GIL only meanwhile; torch releases
the GIL while it computes.
"""

import numpy as np
import numpy.typing as npt
import torch

import plyhouse

Floats = npt.NDArray[np.float32]


class TorchEvaluator:
    """A body and two heads, on any device. Called with planes ``(leaves, planes, dim2, dim3)``."""

    def __init__(self, position: plyhouse.Position, channels: int = 32, device: str = "cpu") -> None:
        layout = position.layout
        if layout is None:
            raise ValueError(f"{position.game} has no network planes")
        self._policies = layout.policies
        self._wins_points = position.points_unit is not None
        self._device = device
        body = torch.nn.Sequential(
            torch.nn.Conv2d(layout.planes, channels, 3, padding=1),
            torch.nn.ReLU(),
            torch.nn.Conv2d(channels, channels, 3, padding=1),
            torch.nn.ReLU(),
            torch.nn.Flatten(),
        )
        features = channels * layout.dim2 * layout.dim3
        policy = torch.nn.Linear(features, layout.policy)
        values = torch.nn.Linear(features, layout.values)
        self._body, self._policy, self._values = (part.to(device).eval() for part in (body, policy, values))

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        """Probabilities ``(leaves, policy)`` and values ``(leaves, values)``, in the memory of the CPU.

        Values are results in [-1, 1], or in games like PyRat shares in [0, 1] of the points that can still be won.
        """
        with torch.inference_mode():
            features = self._body(torch.from_numpy(planes).to(self._device))
            logits = self._policy(features).unflatten(1, (self._policies, -1))
            policy = logits.softmax(dim=2).flatten(1)
            values = torch.tanh(self._values(features))
            if self._wins_points:
                values = (values + 1) / 2
        return policy.cpu().numpy(), values.cpu().numpy()
