"""Trees of Hive in SGF: boardspace.net's actions, with variations, comments and marks as in SGF of other games."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engines import Position
from protocols.records import sgf
from protocols.records.hive_sgf_reader import PLAYERS, action_of
from protocols.records.hive_sgf_turns import Turns
from protocols.records.record import RecordError
from protocols.records.sgf import SgfNode
from protocols.records.written_move import WrittenMove
from protocols.uhp.game_string import GAME
from protocols.variations.hive_lines import check_legal, from_empty_board
from protocols.variations.tree import MOST_MOVES, Branch, Tree

COMMENT: Final = "C"
MARKS: Final = {
    "!": ("TE", "1"),
    "!!": ("TE", "2"),
    "?": ("BM", "1"),
    "??": ("BM", "2"),
    "!?": ("IT", ""),
    "?!": ("DO", ""),
}
"""Properties for the marks of moves: good, bad, interesting and doubtful, with emphasis 1 or 2."""

_GLYPHS: Final = {mark: glyph for glyph, mark in MARKS.items()}
_COLUMNS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MIDDLE: Final = 12
"""The column and row of the first piece, counted from 0: boardspace.net's cell M 13."""

_COLORS: Final = "WB"
_EXPANSIONS: Final = "plm"


# ---- reading -------------------------------------------------------------------------------------


def read(text: str) -> WrittenMove:
    """The moves of all variations, as written. Raises RecordError.

    An action in a variation that cannot be read is a move that the rules will refuse.
    """
    root = WrittenMove("", 1)
    waiting = [_Pending(node, root, Turns(), is_main=True) for node in sgf.read_game(text).root.next[:1]]
    count = 0
    while waiting:
        one = waiting.pop()
        turns = one.turns.branched() if one.is_shared else one.turns
        try:
            last = _taken(one.node, one.last, turns)
        except RecordError:
            if one.is_main:
                raise
            one.last.next.append(_unreadable(one.node))
            continue
        others = one.node.next[1:]
        count += len(others)
        if count > MOST_MOVES:
            raise RecordError(f"a record has at most {MOST_MOVES} variations", limit=MOST_MOVES)
        if others:
            before = turns.branched()
            waiting += [
                _Pending(node, last, before, is_main=False, is_shared=True) for node in reversed(others)
            ]
        waiting += [_Pending(main, last, turns, one.is_main) for main in one.node.next[:1]]
    return root


@dataclass(frozen=True, slots=True)
class _Pending:
    """A node after the move ``last``, with the turns before it.

    ``is_main``: it is in no variation. ``is_shared``: other nodes go on from the same turns.
    """

    node: SgfNode
    last: WrittenMove
    turns: Turns
    is_main: bool
    is_shared: bool = False


def _unreadable(node: SgfNode) -> WrittenMove:
    action = next(one for one in node.properties if one.name in PLAYERS)
    return WrittenMove(" ".join(action.value.split())[:40], action.line)


def _taken(node: SgfNode, last: WrittenMove, turns: Turns) -> WrittenMove:
    """Adds the moves that a node completes after ``last``; returns the last one, which has its comment and mark."""
    known = len(turns.moves)
    for one in node.properties:
        action = action_of(one)
        if action is not None:
            turns.take(action)
    line = node.properties[0].line if node.properties else last.line
    for text in turns.moves[known:]:
        move = next((move for move in last.next if move.text == text), None)
        if move is None:
            move = WrittenMove(text, line)
            last.next.append(move)
        last = move
    for one in node.properties:
        if one.name == COMMENT:
            last.add_comment(one.value.strip())
        elif (one.name, one.value.strip()) in _GLYPHS:
            last.glyph = _GLYPHS[one.name, one.value.strip()]
    return last


# ---- writing -------------------------------------------------------------------------------------


def write(tree: Tree) -> str:
    """The tree as SGF, which boardspace.net's viewer reads too. The moves must be legal. Raises RecordError."""
    letters = "".join(letter for letter in _EXPANSIONS if letter.upper() in tree.variant.partition("+")[2])
    setup = f"hive-{letters}" if letters else "hive"
    head = ["(;", "GM[27]VV[1]", f"SU[{setup}]", *(f'{player}[id "?"]' for player in PLAYERS)]
    whole = from_empty_board(tree)
    check_legal(whole)
    head += _notes(whole.root)
    return "\n".join([*head, *_Nodes(whole).lines(), ")", ""])


class _Nodes:
    """Writes the moves of a tree."""

    def __init__(self, tree: Tree) -> None:
        self._root = tree.root
        self._position = Position(GAME, tree.variant, tree.config)

    def lines(self) -> Iterator[str]:
        """The lines of all moves."""
        waiting = _following(self._root, self._position.ply)
        while waiting:
            item, ply = waiting.pop()
            if isinstance(item, str):
                yield item
                continue
            while self._position.ply > ply:
                self._position.undo()
            yield from self._play(item)
            waiting += _following(item, ply + 1)

    def _play(self, branch: Branch) -> Iterator[str]:
        seat = self._position.ply % 2
        self._position.play(branch.move)
        first = 2 * self._position.ply - 1
        yield f"; P{seat}[{first} {self._action()}]"
        yield "".join([f"; P{seat}[{first + 1} Done]", *_notes(branch)])

    def _action(self) -> str:
        """The last move as an action."""
        _, _, neighbour = self._position.history[-1].partition(" ")
        moved = self._position.view()["lastMove"]
        if moved is None or self._position.history[-1] == "pass":
            return "Pass"
        piece = f"{moved['piece']}1" if moved["piece"][1] in "MLP" else moved["piece"]
        color = piece[0].upper()
        mover = _COLORS[(self._position.ply - 1) % 2]
        column = _COLUMNS[(_MIDDLE + moved["to"]["q"]) % len(_COLUMNS)]
        row = (_MIDDLE - moved["to"]["r"]) % len(_COLUMNS) + 1
        action = "Move" if color == mover else "PMove"
        return f"{action} {color} {piece} {column} {row} {_escaped(neighbour or '.')}"


def _following(branch: Branch, ply: int) -> list[tuple[Branch | str, int]]:
    """The continuations and the ply before them, in the order in which they are taken from the end."""
    if len(branch.next) == 1:
        return [(branch.next[0], ply)]
    return [(part, ply) for following in reversed(branch.next) for part in (")", following, "(")]


def _notes(branch: Branch) -> list[str]:
    comment = [f"{COMMENT}[{_escaped(branch.comment)}]"] if branch.comment else []
    name, value = MARKS.get(branch.glyph, ("", ""))
    return [*comment, *([f"{name}[{value}]"] if name else [])]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
