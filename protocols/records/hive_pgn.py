"""Hive in PGN, as saved by MzingaViewer and exported by sites.

Tags, of which ``[GameType "Base+MLP"]`` is required, are followed by the moves, each after its number or on its own
line: ``1. wS1``, ``2. bS1 wS1-``. Numbers are optional and count moves or turns. As in PGN of other games, a variation
is in parentheses behind the move that it replaces, a comment in braces, and a mark is ``!?`` or ``$5``.
``hive`` plays the parsed game; records are its main line.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from protocols.records import sgf
from protocols.records import tags as head
from protocols.records.hive import WINNERS, Claim, ParsedGame
from protocols.records.record import RecordError
from protocols.records.tags import Tag
from protocols.records.written_move import GLYPHS, WrittenMove
from protocols.values import Seat, SeatKind

PLAYERS: Final = ("White", "Black")
_NO_ENDINGS: Final = ("inprogress", "notstarted", "*")
_TAG = re.compile(r'^[ \t]*\[\s*GameType\s+"', re.MULTILINE)
_FIRST_MOVE = re.compile(r"^[ \t]*1\s*\.+\s*w[QSBGAMLP]\d?\s*?($|\s2)", re.MULTILINE | re.IGNORECASE)
_TOKEN = re.compile(
    r"""(?P<comment>\{[^}]*\})
      | (?P<number>(?<![^\s(){}])\d{1,4})\s*\.+
      | \$(?P<code>\d{1,3})
      | (?P<bracket>[()])
      | (?P<break>\n)
      | [^\S\n]+
      | (?P<word>[^\s(){}$]+|[{}$])""",
    re.VERBOSE | re.ASCII,
)
_MARKED = re.compile(r"(.*?)([!?]{1,2})")


@dataclass(frozen=True, slots=True)
class WrittenGame:
    """The tags, the moves behind ``root`` with their variations, and the word for the result, if there is one."""

    tags: Mapping[str, Tag]
    root: WrittenMove
    ending: str | None


def looks_like(text: str) -> bool:
    """Whether the text has the tag of the type, or its first move is one of Hive. Comments of SGF may have both."""
    return not sgf.looks_like(text) and bool(_TAG.search(text) or _FIRST_MOVE.search(text))


def read(text: str) -> ParsedGame:
    """Parses the text; variations are ignored. Raises RecordError, naming the line."""
    return main_line(read_game(text))


def read_game(text: str) -> WrittenGame:
    """Parses the text with its variations. Raises RecordError, naming the line."""
    parts = head.split(text, head.LINE_COMMENT)
    if "GameType" not in parts.tags:
        raise RecordError('the tag [GameType "…"] is missing, such as Base+MLP')
    movetext = _Movetext(parts.first_line)
    movetext.read(parts.body)
    return WrittenGame(parts.tags, movetext.root, movetext.ending)


def main_line(game: WrittenGame) -> ParsedGame:
    """The game without its variations."""
    moves = game.root.main_line()
    created_at, notes = head.day_of(game.tags.get("Date"))
    return ParsedGame(
        type=game.tags["GameType"].value.strip(),
        moves=tuple(move.text for move in moves),
        claim=_claim(game.ending or _ending(game.tags.get("Result"))),
        places=tuple(f"line {move.line}" for move in moves),
        seats=tuple(_seat(game.tags, player) for player in PLAYERS),
        created_at=created_at,
        notes=notes,
    )


def _seat(tags: Mapping[str, Tag], player: str) -> Seat:
    return Seat(SeatKind.HUMAN, head.name_of(tags.get(player)))


def _claim(word: str | None) -> Claim | None:
    return None if word is None else Claim(word, WINNERS[word.lower()])


def _ending(tag: Tag | None) -> str | None:
    return tag.value.strip() if tag is not None and tag.value.strip().lower() in WINNERS else None


MOST_MOVES: Final = 50_000
"""The maximum number of moves of a text, in all its variations."""


@dataclass(frozen=True, slots=True)
class _Reached:
    """A move that was read, and the one before it in its line. ``ply``: 0 for the root."""

    move: WrittenMove
    ply: int
    before: "_Reached | None" = None


class _Movetext:
    """Reads the text below the tags: the moves behind ``root``, and the word for the result, if there is one."""

    def __init__(self, first_line: int) -> None:
        self.root = WrittenMove("", first_line)
        self.ending: str | None = None
        self._line = first_line
        self._last = _Reached(self.root, 0)
        self._returns: list[_Reached] = []
        """The moves that the open variations replace."""
        self._count = 0
        self._number: int | None = None
        self._words: list[str] = []
        self._last_word: str | None = None
        """The word that ended the game, even if it says that there is no result."""

    def read(self, body: str) -> None:
        """Reads all of it. Raises RecordError."""
        if body.rfind("{") > body.rfind("}"):
            line = self._line + body.count("\n", 0, body.rfind("{"))
            raise RecordError(f"line {line}: the comment that begins with {{ is not closed by }}")
        for token in _TOKEN.finditer(body):
            self._take(token)
            self._line += token[0].count("\n")
        self._finish_move()
        if self._returns:
            raise RecordError("a variation is not closed by ): the end of the text is missing")

    def _take(self, token: re.Match[str]) -> None:
        kind, text = token.lastgroup, token[0]
        if kind == "word":
            self._take_word(text)
        elif kind is not None:
            self._finish_move()
        if kind == "number":
            self._number = int(token["number"])
        elif kind == "comment":
            self._last.move.add_comment(" ".join(text[1:-1].split()))
        elif kind == "code" and int(token["code"]) in GLYPHS:
            self._last.move.glyph = GLYPHS[int(token["code"])]
        elif text == "(":
            self._begin()
        elif text == ")":
            self._end()

    def _take_word(self, word: str) -> None:
        if not _is_ending(word):
            self._words.append(word)
            return
        self._finish_move()
        if not self._returns:
            self._last_word = word
            self.ending = word if word.lower() in WINNERS else None

    def _finish_move(self) -> None:
        """Adds the move of the words since the last one."""
        number, words = self._number, self._words
        if not words:
            return
        self._number, self._words = None, []
        self._check(number, words)
        text, glyph = " ".join(words), ""
        if (marked := _MARKED.fullmatch(text)) and marked[2] in GLYPHS.values():
            text, glyph = marked[1].strip(), marked[2]
        move = WrittenMove(text, self._line, glyph=glyph)
        self._last.move.next.append(move)
        self._last = _Reached(move, self._last.ply + 1, self._last)

    def _check(self, number: int | None, words: list[str]) -> None:
        due = self._last.ply + 1
        self._count += 1
        if self._count > MOST_MOVES:
            raise RecordError(f"a record has at most {MOST_MOVES} moves and variations", limit=MOST_MOVES)
        if self._last_word is not None:
            shown = " ".join(words)[:40]
            raise RecordError(f"line {self._line}: {shown!r} comes after the result {self._last_word}")
        if not self._returns and number not in (None, due, (due + 1) // 2):
            raise RecordError(f"line {self._line}: {number}. found where {due}. was expected")

    def _begin(self) -> None:
        if self._last.before is None:
            raise RecordError(
                f"line {self._line}: ( begins a variation, but there is no move that it replaces"
            )
        self._returns.append(self._last)
        self._last = self._last.before

    def _end(self) -> None:
        if not self._returns:
            raise RecordError(f"line {self._line}: ) ends a variation, but none is open")
        self._last = self._returns.pop()


def _is_ending(word: str) -> bool:
    return word.lower() in (*WINNERS, *_NO_ENDINGS)
