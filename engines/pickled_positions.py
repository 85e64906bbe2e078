"""Lets positions travel between processes: ``pickle``, and so ``multiprocessing`` and Ray, take them.

A position is pickled as the text that ``Position.write`` returns, with what is hidden in it.
"""

import copyreg
from collections.abc import Callable
from typing import Any

from engines._core import Position, read_position


def _reduced(position: Position) -> tuple[Callable[..., Position], tuple[Any, ...]]:
    """Raises RuleError for a position whose hidden order comes from ``redeal``."""
    return read_position, (position.game, position.write(secret=True))


def enable_pickling() -> None:
    """Registers how positions are pickled; called when the package is imported."""
    copyreg.pickle(Position, _reduced)
