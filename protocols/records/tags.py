r"""The head of a PGN-like record: ``[Name "value"]`` lines, and the text below them.

Used by the formats with tags. In a value, ``\"`` is a quote and ``\\`` a backslash; bare quotes within a value, as in
pasted text, are accepted if the line is unambiguous. Tag names are case-sensitive.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from protocols.records.record import RecordError

NAMELESS: Final = ("", "?")
"""Values of a player's tag if the name is unknown."""

_DATE = re.compile(r"(\d{4})[.-](\d{1,2})[.-](\d{1,2})", re.ASCII)
_NAMED_MONTH = re.compile(r"(\d{1,2})-([A-Za-z]{3})-(\d{4})", re.ASCII)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_TAG = re.compile(r'\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_LOOSE_TAG = re.compile(r'\[\s*(\w+)\s+"(.*)"\s*\]')
_ESCAPED = re.compile(r'\\(["\\])')
COMMENT: Final = re.compile(r";|%|\{[^}]*\}$")
"""A line of the head that is a comment."""

LINE_COMMENT: Final = re.compile(r";|%")
"""The same where a brace begins the text below the head."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag's value and its line, counted from 1."""

    value: str
    line: int

    def refuse(self, name: str, why: str) -> RecordError:
        """Returns an error about this tag's value."""
        return RecordError(f'line {self.line}: [{name} "{self.value[:40]}"]: {why}')


@dataclass(frozen=True, slots=True)
class Tagged:
    """The tags of a text by name, and the text below them, which begins in ``first_line``."""

    tags: dict[str, Tag]
    body: str
    first_line: int


def split(text: str, comment: re.Pattern[str] = COMMENT) -> Tagged:
    """Separates tags and text; lines of the head that match ``comment`` are ignored.

    Raises RecordError for a malformed tag, and for a tag that is given twice.
    """
    lines = text.split("\n")
    tags: dict[str, Tag] = {}
    for number, line in enumerate(lines, start=1):
        stripped = line.strip()
        if stripped.startswith("["):
            _add(tags, stripped, number)
        elif stripped and not comment.match(stripped):
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


def name_of(tag: Tag | None) -> str | None:
    """The player's name, or None."""
    return None if tag is None or tag.value in NAMELESS else tag.value


def day_of(tag: Tag | None) -> tuple[int | None, tuple[str, ...]]:
    """The start of the day in milliseconds; a note instead if it is unreadable, since the record is still valid."""
    if tag is None or "?" in tag.value or not tag.value.strip():
        return None, ()
    try:
        day = _read_day(tag.value.strip())
    except ValueError:
        day = None
    if day is None or day.year < 1970:
        return None, (f'line {tag.line}: the date "{tag.value[:40]}" was ignored: write YYYY.MM.DD.',)
    return round(day.timestamp() * 1000), ()


def _read_day(text: str) -> datetime | None:
    """The day of ``2024.01.30`` or ``30-Jan-2024``. Raises ValueError if there is no such day."""
    if found := _DATE.match(text):
        return datetime(int(found[1]), int(found[2]), int(found[3]), tzinfo=UTC)
    if found := _NAMED_MONTH.match(text):
        return datetime(int(found[3]), _MONTHS.index(found[2].lower()) + 1, int(found[1]), tzinfo=UTC)
    return None


def write(tags: Sequence[tuple[str, str]]) -> str:
    """The lines of these tags. Line breaks in values, which tags cannot contain, become spaces."""
    return "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags)


def _escaped(value: str) -> str:
    one_line = value.replace("\r", " ").replace("\n", " ")
    return one_line.replace("\\", "\\\\").replace('"', '\\"')
