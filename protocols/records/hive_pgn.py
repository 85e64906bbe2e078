"""Hive in PGN, as MzingaViewer saves and sites export it; for reading only.

Tags, of which ``[GameType "Base+MLP"]`` is needed; below them the moves, each behind its number or on a line of
its own: ``1. wS1``, ``2. bS1 wS1-``. Numbers count moves or turns; they may be left out. Comments in braces are
passed over. ``hive`` plays what is told here.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from protocols.records import tags as head
from protocols.records.hive import WINNERS, Claim, Told
from protocols.records.record import RecordError, Seat
from protocols.records.tags import Tag

PLAYERS: Final = ("White", "Black")
_NO_ENDINGS: Final = ("inprogress", "notstarted", "*")
_TAG = re.compile(r'^[ \t]*\[\s*GameType\s+"', re.MULTILINE)
_FIRST_MOVE = re.compile(r"^[ \t]*1\s*\.+\s*w[QSBGAMLP]\d?\s*?($|\s2)", re.MULTILINE | re.IGNORECASE)
_COMMENT = re.compile(r"\{[^}]*\}")
_NUMBER = re.compile(r"(?:^|\s)(\d{1,4})\s*\.+", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A move or the result, the number before it if there is one, and its line."""

    text: str
    number: int | None
    line: int


def looks_like(text: str) -> bool:
    """Whether there is the tag of the type, or the first move is one of Hive."""
    return _TAG.search(text) is not None or _FIRST_MOVE.search(text) is not None


def read(text: str) -> Told:
    """What the text says; RecordError names the line."""
    parts = head.split(text)
    kind = parts.tags.get("GameType")
    if kind is None:
        raise RecordError('the tag [GameType "…"] is missing, such as Base+MLP')
    moves, ending = _moves(_entries(parts.body, parts.first_line))
    created_at, notes = head.day_of(parts.tags.get("Date"))
    return Told(
        type=kind.value.strip(),
        moves=tuple(move.text for move in moves),
        claim=_claim(ending or _ending(parts.tags.get("Result"))),
        places=tuple(f"line {move.line}" for move in moves),
        seats=tuple(_seat(parts.tags, player) for player in PLAYERS),
        created_at=created_at,
        notes=notes,
    )


def _seat(tags: Mapping[str, Tag], player: str) -> Seat:
    return Seat(name=head.name_of(tags.get(player)))


def _claim(word: str | None) -> Claim | None:
    return None if word is None else Claim(word, WINNERS[word.lower()])


def _ending(tag: Tag | None) -> str | None:
    return tag.value.strip() if tag is not None and tag.value.strip().lower() in WINNERS else None


def _entries(body: str, first_line: int) -> Iterator[_Entry]:
    """The words of each line between the numbers, a word for the result by itself."""
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
    """The body on as many lines as before.

    No comment ends after the last closing brace: to look for that at every brace there would take too long.
    """
    end = body.rfind("}") + 1
    blank = _COMMENT.sub(lambda comment: " " + "\n" * comment.group().count("\n"), body[:end])
    return blank + body[end:]


def _parted(words: str) -> tuple[str, str]:
    """A move, and the word for the result behind it; each may be empty."""
    before, _, last = words.rpartition(" ")
    return (before.strip(), last) if _is_ending(last) else (words, "")


def _is_ending(word: str) -> bool:
    return word.lower() in (*WINNERS, *_NO_ENDINGS)


def _moves(entries: Iterator[_Entry]) -> tuple[list[_Entry], str | None]:
    """The moves, and the word for the result if it tells one. RecordError."""
    moves: list[_Entry] = []
    for entry in entries:
        if _is_ending(entry.text):
            return _last(moves, entry, next(entries, None))
        if entry.number not in (None, len(moves) + 1, len(moves) // 2 + 1):
            due = len(moves) + 1
            raise RecordError(f"line {entry.line}: {entry.number}. stands where {due}. is due")
        moves.append(entry)
    return moves, None


def _last(moves: list[_Entry], ending: _Entry, after: _Entry | None) -> tuple[list[_Entry], str | None]:
    if after is not None:
        raise RecordError(f"line {after.line}: {after.text[:40]!r} stands after the result {ending.text}")
    return moves, ending.text if ending.text.lower() in WINNERS else None
