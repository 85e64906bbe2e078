r"""The syntax of SGF: nodes of properties, ``(;SU[hive]P0[id "Ada"];P0[1 Start P0])``, without their meaning.

In a value, ``\]`` is a bracket and ``\\`` a backslash. Names may contain digits, as on boardspace.net. Reads the first
game of a text, without variations.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from protocols.records.record import RecordError

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


@dataclass(frozen=True, slots=True)
class SgfGame:
    """The properties of a game, in order, regardless of their nodes. ``next_line``: where another game begins."""

    properties: tuple[Property, ...]
    next_line: int | None


def read_game(text: str) -> SgfGame:
    """The first game of the text. Raises RecordError, naming the line."""
    properties: list[Property] = []
    name, is_open, is_closed = "", False, False
    for word, line in _words(text):
        if is_closed and word == "(":
            return SgfGame(tuple(properties), line)
        if is_closed or (word == "(" and is_open):
            raise RecordError(f"line {line}: one game at a time, without variations")
        if word == "(":
            is_open = True
        elif not is_open or not _fits(word, name):
            raise _misplaced(word, name, line)
        elif word[0] == "[":
            properties.append(Property(name, _ESCAPED.sub(r"\1", word[1:-1]), line))
        else:
            name = word if word.isalnum() else ""
            is_closed = word == ")"
    if not is_closed:
        raise RecordError("the game is not closed by ): the end of the text is missing")
    return SgfGame(tuple(properties), None)


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
