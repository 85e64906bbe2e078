"""Examples to learn from: positions as planes, the policy that a search arrived at, and values.

An example belongs to a board size, because arrays of different sizes cannot be mixed: :class:`Examples` holds those of
one size, :class:`Window` the latest ones of all sizes. Files are NumPy's ``.npz``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.floating]

TAUGHT_BY = 2
"""Changes when searches teach other policies than before, so that examples of different ones are not mixed.

2: the seats of the graph search do not move in step where both see the same.
"""

STORED = np.float16
"""Planes and policies in memory and on disk; half the size of what networks compute with."""


@dataclass(frozen=True)
class Example:
    """One position. Values are those of the network's value outputs (see ``Layout.values``), in the same units."""

    planes: Array
    """``(planes, dim2, dim3)``"""
    policy: Array
    """``(policy,)``; adds up to the number of policies."""
    searched: Array
    """``(values,)``: what the search says."""
    result: Array
    """``(values,)``: how the game ended."""


@dataclass(frozen=True)
class Examples:
    """Examples of one board size, row by row; the members are those of :class:`Example` with one more axis."""

    planes: Array
    policy: Array
    searched: Array
    result: Array

    def __len__(self) -> int:
        """Number of examples."""
        return len(self.planes)

    @property
    def bytes(self) -> int:
        """Memory that they take."""
        return sum(getattr(self, each.name).nbytes for each in fields(self))

    @classmethod
    def of(cls, examples: Sequence[Example]) -> "Examples":
        """At least one example, all of the same size."""
        return cls(
            np.stack([each.planes for each in examples]).astype(STORED),
            np.stack([each.policy for each in examples]).astype(STORED),
            np.stack([each.searched for each in examples]).astype(np.float32),
            np.stack([each.result for each in examples]).astype(np.float32),
        )

    @classmethod
    def joined(cls, parts: Sequence["Examples"]) -> "Examples":
        """All examples of the parts, in their order."""
        return cls(*(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(cls)))

    def save(self, path: Path) -> None:
        """Writes a new file; a file of this name appears only when it is complete."""
        partial = path.with_suffix(".partial")
        with partial.open("wb") as file:
            arrays = {each.name: getattr(self, each.name) for each in fields(self)}
            np.savez(file, taught_by=np.array(TAUGHT_BY), **arrays)
        partial.replace(path)

    @classmethod
    def load(cls, path: Path) -> "Examples":
        """Reads a file. Raises ValueError, naming it, if it holds no examples, or those of an earlier search."""
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                if "taught_by" not in arrays or arrays["taught_by"] != TAUGHT_BY:
                    raise ValueError("they are of an earlier search; begin a new run")
                return cls(*(arrays[each.name] for each in fields(cls)))
        except (OSError, KeyError, ValueError, BadZipFile) as error:
            raise ValueError(f"{path}: no examples can be read from it: {error}") from None


class Window:
    """The latest examples of all board sizes; the oldest parts leave when there are more than ``most_bytes``."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._parts: list[Examples] = []

    def __len__(self) -> int:
        """Number of examples."""
        return sum(map(len, self._parts))

    def add(self, parts: Iterable[Examples]) -> None:
        """Adds new parts and drops the oldest ones beyond the limit, but never the newest part."""
        self._parts.extend(parts)
        while sum(part.bytes for part in self._parts) > self._most_bytes and len(self._parts) > 1:
            del self._parts[0]

    @property
    def parts(self) -> Sequence[Examples]:
        """As they were added, the oldest first."""
        return tuple(self._parts)

    def by_size(self) -> list[Examples]:
        """All examples, joined by board size."""
        return by_size(self._parts)


def by_size(parts: Sequence[Examples]) -> list[Examples]:
    """The examples of some parts, joined by board size."""
    sizes: dict[tuple[int, ...], list[Examples]] = {}
    for part in parts:
        sizes.setdefault(part.planes.shape[1:], []).append(part)
    return [same[0] if len(same) == 1 else Examples.joined(same) for same in sizes.values()]
