"""Trees as lists of moves, as JSON of the API: flat, since JSON readers limit how deep objects may be nested.

Each move says how many moves of the list precede its parent, counted from 1; 0 stands for the start.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from protocols.records.record import RecordError
from protocols.variations.tree import LONGEST_LINE, MOST_MOVES, MOST_NESTED, Branch, Tree, walk


def to_list(tree: Tree) -> dict[str, Any]:
    """The tree with its moves in a list: ``after``, ``move``, and ``comment`` and ``glyph`` where there are any."""
    numbers = {id(tree.root): 0}
    parents = {id(after): branch for branch in _all(tree.root) for after in branch.next}
    moves = []
    for number, step in enumerate(walk(tree.root), start=1):
        branch = step.branch
        numbers[id(branch)] = number
        notes = {"comment": branch.comment, "glyph": branch.glyph}
        after = numbers[id(parents[id(branch)])]
        moves.append(
            {"after": after, "move": branch.move, **{key: text for key, text in notes.items() if text}}
        )
    head = {"game": tree.game, "variant": tree.variant, "config": dict(tree.config)}
    return {**head, **({"comment": tree.root.comment} if tree.root.comment else {}), "moves": moves}


def _all(root: Branch) -> list[Branch]:
    return [root, *(step.branch for step in walk(root))]


def from_list(start: Tree, moves: Sequence[Mapping[str, Any]]) -> Tree:
    """The tree of these moves behind the root of ``start``. Raises RecordError, naming the move."""
    if len(moves) > MOST_MOVES:
        raise RecordError(f"a tree has at most {MOST_MOVES} moves, not {len(moves)}", limit=MOST_MOVES)
    branches = [Branch(comment=start.root.comment)]
    for number, move in enumerate(moves, start=1):
        after = move["after"]
        if not 0 <= after < number:
            raise RecordError(f"move {number} is after move {after}: give that of an earlier one, or 0")
        branch = Branch(move["move"], move.get("comment") or "", move.get("glyph") or "")
        branches[after].next.append(branch)
        branches.append(branch)
    for step in walk(branches[0]):
        if step.depth > LONGEST_LINE:
            raise RecordError(f"a line has at most {LONGEST_LINE} moves", limit=LONGEST_LINE)
        if step.nesting > MOST_NESTED:
            raise RecordError(f"at most {MOST_NESTED} variations are within each other", limit=MOST_NESTED)
    return Tree(start.game, start.variant, start.config, branches[0])
