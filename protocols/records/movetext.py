"""The moves after the tags of a PGN-like record, ``1. Cb8.>d4 Ch7`` and so on, and the optional result.

Ignored: comments (``{…}`` over any number of lines, ``;`` to the end of the line), annotations (``$1``, ``!?``)
and isolated dots. Move numbers are optional but must be right.
"""

import re
from dataclasses import dataclass

from protocols.records.record import RecordError

_PIECE = re.compile(r"\s+|;[^\n]*|\{[^}]*\}|\$\d+|[^\s;{$]+|.", re.DOTALL)
_NUMBER = re.compile(r"(-?\d+)(\.+)", re.ASCII)
_REMARK = "!?"


@dataclass(frozen=True, slots=True)
class Word:
    """A move or a result, with its line."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Movetext:
    """All moves, and the result at the end if there is one."""

    moves: tuple[Word, ...]
    result: Word | None


def read_movetext(text: str, first_line: int, results: tuple[str, ...]) -> Movetext:
    """Parses the text. ``results`` are the words for results. Raises RecordError, naming the line."""
    moves: list[Word] = []
    result: Word | None = None
    for word in _words(text, first_line):
        if result is not None:
            raise RecordError(f"line {word.line}: {word.text[:40]!r} comes after the result {result.text}")
        if word.text in results:
            result = word
            continue
        rest = _after_number(word, len(moves))
        if rest:
            moves.append(Word(rest, word.line))
    return Movetext(tuple(moves), result)


def _words(text: str, line: int) -> list[Word]:
    """The words that are not comments or annotations."""
    words = []
    for found in _PIECE.finditer(text):
        piece = found.group()
        if piece == "{":
            raise RecordError(f"line {line}: the comment that begins with {{ is not closed by }}")
        if piece[0] in "()[]":
            raise RecordError(
                f"line {line}: {piece[:40]!r} is not a move: one game at a time, without variations"
            )
        bare = piece.rstrip(_REMARK)
        if bare.strip() and piece[0] not in ";{$":
            words.append(Word(bare, line))
        line += piece.count("\n")
    return words


def _after_number(word: Word, played: int) -> str:
    """The word without its number. Raises RecordError if that is not the number of the next move."""
    match = _NUMBER.match(word.text)
    if match is None and not word.text.strip("."):
        return ""
    if match is None:
        return word.text
    number = str(played // 2 + 1)
    is_right = match[1].lstrip("0") == number and (played % 2 == 0 or len(match[2]) > 1)
    if not is_right:
        due = number + ("." if played % 2 == 0 else "...")
        raise RecordError(f"line {word.line}: {match[0][:40]} found where {due} was expected")
    return word.text[match.end() :]
