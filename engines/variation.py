"""How a bot differs from the best play of its search: by errors of evaluations, drawn from a seed.

Small errors make it choose among moves that are about equally good, so that it does not repeat whole games; larger ones
make it weaker. Analyses and evaluation bars use none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

SLIGHT: Final = 0.02
"""The noise of a bot that is to vary but not to play worse."""


@dataclass(frozen=True, slots=True)
class Variation:
    """The errors of a bot."""

    noise: float = 0.0
    """Standard deviation of those of values, in [0, 1]; those of priors grow with it."""
    seed: int = 0
    """Of everything random, from 0 to 2^63 - 1."""
    network_noise: float | None = None
    """The noise where a network evaluates; None: the same."""

    def options(self, *, is_network: bool) -> Mapping[str, Any]:
        """The options of a search. ``is_network``: a network evaluates, rather than a native evaluator."""
        noise = self.network_noise if is_network and self.network_noise is not None else self.noise
        return {"evaluation_noise": noise} if noise else {}
