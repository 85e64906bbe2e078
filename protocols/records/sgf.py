r"""The syntax of SGF: nodes of properties, ``(;SU[hive]P0[id "Ada"];P0[1 Start P0])``, without their meaning.

In a value, ``\]`` is a bracket and ``\\`` a backslash. Names may contain digits, as on boardspace.net. Reads the first
game of a text, with its variations.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from protocols.records.record import RecordError

MAX_NODES: Final = 100_000
"""Maximum number of nodes of a game, which is several for each move."""

_WORD = re.compile(r"\s+|[A-Za-z][A-Za-z0-9]*|\[(?:[^\]\\]|\\.)*\]|.", re.DOTALL | re.ASCII)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Property:
    """One value of a property, and its line, counted from 1. A property with several values yields several of these."""

    name: str
    value: str
    line: int


def looks_like(text: str) -> bool:
    """Whether the text begins like SGF."""
    return re.match(r"\s*\(\s*;", text) is not None


@dataclass(slots=True)
class SgfNode:
    """The properties of a node, in order, and the nodes that follow it: the main line first, then its variations."""

    properties: list[Property] = field(default_factory=list)
    next: list["SgfNode"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SgfGame:
    """The nodes of a game behind an empty one. ``next_line``: where another game begins."""

    root: SgfNode
    next_line: int | None

    def main_line(self) -> Iterator[Property]:
        """The properties of all nodes that are in no variation."""
        node = self.root
        while node.next:
            node = node.next[0]
            yield from node.properties


def read_game(text: str) -> SgfGame:
    """The first game of the text. Raises RecordError, naming the line."""
    tree, name = _Tree(), ""
    for word, line in _words(text):
        if tree.is_closed and word == "(":
            return SgfGame(tree.root, line)
        if tree.is_closed:
            raise RecordError(f"line {line}: {word[:40]!r} comes after the end of the game")
        if word == "(":
            tree.open()
        elif not tree.is_open or not _fits(word, name):
            raise _misplaced(word, name, line)
        elif word[0] == "[":
            tree.add(Property(name, _ESCAPED.sub(r"\1", word[1:-1]), line))
            continue
        elif word == ")":
            tree.close()
        elif word == ";":
            tree.begin_node()
        name = word if word.isalnum() else ""
    if not tree.is_closed:
        raise RecordError("the game is not closed by ): the end of the text is missing")
    return SgfGame(tree.root, None)


class _Tree:
    """The nodes that were read, and where the next one belongs."""

    def __init__(self) -> None:
        self.root = SgfNode()
        self.is_closed = False
        self._node = self.root
        self._parents: list[SgfNode] = []
        """The nodes before the parentheses that are open."""
        self._count = 0

    @property
    def is_open(self) -> bool:
        """Whether a node may come here."""
        return bool(self._parents)

    def open(self) -> None:
        """Begins a game or a variation."""
        self._parents.append(self._node)

    def close(self) -> None:
        """Ends it."""
        self._node = self._parents.pop()
        self.is_closed = not self._parents

    def begin_node(self) -> None:
        """Adds a node. Raises RecordError if there are too many."""
        self._count += 1
        if self._count > MAX_NODES:
            raise RecordError(f"a game has at most {MAX_NODES} nodes", limit=MAX_NODES)
        node = SgfNode()
        self._node.next.append(node)
        self._node = node

    def add(self, one: Property) -> None:
        """Adds a property to the node, which begins here if its semicolon is missing."""
        if self._node is self._parents[-1]:
            self.begin_node()
        self._node.properties.append(one)


def _words(text: str) -> Iterator[tuple[str, int]]:
    """All tokens except white space, with their lines."""
    line = 1
    for found in _WORD.finditer(text):
        word = found.group()
        if not word.isspace():
            yield word, line
        line += word.count("\n")


def _fits(word: str, name: str) -> bool:
    """Whether the word is a name, the end of a node or game, or a value that follows ``name``."""
    return word in ";)" or word[0].isalpha() or (len(word) > 1 and name != "")


def _misplaced(word: str, name: str, line: int) -> RecordError:
    if word == "[" and name:
        return RecordError(f"line {line}: the value of {name[:40]} that begins with [ is not closed by ]")
    return RecordError(f"line {line}: {word[:40]!r} is not SGF: properties are written NAME[value]")
