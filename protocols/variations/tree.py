"""A tree of variations: the moves that were tried from a start, with comments and marks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

MOST_MOVES: Final = 10_000
"""The maximum number of moves in a tree."""

LONGEST_LINE: Final = 1000
"""The maximum number of moves from the start to the end of a line."""

MOST_NESTED: Final = 100
"""The maximum number of variations within each other."""


@dataclass(slots=True)
class Branch:
    """A move, and the continuations after it, the main one first. The start has the move ``""``.

    ``glyph``: one of ``!``, ``?``, ``!!``, ``??``, ``!?``, ``?!``, or empty.
    """

    move: str = ""
    comment: str = ""
    glyph: str = ""
    next: list["Branch"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Tree:
    """The start, and the moves from there behind ``root``."""

    game: str
    variant: str
    config: Mapping[str, Any]
    root: Branch


def main_line(root: Branch) -> Iterator[Branch]:
    """The moves behind the root that are in no variation."""
    branch = root
    while branch.next:
        branch = branch.next[0]
        yield branch


@dataclass(frozen=True, slots=True)
class TreeStep:
    """A branch on a walk through a tree.

    ``depth``: its ply, 1 after the start. ``nesting``: within how many variations it is.
    """

    branch: Branch
    depth: int
    nesting: int


def walk(root: Branch) -> Iterator[TreeStep]:
    """All moves behind the root, each before those that follow it, the main continuation first."""
    waiting = _steps_after(TreeStep(root, 0, 0))
    while waiting:
        step = waiting.pop()
        yield step
        waiting.extend(_steps_after(step))


def _steps_after(step: TreeStep) -> list[TreeStep]:
    """The continuations, the main one last."""
    return [
        TreeStep(branch, step.depth + 1, step.nesting + (index > 0))
        for index, branch in reversed(list(enumerate(step.branch.next)))
    ]
