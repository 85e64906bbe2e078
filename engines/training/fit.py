"""Fitting a network to examples: a fixed number of steps on random batches, with an average of the weights.

The loss is the cross-entropy of the policies plus the squared error of the values, which are a mixture of what the
search said and how the game ended. Played and exported are the averaged weights (an exponential moving average), which
are less noisy than the latest ones.
"""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from engines.training.examples import Examples, by_size
from engines.training.network import Network
from engines.training.settings import Fit

Permutations = Sequence[tuple[Sequence[int], Sequence[int], Sequence[int]]]
"""Symmetries of a board: permutations of the input row, of the policy and of the values."""


@dataclass
class Losses:
    """Mean losses of some steps."""

    policy: float = 0.0
    value: float = 0.0
    steps: int = 0

    def add(self, policy: float, value: float) -> None:
        """Adds a step."""
        self.policy += (policy - self.policy) / (self.steps + 1)
        self.value += (value - self.value) / (self.steps + 1)
        self.steps += 1

    def joined(self, later: "Losses") -> "Losses":
        """The mean losses of these steps and later ones."""
        steps = self.steps + later.steps
        share = later.steps / max(1, steps)
        policy = self.policy + (later.policy - self.policy) * share
        return Losses(policy, self.value + (later.value - self.value) * share, steps)


class Trainer:
    """A network, the average of its weights, and the optimiser."""

    def __init__(self, network: Network, settings: Fit, seed: int) -> None:
        self._settings = settings
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._network = network.to(self._device, memory_format=torch.channels_last)
        self.averaged = copy.deepcopy(self._network).eval()
        self._optimiser = torch.optim.AdamW(
            self._network.parameters(), lr=settings.rate, weight_decay=settings.decay
        )
        self._random = np.random.default_rng(seed)
        self.steps = 0

    def state(self) -> dict[str, Any]:
        """Everything that ``restore`` needs to go on as if nothing had happened."""
        return {
            "description": self._network.describe(),
            "network": self._network.state_dict(),
            "averaged": self.averaged.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "steps": self.steps,
            "random": self._random.bit_generator.state,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continues from a ``state``."""
        self._network.load_state_dict(state["network"])
        self.averaged.load_state_dict(state["averaged"])
        self._optimiser.load_state_dict(state["optimiser"])
        self.steps = state["steps"]
        self._random.bit_generator.state = state["random"]

    def fit(
        self,
        parts: Sequence[Examples],
        symmetries: Callable[[Examples], Permutations],
        steps: int,
        rate: float = 1.0,
        watch: Callable[[float], None] = lambda done: None,
    ) -> Losses:
        """Takes ``steps`` steps on batches from ``parts``, each with one of the ``symmetries`` of its board or none.

        ``rate`` scales the learning rate. ``watch`` is called with the share of the steps that are done.
        """
        boards = by_size(parts)
        sizes = np.array([len(each) for each in boards], float)
        symmetric = [_index(symmetries(each), self._device) for each in boards]
        losses = Losses()
        self._network.train()
        for step in range(steps):
            watch(step / steps)
            self._set_rate(rate)
            number = int(self._random.choice(len(boards), p=sizes / sizes.sum()))
            losses.add(*self._step(boards[number], symmetric[number]))
        return losses

    def measure(self, examples: Examples) -> Losses:
        """The losses of the averaged network on examples that it does not learn from."""
        losses = Losses()
        for start in range(0, len(examples), self._settings.batch):
            rows = np.arange(start, min(len(examples), start + self._settings.batch))
            with torch.no_grad():
                policy, value = self._loss(self.averaged, *self._batch(examples, rows, []))
            losses.add(float(policy), float(value))
        return losses

    def _set_rate(self, scale: float) -> None:
        warm = min(1.0, (self.steps + 1) / self._settings.warm_up)
        for group in self._optimiser.param_groups:
            group["lr"] = self._settings.rate * warm * scale

    def _step(
        self, examples: Examples, symmetries: list[tuple[Tensor, Tensor, Tensor]]
    ) -> tuple[float, float]:
        rows = self._random.integers(len(examples), size=self._settings.batch)
        batch = self._batch(examples, rows, symmetries)
        with torch.autocast(self._device.type, torch.bfloat16):
            policy, value = self._loss(self._network, *batch)
        self._optimiser.zero_grad(set_to_none=True)
        (policy + self._settings.value_weight * value).backward()
        nn.utils.clip_grad_norm_(self._network.parameters(), 5.0)
        self._optimiser.step()
        self.steps += 1
        self._average()
        return float(policy.detach()), float(value.detach())

    def _batch(
        self,
        examples: Examples,
        rows: "np.typing.NDArray[np.integer]",
        symmetries: list[tuple[Tensor, Tensor, Tensor]],
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Planes, policies and values of some rows, as the board is or as one of its mirror images."""
        share = self._settings.result_share
        planes = torch.from_numpy(examples.planes[rows]).to(self._device, torch.float32)
        policy = torch.from_numpy(examples.policy[rows]).to(self._device, torch.float32)
        mixed = share * examples.result[rows] + (1 - share) * examples.searched[rows]
        values = torch.from_numpy(mixed).to(self._device)
        chosen = int(self._random.integers(len(symmetries) + 1)) if symmetries else 0
        if chosen > 0:
            inputs, policies, seats = symmetries[chosen - 1]
            planes = planes.flatten(1)[:, inputs].view_as(planes)
            policy, values = policy[:, policies], values[:, seats]
        planes = planes.contiguous(memory_format=torch.channels_last)
        return planes, policy, values

    def _loss(
        self, network: nn.Module, planes: Tensor, policy: Tensor, values: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Cross-entropy of the policies (their sum), and the mean squared error of the values."""
        logits, found = network(planes)
        each = (len(logits), self.averaged.heads.policies, -1)
        chances = functional.log_softmax(logits.float().view(each), 2)
        cross = -(policy.view(each) * chances).sum((1, 2)).mean()
        return cross, functional.mse_loss(found.float(), values)

    def _average(self) -> None:
        keep = min(self._settings.averaged, (1 + self.steps) / (10 + self.steps))
        mine, latest = self.averaged.state_dict(), self._network.state_dict()  # detached
        for name, average in mine.items():
            if average.dtype.is_floating_point:
                average.lerp_(latest[name], 1 - keep)
            else:
                average.copy_(latest[name])


def _index(symmetries: Permutations, device: torch.device) -> list[tuple[Tensor, Tensor, Tensor]]:
    return [
        (
            torch.tensor(inputs, device=device),
            torch.tensor(policy, device=device),
            torch.tensor(values, device=device),
        )
        for inputs, policy, values in symmetries
    ]
