"""The network: a residual tower that works on boards of any size, with heads that look at the cells that matter.

Convolutions see the neighbourhood of a cell; every other block adds what the whole board looks like (*global pooling*,
Wu 2019, "Accelerating Self-Play Learning in Go"). Policies for cells are read off each cell. All other outputs are
computed from the board as a whole and from the cells that the planes mark, such as where a pawn stands.
"""

from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from engines import Layout


@dataclass(frozen=True)
class Heads:
    """What the outputs of a network are, for all board sizes: the parts of a layout that do not depend on the size."""

    planes: int
    per_cell: int
    others: int
    """Entries of the policy that belong to no cell."""
    policies: int
    values: int
    anchors: tuple[tuple[int, float], ...]

    @classmethod
    def of(cls, layout: Layout) -> "Heads":
        """Those of a layout."""
        others = layout.policy - layout.per_cell * layout.dim2 * layout.dim3
        anchors = tuple((plane, number) for plane, number in layout.anchors)
        return cls(layout.planes, layout.per_cell, others, layout.policies, layout.values, anchors)


@dataclass(frozen=True)
class Size:
    """The size of a network."""

    blocks: int = 4
    channels: int = 32
    hidden: int = 64
    """Width of the layer before the outputs that belong to no cell."""


SIZES = {"small": Size(4, 32, 64), "medium": Size(6, 64, 128), "large": Size(10, 128, 256)}
"""For CPUs, for fast CPUs, and for GPUs."""


class Network(nn.Module):
    """Planes in; logits of the policy and values out."""

    def __init__(self, heads: Heads, size: Size) -> None:
        super().__init__()
        self.heads = heads
        self.size = size
        channels = size.channels
        self.entry = _convolution(heads.planes, channels)
        self.blocks = nn.ModuleList(_Block(channels, pools=number % 2 == 1) for number in range(size.blocks))
        self.cells = nn.Conv2d(channels, heads.per_cell, 1) if heads.per_cell else None
        self.summary = nn.Linear(channels * (2 + len(heads.anchors)), size.hidden)
        self.others = nn.Linear(size.hidden, heads.others)
        self.values = nn.Linear(size.hidden, heads.values)
        numbers = torch.tensor([number for _, number in heads.anchors])
        self.register_buffer("anchor_numbers", numbers.view(1, -1, 1), persistent=False)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Planes ``(batch, planes, dim2, dim3)`` in; logits ``(batch, policy)`` and values ``(batch, values)`` out.

        Values are in [-1, 1].
        """
        body = self.entry(planes)
        for block in self.blocks:
            body = block(body)
        seen = [*_pooled(body), self._anchored(body, planes)]
        summary = functional.relu(self.summary(torch.cat(seen, 1)))
        logits = self.others(summary)
        if self.cells is not None:
            logits = torch.cat([self.cells(body).flatten(1), logits], 1)
        return logits, torch.tanh(self.values(summary))

    def _anchored(self, body: Tensor, planes: Tensor) -> Tensor:
        """The channels at the marked cells, ``(batch, anchors * channels)``; of several cells, the mean."""
        marking = torch.stack([planes[:, plane] for plane, _ in self.heads.anchors], 1).flatten(2)
        marks = (marking == self.anchor_numbers).to(body.dtype)
        shares = marks / marks.sum(2, keepdim=True).clamp(min=1)
        return torch.matmul(shares, body.flatten(2).transpose(1, 2)).flatten(1)

    def describe(self) -> dict[str, Any]:
        """What ``of_description`` needs to build the same network."""
        return {"heads": asdict(self.heads), "size": asdict(self.size)}

    @classmethod
    def of_description(cls, description: dict[str, Any]) -> "Network":
        """A network as described, with new weights."""
        heads = dict(description["heads"])
        heads["anchors"] = tuple((plane, number) for plane, number in heads["anchors"])
        return cls(Heads(**heads), Size(**description["size"]))


class Answers(nn.Module):
    """The network as searches use it: probabilities instead of logits."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Priors ``(batch, policy)`` and values ``(batch, values)``."""
        logits, values = self.network(planes)
        policies = self.network.heads.policies
        if policies == 1:
            return torch.softmax(logits, 1), values
        each = logits.unflatten(1, (policies, -1))
        return torch.softmax(each, 2).flatten(1), values


class _Block(nn.Module):
    """Two convolutions around a shortcut; ``pools``: the second one also sees the whole board."""

    def __init__(self, channels: int, *, pools: bool) -> None:
        super().__init__()
        self.first = _convolution(channels, channels)
        self.board = nn.Linear(2 * channels, channels) if pools else None
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, body: Tensor) -> Tensor:
        """The same shape."""
        inner = self.first(body)
        if self.board is not None:
            inner = inner + self.board(torch.cat(_pooled(inner), 1))[:, :, None, None]
        return functional.relu(body + self.norm(self.second(inner)))


def _convolution(wide_in: int, wide_out: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(wide_in, wide_out, 3, padding=1, bias=False), nn.BatchNorm2d(wide_out), nn.ReLU()
    )


def _pooled(body: Tensor) -> list[Tensor]:
    """Means and maxima of the channels, each ``(batch, channels)``."""
    return [body.mean((2, 3)), body.amax((2, 3))]
