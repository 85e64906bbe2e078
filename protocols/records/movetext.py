"""The moves below the tags of a PGN-like record: ``1. Cb8.>d4 Ch7`` and so on, then perhaps the result.

Passed over: comments (``{…}`` over any number of lines, ``;`` to the end of a line), annotations (``$1``, ``!?``)
and dots that stand alone.
A number must be the right one where it stands; it may be left out.
"""

import re
from dataclasses import dataclass

from protocols.records.record import RecordError

_PIECE = re.compile(r"\s+|;[^\n]*|\{[^}]*\}|\$\d+|[^\s;{$]+|.", re.DOTALL)
_NUMBER = re.compile(r"(\d{1,6})(\.+)", re.ASCII)
_REMARK = "!?"


@dataclass(frozen=True, slots=True)
class Word:
    """A move or a result, and its line."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Movetext:
    """All moves, and the result at their end if it stands there."""

    moves: tuple[Word, ...]
    result: Word | None


def read_movetext(text: str, first_line: int, results: tuple[str, ...]) -> Movetext:
    """Reads it; RecordError names the line. ``results`` are the words that say how a game ended."""
    moves: list[Word] = []
    result: Word | None = None
    for word in _words(text, first_line):
        if result is not None:
            raise RecordError(f"line {word.line}: {word.text[:40]!r} stands after the result {result.text}")
        if word.text in results:
            result = word
            continue
        rest = _after_number(word, len(moves))
        if rest:
            moves.append(Word(rest, word.line))
    return Movetext(tuple(moves), result)


def _words(text: str, line: int) -> list[Word]:
    """The words that are neither blank nor comment nor annotation."""
    words = []
    for found in _PIECE.finditer(text):
        piece = found.group()
        if piece == "{":
            raise RecordError(f"line {line}: the comment that begins with {{ is not closed by }}")
        if piece[0] in "()[]":
            raise RecordError(
                f"line {line}: {piece[:40]!r} is no move: one game at a time, without variations"
            )
        bare = piece.rstrip(_REMARK)
        if bare.strip() and piece[0] not in ";{$":
            words.append(Word(bare, line))
        line += piece.count("\n")
    return words


def _after_number(word: Word, played: int) -> str:
    """The word without the number before it; RecordError unless that numbers the next move."""
    match = _NUMBER.match(word.text)
    if match is None and not word.text.strip("."):
        return ""
    if match is None:
        return word.text
    due = f"{played // 2 + 1}" + ("." if played % 2 == 0 else "...")
    is_right = int(match[1]) == played // 2 + 1 and (played % 2 == 0 or len(match[2]) > 1)
    if not is_right:
        raise RecordError(f"line {word.line}: {match[0]} stands where {due} is due")
    return word.text[match.end() :]
