r"""The head of a record in the manner of PGN: ``[Name "value"]`` lines, and what stands below them.

Used by the Wallwars formats. In a value ``\"`` is a quote and ``\\`` a backslash; a value with bare quotes, as
people paste it, is read where the line leaves no doubt. Tag names are case-sensitive.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from protocols.records.record import RecordError

_TAG = re.compile(r'\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_LOOSE_TAG = re.compile(r'\[\s*(\w+)\s+"(.*)"\s*\]')
_ESCAPED = re.compile(r'\\(["\\])')
_COMMENT = re.compile(r";|%|\{[^}]*\}$")
"""A line of the head that is a comment as a whole."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag's value, and the line where it stands, counted from 1."""

    value: str
    line: int

    def refuse(self, name: str, why: str) -> RecordError:
        """The refusal of this tag's value."""
        return RecordError(f'line {self.line}: [{name} "{self.value[:40]}"]: {why}')


@dataclass(frozen=True, slots=True)
class Tagged:
    """The tags of a text by name, and the rest below them, which begins in ``first_line``."""

    tags: dict[str, Tag]
    body: str
    first_line: int


def split(text: str) -> Tagged:
    """Takes a text apart; RecordError for a line that begins like a tag and is none, and for a tag given twice."""
    lines = text.split("\n")
    tags: dict[str, Tag] = {}
    for number, line in enumerate(lines, start=1):
        stripped = line.strip()
        if stripped.startswith("["):
            _add(tags, stripped, number)
        elif stripped and not _COMMENT.match(stripped):
            return Tagged(tags, "\n".join(lines[number - 1 :]), number)
    return Tagged(tags, "", len(lines))


def _add(tags: dict[str, Tag], line: str, number: int) -> None:
    for name, value in _tags_of(line, number):
        if name in tags:
            raise RecordError(f"line {number}: {name} was given in line {tags[name].line} already")
        tags[name] = Tag(_ESCAPED.sub(r"\1", value), number)


def _tags_of(line: str, number: int) -> list[tuple[str, str]]:
    found, end = [], 0
    while match := _TAG.match(line, end):
        found.append((match[1], match[2]))
        end = match.end()
    if found and not line[end:].strip():
        return found
    loose = _LOOSE_TAG.fullmatch(line)
    if loose is None:
        raise RecordError(f'line {number}: a tag is written [Name "value"]')
    return [(loose[1], loose[2])]


def write(tags: Sequence[tuple[str, str]]) -> str:
    """The lines of these tags. A line break in a value becomes a blank: the form has none."""
    return "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags)


def _escaped(value: str) -> str:
    one_line = value.replace("\r", " ").replace("\n", " ")
    return one_line.replace("\\", "\\\\").replace('"', '\\"')
