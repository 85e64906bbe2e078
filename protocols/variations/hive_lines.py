"""Trees of Hive: plays written variations through the rules, and begins trees at the empty board."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engines import Position, RuleError
from protocols.records.hive import play_as_written, renumbered
from protocols.records.record import MAX_REASON, RecordError
from protocols.records.written_move import LONGEST_COMMENT, WrittenMove
from protocols.uhp import game_string
from protocols.uhp.game_string import GAME, BadGameString
from protocols.variations.tree import LONGEST_LINE, MOST_MOVES, MOST_NESTED, Branch, Tree, walk

MOST_NOTES = 20
"""The maximum number of notes about variations."""

MOST_REFUSED = 1000
"""After so many refused moves, all others are left out as well."""


@dataclass(frozen=True, slots=True)
class _Pending:
    """A written move that follows ``parent``, at ``depth`` plies after the start and within ``nesting`` variations.

    ``numbers``: how the pieces were numbered before (see ``renumbered``).
    """

    written: WrittenMove
    parent: Branch
    depth: int
    nesting: int
    numbers: dict[str, str]


def played_lines(start: Position, root: WrittenMove) -> tuple[Branch, Sequence[str]]:
    """The moves behind ``root`` as canonical ones, and notes about what was left out.

    A move that the rules refuse is left out with all that follows it, and so is what exceeds the limits of a tree.
    """
    walk = _Walk(start)
    tree = Branch(comment=walk.comment_of(root))
    waiting = _after(root, tree, 0, 0, {})
    while waiting:
        pending = waiting.pop()
        branch = walk.play(pending)
        if branch is not None:
            waiting += _after(pending.written, branch, pending.depth, pending.nesting, pending.numbers)
    return tree, walk.notes


def check_legal(tree: Tree) -> None:
    """Raises RecordError, naming the ply, if a move of the tree is illegal or no canonical move."""
    position = Position(tree.game, tree.variant, tree.config)
    start = position.ply
    for step in walk(tree.root):
        while position.ply >= start + step.depth:
            position.undo()
        move = step.branch.move
        try:
            is_canonical = position.check(move) == move
            position.play(move)
        except RuleError as refusal:
            raise RecordError(f"ply {step.depth} ({move[:40]}): {str(refusal)[:MAX_REASON]}") from None
        if not is_canonical:
            raise RecordError(f"ply {step.depth} ({move[:40]}): this is {position.history[-1]}")


def from_empty_board(tree: Tree) -> Tree:
    """The tree with the moves that precede its start, which formats other than JSON write as moves.

    Raises RecordError if the start was set up, and not played.
    """
    start = Position(GAME, tree.variant, tree.config)
    rules = {name: value for name, value in start.config.items() if name != "gameString"}
    root = tree.root
    try:
        opening = game_string.moves_of(start)
    except BadGameString as refusal:
        raise RecordError(f"{refusal}: only JSON keeps it") from None
    for move in reversed(opening):
        root = Branch(next=[replace(root, move=move)])
    return Tree(GAME, start.variant, Position(GAME, start.variant, rules).config, root)


def _after(
    written: WrittenMove, branch: Branch, depth: int, nesting: int, numbers: dict[str, str]
) -> list[_Pending]:
    """The moves after a branch, the main one last."""
    return [
        _Pending(move, branch, depth + 1, nesting + (index > 0), numbers if index == 0 else numbers.copy())
        for index, move in reversed(list(enumerate(written.next)))
    ]


class _Walk:
    """A position that goes from move to move of a tree."""

    def __init__(self, start: Position) -> None:
        self.notes: list[str] = []
        self._position = start.copy()
        self._start = start.ply
        self._count = 0
        self._refused = 0

    def play(self, pending: _Pending) -> Branch | None:
        """Plays a move after its parent, and returns its branch there; None if it is left out."""
        if self._refused >= MOST_REFUSED:
            return None
        written, parent = pending.written, pending.parent
        text = renumbered(written.text, pending.numbers)
        while self._position.ply >= self._start + pending.depth:
            self._position.undo()
        try:
            self._check_room(pending)
            play_as_written(self._position, text)
        except RuleError as refusal:
            self._refused += 1
            self._note(f"line {written.line}: {written.text[:40]} was left out: {str(refusal)[:MAX_REASON]}")
            return None
        move = self._position.history[-1]
        branch = next((known for known in parent.next if known.move == move), None)
        if branch is None:
            branch = Branch(move)
            parent.next.append(branch)
            self._count += 1
        branch.comment = self.comment_of(written) or branch.comment
        branch.glyph = written.glyph or branch.glyph
        return branch

    def comment_of(self, written: WrittenMove) -> str:
        """The comment, as far as there is room for it."""
        if len(written.comment) > LONGEST_COMMENT:
            self._note(f"line {written.line}: a comment was cut after {LONGEST_COMMENT} characters")
        return written.comment[:LONGEST_COMMENT]

    def _check_room(self, pending: _Pending) -> None:
        """Raises RuleError if the tree may not have this move."""
        if self._count >= MOST_MOVES:
            raise RuleError(f"a tree has at most {MOST_MOVES} moves")
        if pending.depth > LONGEST_LINE:
            raise RuleError(f"a line has at most {LONGEST_LINE} moves")
        if pending.nesting > MOST_NESTED:
            raise RuleError(f"at most {MOST_NESTED} variations are within each other")

    def _note(self, note: str) -> None:
        if len(self.notes) == MOST_NOTES:
            self.notes.append("There are more notes like these.")
        elif len(self.notes) < MOST_NOTES:
            self.notes.append(f"{note.removesuffix('.')}.")
