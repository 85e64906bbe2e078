"""Fitting a perceptron to positions of self-play. Needs torch (the extra ``train``).

The target of a position is a mixture of the value that a search found and the result of the game. The loss is the mean
squared difference in value, and the optimiser Adam with one cycle of its rate (Smith and Topin 2019,
"Super-Convergence").
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from engines.training.features import FeatureExamples
from engines.training.perceptron import UNITS, Floats

LARGEST_WEIGHT = 3.0
"""Of an input for a unit, so that the sums of whole numbers stay within 16 bits."""

VALIDATION = 20
"""One game in so many is not learnt from."""


@dataclass(frozen=True)
class FitOptions:
    """How a network is fitted."""

    value_share: float = 0.7
    """The share of the search's value in the target; the rest is the result, where it is known."""
    epochs: int = 20
    batch: int = 4096
    rate: float = 5e-3
    """The largest rate of the optimiser."""
    seed: int = 0


@dataclass(frozen=True)
class Fitted:
    """A fitted network, and its mean squared errors in games that it did not learn from."""

    network: Floats
    value_error: float
    """Against the values that the search found."""
    result_error: float
    """Against the results."""


class _Network(torch.nn.Module):
    """Inputs to values."""

    def __init__(self, inputs: int, generator: torch.Generator) -> None:
        super().__init__()

        def normal(*shape: int, size: float) -> torch.nn.Parameter:
            return torch.nn.Parameter(torch.randn(*shape, generator=generator) * size)

        self.rows = normal(inputs, UNITS, size=0.08)
        self.bias = torch.nn.Parameter(torch.full((UNITS,), 0.4))
        self.output = normal(UNITS, size=0.2)
        self.direct = torch.nn.Parameter(torch.zeros(inputs))
        self.output_bias = torch.nn.Parameter(torch.zeros(1))

    def forward(self, counts: torch.Tensor) -> torch.Tensor:
        units = (counts @ self.rows + self.bias).clamp(0, 1)
        points = units @ self.output + counts @ self.direct + self.output_bias
        return points / torch.sqrt(1 + points * points)

    def floats(self) -> Floats:
        parameters = (self.rows, self.bias, self.output, self.direct, self.output_bias)
        return Floats(*(each.detach().numpy().astype(np.float64) for each in parameters))


def fit(examples: FeatureExamples, options: FitOptions) -> Fitted:
    """Fits a network. Raises ValueError if there are too few examples for one batch, or none for validation."""
    apart = examples.games % VALIDATION == 0
    if (~apart).sum() < options.batch or not apart.any():
        raise ValueError(f"{len(examples)} examples are too few for batches of {options.batch}")
    generator = torch.Generator().manual_seed(options.seed)
    inputs = torch.from_numpy(examples.features.reshape(len(examples), -1))
    targets = torch.from_numpy(targets_of(examples, options.value_share))
    network = _Network(inputs.shape[1], generator)
    learnt = torch.from_numpy(np.flatnonzero(~apart))
    batches = len(learnt) // options.batch
    optimiser = torch.optim.Adam(network.parameters(), lr=options.rate)
    steps = options.epochs * batches
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, options.rate, total_steps=steps, pct_start=0.1)
    for _ in range(options.epochs):
        order = learnt[torch.randperm(len(learnt), generator=generator)]
        for rows in order[: batches * options.batch].split(options.batch):
            loss = ((network(inputs[rows].float()) - targets[rows]) ** 2).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            with torch.no_grad():
                network.rows.clamp_(-LARGEST_WEIGHT, LARGEST_WEIGHT)
    with torch.no_grad():
        values = network(inputs[torch.from_numpy(apart)].float()).numpy()
    return Fitted(
        network.floats(),
        float(np.mean((values - examples.values[apart]) ** 2)),
        float(np.nanmean((values - examples.results[apart]) ** 2)),
    )


def targets_of(examples: FeatureExamples, value_share: float) -> npt.NDArray[np.float32]:
    """What each position is said to be worth, in [-1, 1]."""
    mixed = value_share * examples.values + (1 - value_share) * examples.results
    targets: npt.NDArray[np.float32] = np.where(np.isnan(mixed), examples.values, mixed).astype(np.float32)
    return targets
