"""Trees of Hive in PGN, with variations in parentheses, comments in braces, and the numbers of marks."""

from collections.abc import Iterable, Iterator
from typing import Final

from engines import Position
from protocols.records import hive_pgn, tags
from protocols.records.written_move import GLYPHS, WrittenMove
from protocols.uhp import game_string
from protocols.uhp.game_string import GAME
from protocols.variations.hive_lines import check_legal, from_empty_board
from protocols.variations.tree import Branch, Tree, main_line

_CODES: Final = {glyph: code for code, glyph in GLYPHS.items()}
_WIDTH: Final = 100
"""The maximum number of characters on a line, if no part is longer."""


def read(text: str) -> WrittenMove:
    """The moves of all variations, as written. Raises RecordError."""
    return hive_pgn.read_game(text).root


def write(tree: Tree) -> str:
    """The tree as PGN; moves are numbered by plies. Raises RecordError if a move is illegal."""
    whole = from_empty_board(tree)
    check_legal(whole)
    end = Position(GAME, whole.variant, whole.config)
    end.play(*(move.move for move in main_line(whole.root)))
    state = game_string.state_of(end)
    head = tags.write([("GameType", whole.variant), ("Result", state)])
    parts = [*_comment(whole.root), *_parts(whole.root), state]
    return "\n".join([head, *_lines(parts), ""])


def _parts(root: Branch) -> Iterator[str]:
    """What follows the root: each move, its variations, then what follows it."""
    waiting: list[tuple[Branch, int] | str] = [(root, 1)]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
            continue
        branch, ply = item
        if not branch.next:
            continue
        main, *others = branch.next
        yield _move(main, ply)
        waiting.append((main, ply + 1))
        for other in reversed(others):
            waiting += [")", (other, ply + 1), f"({_move(other, ply)}"]


def _move(branch: Branch, ply: int) -> str:
    code = [f"${_CODES[branch.glyph]}"] if branch.glyph else []
    return " ".join([f"{ply}. {branch.move}", *code, *_comment(branch)])


def _comment(branch: Branch) -> list[str]:
    """Braces within a comment, which PGN cannot have, become parentheses, and line breaks spaces."""
    text = " ".join(branch.comment.replace("{", "(").replace("}", ")").split())
    return [f"{{{text}}}"] if text else []


def _lines(parts: Iterable[str]) -> Iterator[str]:
    """The parts on lines. A line break would end a move, so that none is within a part."""
    line = ""
    for part in parts:
        if line and len(line) + 1 + len(part) > _WIDTH:
            yield line
            line = part
        else:
            line = f"{line} {part}".lstrip()
    yield line
