"""The table of the formats that hold trees of variations, and reading any record as a tree."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from engines import BadConfig, Position
from protocols.records import formats, hive_pgn, sgf
from protocols.records.formats import AUTO, UnknownFormat
from protocols.records.record import Reading
from protocols.records.replay import replay, start_of
from protocols.records.written_move import WrittenMove
from protocols.uhp.game_string import GAME
from protocols.variations import hive_pgn_tree, hive_sgf_tree
from protocols.variations.hive_lines import played_lines
from protocols.variations.tree import LONGEST_LINE, Branch, Tree


@dataclass(frozen=True, slots=True)
class TreeFormat:
    """A format of trees of one game.

    ``read`` returns the moves as written, and raises RecordError; ``record`` is the name under which ``formats`` reads
    the main line. ``write`` raises RecordError.
    """

    name: str
    record: str
    looks_like: Callable[[str], bool]
    read: Callable[[str], WrittenMove]
    write: Callable[[Tree], str]


FORMATS: Final[Mapping[str, tuple[TreeFormat, ...]]] = {
    GAME: (
        TreeFormat("sgf", "sgf", sgf.looks_like, hive_sgf_tree.read, hive_sgf_tree.write),
        TreeFormat("pgn", "uhp", hive_pgn.looks_like, hive_pgn_tree.read, hive_pgn_tree.write),
    )
}
"""By game."""


@dataclass(frozen=True, slots=True)
class TreeReading:
    """A tree that was read; ``notes`` are sentences about what was ignored, assumed or left out."""

    tree: Tree
    notes: tuple[str, ...]


def names_for(game: str) -> list[str]:
    """The names of the formats that can be written for a game."""
    return [one.name for one in FORMATS.get(game, ())]


def write(tree: Tree, name: str) -> str:
    """The tree in a format. Raises UnknownFormat if the game has no such format, RecordError for illegal moves."""
    for one in FORMATS.get(tree.game, ()):
        if one.name == name:
            return one.write(tree)
    known = ", ".join(names_for(tree.game)) or "none"
    raise UnknownFormat(f"variations of {tree.game[:40]} are not written as {name[:40]!r}: {known}")


def read(text: str, name: str = AUTO) -> TreeReading:
    """Reads a record of any format, with its variations if the format can have them.

    The tree has an empty configuration if the start is the variant's usual one.

    Raises RecordError or UnknownFormat.
    """
    records = {one.name: one.record for rows in FORMATS.values() for one in rows}
    reading = formats.read(text, records.get(name, name))
    start = start_of(reading.record)
    root, notes = _lines(reading, formats.with_line_feeds(text), start)
    config = {} if _is_usual(start) else {**start.config, **start.secret}
    tree = Tree(start.game, start.variant, config, root)
    return TreeReading(tree, (*reading.notes, *notes))


def _is_usual(start: Position) -> bool:
    """Whether the variant starts like this if nothing is configured."""
    try:
        usual = Position(start.game, start.variant)
        return (start.config, start.secret, start.is_dealt) == (usual.config, usual.secret, usual.is_dealt)
    except BadConfig:
        return False


def _lines(reading: Reading, text: str, start: Position) -> tuple[Branch, tuple[str, ...]]:
    for one in FORMATS.get(start.game, ()):
        if one.looks_like(text):
            root, notes = played_lines(start, one.read(text))
            return root, tuple(notes)
    return _main_line(replay(reading).history)


def _main_line(moves: list[str]) -> tuple[Branch, tuple[str, ...]]:
    """The moves as the main line of a tree, as far as there is room."""
    root = Branch()
    last = root
    for move in moves[:LONGEST_LINE]:
        last.next.append(Branch(move))
        last = last.next[0]
    left = len(moves) - LONGEST_LINE
    return root, (f"The board keeps the first {LONGEST_LINE} moves.",) if left > 0 else ()
