"""How a game is drawn in characters."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Drawing:
    """``draw`` turns a view into lines, which ``legend`` explains; ``shows`` are the members of the view in them."""

    legend: tuple[str, ...]
    draw: Callable[[Mapping[str, Any]], str]
    shows: frozenset[str]
