"""The puzzles that come with Plyhouse, read once when the first is wanted."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

from engines.puzzles.difficulty import Difficulty
from engines.puzzles.puzzle import Puzzle, read_puzzles
from engines.puzzles.themes import titles_of

FOLDER: Final = Path(__file__).parent / "data"
"""One file for each game."""


@dataclass(frozen=True, slots=True)
class PuzzleFilter:
    """Which puzzles are wanted; None: all."""

    variant: str | None = None
    theme: str | None = None
    difficulty: str | None = None

    def fits(self, puzzle: Puzzle) -> bool:
        """Whether the puzzle is wanted."""
        return (
            self.variant in (None, puzzle.variant)
            and self.difficulty in (None, puzzle.difficulty)
            and (self.theme is None or self.theme in puzzle.themes)
        )


class PuzzleCollection:
    """The puzzles of one game, in the order of their ids."""

    def __init__(self, game: str, puzzles: Sequence[Puzzle]) -> None:
        self.game = game
        self.puzzles = tuple(sorted(puzzles, key=lambda one: one.id))
        self.variants = dict(sorted(Counter(one.variant for one in self.puzzles).items()))
        """The number of puzzles by variant; likewise the next two."""
        difficulties = Counter(one.difficulty for one in self.puzzles)
        self.difficulties = {level.value: difficulties[level] for level in Difficulty if difficulties[level]}
        themes = Counter(theme for one in self.puzzles for theme in one.themes)
        self.themes = {theme: themes[theme] for theme in titles_of(game) if themes[theme]}

    def fitting(self, wanted: PuzzleFilter) -> list[Puzzle]:
        """The puzzles that are wanted."""
        return [one for one in self.puzzles if wanted.fits(one)]


def page_after(puzzles: Sequence[Puzzle], cursor: str | None, count: int) -> Sequence[Puzzle]:
    """So many of the puzzles that follow the one with the id ``cursor``, or the first ones."""
    first = 0 if cursor is None else bisect_right([one.id for one in puzzles], cursor)
    return puzzles[first : first + count]


def drawn(puzzles: Sequence[Puzzle], count: int, rng: Random) -> Sequence[Puzzle]:
    """Up to so many different ones."""
    return rng.sample(puzzles, min(count, len(puzzles)))


@cache
def shipped_puzzles() -> Mapping[str, PuzzleCollection]:
    """The collections by game. Raises BadPuzzles if a file was changed by hand."""
    return {one.game: one for one in _collections()}


@cache
def puzzles_by_id() -> Mapping[str, tuple[str, Puzzle]]:
    """Each puzzle with its game, by its id."""
    return {
        one.id: (game, one) for game, collection in shipped_puzzles().items() for one in collection.puzzles
    }


def _collections() -> Iterator[PuzzleCollection]:
    for file in sorted(FOLDER.glob("*.jsonl")):
        yield PuzzleCollection(*read_puzzles(file))
