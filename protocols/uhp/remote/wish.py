"""The game that somebody looks for: its type, colour, clock and opponent, as they are written on the wire.

Read from the handshake and from ``newgame remote``; matchmaking compares wishes.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from protocols.uhp.game_string import COLORS, TYPES, BadGameString, read_type
from protocols.uhp.lines import shown

BOT = "bot:"
"""What begins the name of an opponent that is a bot."""

MAX_NAME = 64
UNTIMED = "-"

_TEMPO = re.compile(r"(\d{1,6})\+(\d{1,6})", re.ASCII)


class BadWish(ValueError):
    """Nobody can play that; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class Tempo:
    """A clock in seconds. ``base`` 0: ``increment`` seconds for each move."""

    base: int
    increment: int

    def __str__(self) -> str:
        return f"{self.base}+{self.increment}"


DEFAULT_TEMPO: Final = Tempo(300, 5)
"""The clock of those who do not name one."""


@dataclass(frozen=True, slots=True)
class Wish:
    """``seat`` None: any. ``tempo`` None: no clock. ``opponent``: a player's name, or a bot's behind ``bot:``."""

    type: str = TYPES[0]
    seat: int | None = None
    tempo: Tempo | None = DEFAULT_TEMPO
    opponent: str | None = None
    name: str | None = None

    @property
    def bot(self) -> str | None:
        """The bot that is wished for as the opponent."""
        return self.opponent.removeprefix(BOT) if self.opponent and self.opponent.startswith(BOT) else None

    def suits(self, other: "Wish") -> bool:
        """Whether both can play each other: equal type and clock, colours that go together, and the right names."""
        same = (self.type, self.tempo) == (other.type, other.tempo)
        colours = self.seat is None or self.seat != other.seat
        return same and colours and self._accepts(other) and other._accepts(self)

    def _accepts(self, other: "Wish") -> bool:
        return self.opponent is None or self.opponent == other.name


DEFAULT_WISH: Final = Wish()
"""What is looked for when nothing is said."""

WISH_NAMES: Final = ("type", "color", "tc", "vs", "name")
"""The parameters that make up a wish."""


def read_wish(given: Mapping[str, str], wish: Wish = DEFAULT_WISH) -> Wish:
    """The wish of these parameters; what they do not name is as in ``wish``. BadWish."""
    return Wish(
        type=read_game_type(given["type"]) if "type" in given else wish.type,
        seat=_read_colour(given["color"]) if "color" in given else wish.seat,
        tempo=read_tempo(given["tc"]) if "tc" in given else wish.tempo,
        opponent=_read_name("vs", given["vs"]) if "vs" in given else wish.opponent,
        name=_read_name("name", given["name"]) if "name" in given else wish.name,
    )


def read_game_type(text: str) -> str:
    """The canonical GameType; BadWish."""
    try:
        return read_type(text)
    except BadGameString as refusal:
        raise BadWish(str(refusal)) from None


def read_tempo(text: str) -> Tempo | None:
    """``base+increment`` in seconds, or ``-`` for no clock. BadWish."""
    if text == UNTIMED:
        return None
    found = _TEMPO.fullmatch(text)
    if found is None:
        raise BadWish(f'"{shown(text)}" is no clock: write tc=300+5, tc=0+10 (for each move) or tc=-')
    return Tempo(int(found[1]), int(found[2]))


def write_tempo(tempo: Tempo | None) -> str:
    """The clock as it stands behind ``tc=``."""
    return UNTIMED if tempo is None else str(tempo)


def _read_colour(text: str) -> int | None:
    colours = {"any": None, **{name.lower(): seat for seat, name in enumerate(COLORS)}}
    if text.lower() not in colours:
        raise BadWish(f'"{shown(text)}" is no colour: white, black or any')
    return colours[text.lower()]


def _read_name(parameter: str, text: str) -> str:
    """One word: on the wire blanks separate."""
    if not text or len(text) > MAX_NAME or not text.isprintable():
        raise BadWish(f"{parameter} must be a name of at most {MAX_NAME} letters")
    return text
