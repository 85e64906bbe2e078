"""A puzzle, and the files that hold the puzzles of a game.

A file is text. Its first line is a JSON object with ``format`` and the ``game``; every further line is a puzzle with
the members of :class:`Puzzle`. Files grow by whole lines, so that a miner that was stopped can go on.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from engines import Position

FORMAT: Final = "plyhouse puzzles 1"

ID_LENGTH: Final = 10
"""Hexadecimal digits of an id."""


class BadPuzzles(ValueError):
    """An unusable file of puzzles. The text is a sentence that names the file, and the line if there is one."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position and the best play from it."""

    id: str
    """Follows from the position and the seat: the same puzzle has the same id in every file."""
    variant: str
    config: Mapping[str, Any]
    """The public configuration of the start."""
    moves: tuple[str, ...]
    """The recorded moves that lead to the position."""
    seat: int
    """The seat that is asked for its move."""
    solution: tuple[str, ...]
    """Moves of the seat, and after each but the last the answer of the other one."""
    rival: str
    """The best of all other first moves."""
    gap: float
    """How much worse ``rival`` is, in loss units of the game."""
    share: float
    """The seat's expected score after the solution's first move, in [0, 1]."""
    difficulty: str
    themes: tuple[str, ...]
    source: int
    """The number of the game that it was found in."""
    tail: str = ""
    """What follows the seat's move in a record, where it reveals what nobody knew: one of the possible ways."""

    def position(self, game: str) -> Position:
        """The position in question. Raises RuleError."""
        position = Position(game, self.variant, self.config)
        position.play(*self.moves)
        return position

    @property
    def asked_moves(self) -> tuple[str, ...]:
        """The moves of the seat in the solution."""
        return self.solution[::2]


def puzzle_id(position: Position, seat: int) -> str:
    """The id of the puzzle that asks ``seat`` for its move."""
    known = [position.game, position.variant, dict(position.config), list(position.history), seat]
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:ID_LENGTH]


def own_config(position: Position) -> dict[str, Any]:
    """The configuration of a game without the members that are its variant's default.

    All of them where nothing else would leave the hidden order open: a start without members has one of its own.
    """
    usual = Position(position.game, position.variant).config
    own = {name: value for name, value in position.config.items() if usual.get(name) != value}
    has_order = bool(Position(position.game, position.variant, own).secret)
    return dict(position.config) if has_order else own


def start_file(path: Path, game: str, made: Mapping[str, Any]) -> None:
    """Writes the first line of a new file; ``made`` says how its puzzles are found. Raises OSError."""
    with path.open("x", encoding="utf-8") as file:
        print(json.dumps({"format": FORMAT, "game": game, "made": dict(made)}, ensure_ascii=False), file=file)


def append_puzzles(path: Path, puzzles: Sequence[Puzzle]) -> None:
    """Adds lines to a file, all in one write. Raises OSError."""
    lines = [json.dumps(asdict(puzzle), ensure_ascii=False, separators=(",", ":")) for puzzle in puzzles]
    with path.open("a", encoding="utf-8") as file:
        file.write("".join(f"{line}\n" for line in lines))


def read_puzzles(path: Path) -> tuple[str, tuple[Puzzle, ...]]:
    """The game and the puzzles of a file. Positions are not set up. Raises BadPuzzles."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadPuzzles(f"the puzzles {path} cannot be read: {error}") from None
    head = _row(path, 1, lines[0]) if lines else {}
    game = head.get("game")
    if head.get("format") != FORMAT or not isinstance(game, str):
        raise BadPuzzles(f"{path} is not a file of puzzles: its first line has no format '{FORMAT}' and game")
    return game, tuple(_puzzles(path, lines))


def read_head(path: Path) -> Mapping[str, Any]:
    """The first line of a file. Raises BadPuzzles."""
    try:
        with path.open(encoding="utf-8") as file:
            return _row(path, 1, file.readline())
    except (OSError, UnicodeDecodeError) as error:
        raise BadPuzzles(f"the puzzles {path} cannot be read: {error}") from None


def _puzzles(path: Path, lines: Sequence[str]) -> Iterator[Puzzle]:
    for number, line in enumerate(lines[1:], start=2):
        row = _row(path, number, line)
        try:
            lists = {name: tuple(row[name]) for name in ("moves", "solution", "themes")}
            yield Puzzle(**{**row, **lists})
        except (KeyError, TypeError) as error:
            raise BadPuzzles(f"{path}, line {number}: this is not a puzzle: {error}") from None


def _row(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        row = None
    if not isinstance(row, dict):
        raise BadPuzzles(f"{path}, line {number}: this is not a JSON object")
    return row
