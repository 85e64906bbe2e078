"""Opening books: prepared moves and values for positions, played without a search.

A book is a text file, one line of play per row::

    # game variant board | moves from the start | weight [value]
    wallwars standard 8x8 | Cb7 Cg7 Cc7.>d4 | 12 0.1

``board`` is columns x rows, or ``-`` for games with a fixed board. ``weight`` (more than 0) says how often the line
should be played, ``value`` (in [-1, 1], default 0) is its value for seat 0. Every move of a line is a candidate in the
position before it, weighted by the sum of all lines that contain it. Called by the pool.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

from engines._core import Position, RuleError

_Key = tuple[str, str, int]


class BadBook(ValueError):
    """An unusable book; ``str(error)`` is one sentence that names the line."""


@dataclass(frozen=True, slots=True)
class BookMove:
    """The book's move for a position. ``value`` is the value of the position for seat 0, in [-1, 1]."""

    move: str
    value: float


@dataclass(slots=True)
class _Page:
    """One position: the total weight of each candidate, and the weighted sum of their values."""

    weights: dict[str, float] = field(default_factory=dict)
    worth: float = 0.0

    def add(self, move: str, weight: float, value: float) -> None:
        self.weights[move] = self.weights.get(move, 0.0) + weight
        self.worth += weight * value

    def best(self) -> BookMove:
        """The candidate with the greatest weight; among equals, the first one in the file."""
        move = max(self.weights, key=lambda move: self.weights[move])
        return BookMove(move, self.worth / sum(self.weights.values()))


@dataclass(frozen=True, slots=True)
class _Row:
    start: Position
    moves: list[str]
    weight: float
    value: float


class Book:
    """All positions of a book, keyed by position hash, so that transpositions are found too."""

    def __init__(self, rows: Iterable[str] = ()) -> None:
        """Raises BadBook for the first unreadable or illegal row. Empty rows and comments (``#``) are skipped."""
        self._pages: dict[_Key, _Page] = {}
        for number, row in enumerate(rows, start=1):
            text = row.partition("#")[0].strip()
            if text:
                self._add(number, text)

    def __len__(self) -> int:
        """Number of positions."""
        return len(self._pages)

    def find(self, position: Position) -> BookMove | None:
        """The book's move for the position, or None."""
        page = self._pages.get(_key(position))
        return None if page is None else page.best()

    def _add(self, number: int, text: str) -> None:
        try:
            row = _read(text)
            position = row.start
            for move in row.moves:
                key = _key(position)
                position.play(move)
                page = self._pages.setdefault(key, _Page())
                page.add(position.history[-1], row.weight, row.value)
        except ValueError as error:
            raise BadBook(f"line {number}: {error}") from None


def read_book(path: Path) -> Book:
    """Reads a book from a file. Raises BadBook, naming the file and the line."""
    try:
        return Book(path.read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError) as error:
        raise BadBook(f"the book {path} cannot be read: {error}") from None
    except BadBook as error:
        raise BadBook(f"the book {path}, {error}") from None


def _read(text: str) -> _Row:
    parts = [part.split() for part in text.split("|")]
    if len(parts) != 3 or len(parts[0]) != 3 or not parts[1] or len(parts[2]) not in (1, 2):
        raise ValueError("a row is `game variant board | moves | weight [value]`")
    (game, variant, board), moves, numbers = parts
    weight, value = _number(numbers[0]), _number(numbers[1]) if len(numbers) == 2 else 0.0
    if weight <= 0:
        raise ValueError(f"the weight {numbers[0]} is not more than 0")
    if not -1 <= value <= 1:
        raise ValueError(f"the value {numbers[1]} is not in [-1, 1]")
    start = Position(game, variant, _board(board))
    if start.seats != 2 or len(start.to_act) != 1:
        raise RuleError(f"books are for games of two seats in turn, and {game} is not")
    return _Row(start, moves, weight, value)


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise ValueError(f"{text!r} is not a number")
    return number


def _board(text: str) -> dict[str, Any]:
    if text == "-":
        return {}
    columns, cross, rows = text.partition("x")
    if not (cross and columns.isdecimal() and rows.isdecimal()):
        raise ValueError(f"the board {text!r} is neither columns x rows, such as 8x8, nor -")
    return {"boardWidth": int(columns), "boardHeight": int(rows)}


def _key(position: Position) -> _Key:
    return (position.game, position.variant, position.key)
