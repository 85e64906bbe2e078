"""The table of record formats. A further one is a file beside this one and a row in ``FORMATS``."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Final

from protocols.records import hive_sgf, json, puzzle, uhp, wallwars
from protocols.records.record import MAX_BYTES, Reading, Record, RecordError

AUTO: Final = "auto"


@dataclass(frozen=True, slots=True)
class Format:
    """One format.

    ``read`` raises RecordError. ``write`` is None for a format that is only read; it takes every record for which
    ``refusal`` is None, which otherwise says why not. ``looks_like`` guesses, for texts that nobody has named.
    """

    name: str
    media_type: str
    looks_like: Callable[[str], bool]
    read: Callable[[str], Reading]
    write: Callable[[Record], str] | None = None
    refusal: Callable[[Record], str | None] = lambda _: None


FORMATS: Final = (
    Format("json", "application/json", json.looks_like, json.read, json.write),
    Format("uhp", "text/plain", uhp.looks_like, uhp.read, uhp.write, uhp.refusal),
    Format("sgf", "text/plain", hive_sgf.looks_like, hive_sgf.read),
    Format("puzzle", "text/plain", puzzle.looks_like, puzzle.read),
    Format("wallwars", "text/plain", wallwars.looks_like, wallwars.read, wallwars.write, wallwars.refusal),
)
"""In the order in which they are tried."""


class UnknownFormat(ValueError):
    """There is no such format, or not for this; the text is a sentence."""


def find(name: str) -> Format:
    """The format of this name; UnknownFormat."""
    for one in FORMATS:
        if one.name == name:
            return one
    raise UnknownFormat(f"there is no format {name[:40]!r}: {', '.join(one.name for one in FORMATS)}")


def read(text: str, name: str = AUTO) -> Reading:
    """The record in ``text``; RecordError, UnknownFormat. Line ends of any kind, a byte order mark: no matter."""
    if len(text) > MAX_BYTES or len(text.encode(errors="replace")) > MAX_BYTES:
        raise RecordError(f"a record has at most {MAX_BYTES} bytes", limit=MAX_BYTES)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return (_guess(text) if name == AUTO else find(name)).read(text)


def _guess(text: str) -> Format:
    for one in FORMATS:
        if one.looks_like(text):
            return one
    raise RecordError(f"this looks like none of the formats {', '.join(one.name for one in FORMATS)}")


def write(record: Record, name: str) -> str:
    """The record as text; UnknownFormat where the format is not for it."""
    chosen = find(name)
    if chosen.write is None:
        raise UnknownFormat(f"{name} records are read, not written")
    why = chosen.refusal(record)
    if why is not None:
        raise UnknownFormat(why)
    return chosen.write(record)


def lost(record: Record, name: str) -> tuple[str, ...]:
    """The parts of the record that come back otherwise, or not at all, from its text in this format."""
    back = read(write(record, name), name).record
    parts = (field.name for field in fields(Record))
    return tuple(part for part in parts if getattr(back, part) != getattr(record, part))
