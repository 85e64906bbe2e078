"""Hive in PGN, as saved by MzingaViewer and exported by sites; read-only.

Tags, of which ``[GameType "Base+MLP"]`` is required, are followed by the moves, each after its number or on its own
line: ``1. wS1``, ``2. bS1 wS1-``. Numbers are optional and count moves or turns. Comments in braces are ignored.
``hive`` plays the parsed game.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from protocols.records import tags as head
from protocols.records.hive import WINNERS, Claim, ParsedGame
from protocols.records.record import RecordError
from protocols.records.tags import Tag
from protocols.values import Seat, SeatKind

PLAYERS: Final = ("White", "Black")
_NO_ENDINGS: Final = ("inprogress", "notstarted", "*")
_TAG = re.compile(r'^[ \t]*\[\s*GameType\s+"', re.MULTILINE)
_FIRST_MOVE = re.compile(r"^[ \t]*1\s*\.+\s*w[QSBGAMLP]\d?\s*?($|\s2)", re.MULTILINE | re.IGNORECASE)
_COMMENT = re.compile(r"\{[^}]*\}")
_NUMBER = re.compile(r"(?:^|\s)(\d{1,4})\s*\.+", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A move or result, its number if it has one, and its line."""

    text: str
    number: int | None
    line: int


def looks_like(text: str) -> bool:
    """Whether the text has the tag of the type, or its first move is a move of Hive."""
    return _TAG.search(text) is not None or _FIRST_MOVE.search(text) is not None


def read(text: str) -> ParsedGame:
    """Parses the text. Raises RecordError, naming the line."""
    parts = head.split(text)
    kind = parts.tags.get("GameType")
    if kind is None:
        raise RecordError('the tag [GameType "…"] is missing, such as Base+MLP')
    moves, ending = _moves(_entries(parts.body, parts.first_line))
    created_at, notes = head.day_of(parts.tags.get("Date"))
    return ParsedGame(
        type=kind.value.strip(),
        moves=tuple(move.text for move in moves),
        claim=_claim(ending or _ending(parts.tags.get("Result"))),
        places=tuple(f"line {move.line}" for move in moves),
        seats=tuple(_seat(parts.tags, player) for player in PLAYERS),
        created_at=created_at,
        notes=notes,
    )


def _seat(tags: Mapping[str, Tag], player: str) -> Seat:
    return Seat(SeatKind.HUMAN, head.name_of(tags.get(player)))


def _claim(word: str | None) -> Claim | None:
    return None if word is None else Claim(word, WINNERS[word.lower()])


def _ending(tag: Tag | None) -> str | None:
    return tag.value.strip() if tag is not None and tag.value.strip().lower() in WINNERS else None


def _entries(body: str, first_line: int) -> Iterator[_Entry]:
    """The words of each line, split at the numbers, with the result as a separate entry."""
    for line, text in enumerate(_without_comments(body).split("\n"), start=first_line):
        before, *numbered = _NUMBER.split(text)
        pairs = zip(numbered[::2], numbered[1::2], strict=True)
        for number, words in [(None, before), *((int(number), words) for number, words in pairs)]:
            move, ending = _parted(words.strip())
            if move:
                yield _Entry(move, number, line)
            if ending:
                yield _Entry(ending, None, line)


def _without_comments(body: str) -> str:
    """Removes the comments but keeps the line breaks.

    Text after the last closing brace is not searched: a search from every opening brace there would take too long.
    """
    end = body.rfind("}") + 1
    blank = _COMMENT.sub(lambda comment: " " + "\n" * comment.group().count("\n"), body[:end])
    return blank + body[end:]


def _parted(words: str) -> tuple[str, str]:
    """Splits off the word for the result at the end; either part may be empty."""
    before, _, last = words.rpartition(" ")
    return (before.strip(), last) if _is_ending(last) else (words, "")


def _is_ending(word: str) -> bool:
    return word.lower() in (*WINNERS, *_NO_ENDINGS)


def _moves(entries: Iterator[_Entry]) -> tuple[list[_Entry], str | None]:
    """The moves, and the word for the result if there is one. Raises RecordError."""
    moves: list[_Entry] = []
    for entry in entries:
        if _is_ending(entry.text):
            return _last(moves, entry, next(entries, None))
        if entry.number not in (None, len(moves) + 1, len(moves) // 2 + 1):
            due = len(moves) + 1
            raise RecordError(f"line {entry.line}: {entry.number}. found where {due}. was expected")
        moves.append(entry)
    return moves, None


def _last(moves: list[_Entry], ending: _Entry, after: _Entry | None) -> tuple[list[_Entry], str | None]:
    if after is not None:
        raise RecordError(f"line {after.line}: {after.text[:40]!r} comes after the result {ending.text}")
    return moves, ending.text if ending.text.lower() in WINNERS else None
