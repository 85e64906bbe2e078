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

    @property
    def options(self) -> Mapping[str, Any]:
        """The options of a search."""
        return {"evaluation_noise": self.noise} if self.noise else {}
