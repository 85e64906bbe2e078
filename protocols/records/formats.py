"""The table of record formats. A new format is a file in this package and a row in ``FORMATS``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Final

from engines import Position
from protocols.records import hive_sgf_reader, hive_text, json, prf, puzzle, wallwars
from protocols.records.record import MAX_BYTES, BadMove, Reading, RecordError, first_plies
from protocols.uhp import game_string
from protocols.values import Record

AUTO: Final = "auto"


@dataclass(frozen=True, slots=True)
class Format:
    """One format.

    ``read`` raises RecordError. ``write`` is None for read-only formats; it accepts every record for which ``refusal``
    returns None, and not the reason for a refusal. ``looks_like`` detects the format of a text without a format name.
    """

    name: str
    media_type: str
    looks_like: Callable[[str], bool]
    read: Callable[[str], Reading]
    write: Callable[[Record], str] | None = None
    refusal: Callable[[Record], str | None] = lambda _: None


FORMATS: Final = (
    Format("json", "application/json", json.looks_like, json.read, json.write),
    Format("uhp", "text/plain", hive_text.looks_like, hive_text.read, hive_text.write, hive_text.refusal),
    Format("sgf", "text/plain", hive_sgf_reader.looks_like, hive_sgf_reader.read),
    Format("prf", "text/plain", prf.looks_like, prf.read, prf.write, prf.refusal),
    Format("puzzle", "text/plain", puzzle.looks_like, puzzle.read),
    Format("wallwars", "text/plain", wallwars.looks_like, wallwars.read, wallwars.write, wallwars.refusal),
)
"""In the order in which detection tries them."""

_LINES: Final[Mapping[str, Callable[[Position], str]]] = {game_string.GAME: game_string.write}
"""Writers of one-line notations, for games that have a common one."""


class UnknownFormat(ValueError):
    """Unknown format, or one without support for the request; the text is a sentence."""


def find(name: str) -> Format:
    """The format with this name. Raises UnknownFormat."""
    for one in FORMATS:
        if one.name == name:
            return one
    raise UnknownFormat(f"there is no format {name[:40]!r}: {', '.join(one.name for one in FORMATS)}")


def read(text: str, name: str = AUTO, plies: int | None = None) -> Reading:
    """Reads a record, or its first ``plies`` moves; accepts any line ends and a byte order mark.

    Raises RecordError or UnknownFormat.
    """
    if len(text) > MAX_BYTES or len(text.encode(errors="replace")) > MAX_BYTES:
        raise RecordError(f"a record has at most {MAX_BYTES} bytes", limit=MAX_BYTES)
    text = with_line_feeds(text)
    chosen = _guess(text) if name == AUTO else find(name)
    if plies is None:
        return chosen.read(text)
    try:
        reading = chosen.read(text)
        has_more = plies < len(reading.record.moves)
    except BadMove as refusal:
        if refusal.legal is None or plies > refusal.ply:
            raise
        reading, has_more = refusal.legal, True
    return first_plies(reading, plies) if has_more else reading


def with_line_feeds(text: str) -> str:
    """The text as formats read it: with line feeds only, and without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _guess(text: str) -> Format:
    for one in FORMATS:
        if one.looks_like(text):
            return one
    raise RecordError(f"this does not look like any of the formats {', '.join(one.name for one in FORMATS)}")


def write(record: Record, name: str) -> str:
    """Writes the record as text. Raises UnknownFormat if the format cannot hold it."""
    chosen = find(name)
    if chosen.write is None:
        raise UnknownFormat(f"{name} records are read, not written")
    why = chosen.refusal(record)
    if why is not None:
        raise UnknownFormat(why)
    return chosen.write(record)


def lost(record: Record, name: str) -> tuple[str, ...]:
    """The parts of the record that are lost or changed by writing and reading it in this format."""
    back = read(write(record, name), name).record
    parts = (field.name for field in fields(Record))
    return tuple(part for part in parts if getattr(back, part) != getattr(record, part))


def line(position: Position) -> str:
    """A position and the moves that led to it, on one line: in the game's own notation, or in that of the core."""
    return _LINES.get(position.game, Position.write)(position)
