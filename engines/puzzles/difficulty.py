"""How hard a puzzle is: by the smallest search that finds its moves.

An easy move is found without a search. The next two difficulties have the samples of a level of play
(``engines/effort.py``). A move is as hard as the first of them from which on all searches find it, with two seeds each.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Final

from engines import Position, Search
from engines.effort import USUAL, samples_for
from engines.puzzles.alternatives import EVALUATOR


class Difficulty(StrEnum):
    """Easiest first."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    VERY_HARD = "very-hard"
    """Not found with the samples of the one before."""


ORDER: Final = tuple(Difficulty)

GREEDY: Final[Mapping[str, Any]] = {"search": "greedy"}
"""The move that the evaluator likes best."""

LEVELS: Final = {Difficulty.MEDIUM: "beginner", Difficulty.HARD: "easy"}
"""The levels of play whose samples are enough."""

SEEDS: Final = (1, 2)


def difficulty_of(position: Position, seat: int, best: str) -> Difficulty:
    """The difficulty of finding the best move of ``seat``."""
    if not _is_found(position, seat, best, LEVELS[Difficulty.HARD]):
        return Difficulty.VERY_HARD
    if not _is_found(position, seat, best, LEVELS[Difficulty.MEDIUM]):
        return Difficulty.HARD
    return Difficulty.EASY if needs_no_search(position, seat, best) else Difficulty.MEDIUM


def needs_no_search(position: Position, seat: int, best: str) -> bool:
    """Whether the evaluator finds the move without a search."""
    return _found(position, seat, 1, 0, GREEDY) == best


def hardest_of(difficulties: Iterable[Difficulty]) -> Difficulty:
    """The difficulty of several moves, one after the other."""
    return max(difficulties, key=ORDER.index)


def _is_found(position: Position, seat: int, best: str, level: str) -> bool:
    samples = samples_for(position.game, level, USUAL)
    return all(_found(position, seat, samples, seed, {}) == best for seed in SEEDS)


def _found(position: Position, seat: int, samples: int, seed: int, options: Mapping[str, Any]) -> str:
    search = Search(position, EVALUATOR, options, seed)
    search.run(samples)
    best = search.report(0).best_move or ""
    acting = position.to_act
    return best.split("/")[acting.index(seat)] if len(acting) > 1 else best
