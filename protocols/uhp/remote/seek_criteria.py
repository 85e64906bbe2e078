"""The game that a player looks for: type, colour, clock and opponent, as written on the wire.

Parsed from the handshake and from ``newgame remote``; matchmaking compares criteria.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from protocols.uhp.game_string import COLORS, TYPES, BadGameString, read_type
from protocols.uhp.lines import shown
from protocols.values import TimeControl

BOT = "bot:"
"""Prefix of an opponent's name that denotes a bot."""

MAX_NAME = 64
UNTIMED = "-"

_SECONDS = re.compile(r"(\d{1,6})\+(\d{1,6})", re.ASCII)


class BadSeekCriteria(ValueError):
    """The criteria are invalid; the text is one sentence."""


DEFAULT_TIME_CONTROL: Final = TimeControl(300, 5, starts_at_once=True)
"""The clock if none is given."""


@dataclass(frozen=True, slots=True)
class SeekCriteria:
    """``seat`` None: any. ``time_control`` None: no clock. ``opponent``: a player's name, or ``bot:`` and a bot's."""

    type: str = TYPES[0]
    seat: int | None = None
    time_control: TimeControl | None = DEFAULT_TIME_CONTROL
    opponent: str | None = None
    name: str | None = None

    @property
    def bot(self) -> str | None:
        """The bot requested as the opponent, or None."""
        return self.opponent.removeprefix(BOT) if self.opponent and self.opponent.startswith(BOT) else None

    def suits(self, other: "SeekCriteria") -> bool:
        """Whether both can play each other: same type and clock, compatible colours and opponents."""
        same = (self.type, self.time_control) == (other.type, other.time_control)
        colours = self.seat is None or self.seat != other.seat
        return same and colours and self._accepts(other) and other._accepts(self)

    def _accepts(self, other: "SeekCriteria") -> bool:
        return self.opponent is None or self.opponent == other.name


DEFAULT_CRITERIA: Final = SeekCriteria()
"""The criteria if none are given."""

CRITERIA_NAMES: Final = ("type", "color", "tc", "vs", "name")
"""The parameters that make up the criteria."""


def read_seek_criteria(given: Mapping[str, str], criteria: SeekCriteria = DEFAULT_CRITERIA) -> SeekCriteria:
    """Builds criteria from parameters; missing ones default to those of ``criteria``. Raises BadSeekCriteria."""
    return SeekCriteria(
        type=read_game_type(given["type"]) if "type" in given else criteria.type,
        seat=_read_colour(given["color"]) if "color" in given else criteria.seat,
        time_control=read_time_control(given["tc"]) if "tc" in given else criteria.time_control,
        opponent=_read_name("vs", given["vs"]) if "vs" in given else criteria.opponent,
        name=_read_name("name", given["name"]) if "name" in given else criteria.name,
    )


def read_game_type(text: str) -> str:
    """The canonical GameType. Raises BadSeekCriteria."""
    try:
        return read_type(text)
    except BadGameString as refusal:
        raise BadSeekCriteria(str(refusal)) from None


def read_time_control(text: str) -> TimeControl | None:
    """Parses ``base+increment`` in seconds, or ``-`` for no clock. The clock runs from the start of the game.

    Raises BadSeekCriteria.
    """
    if text == UNTIMED:
        return None
    found = _SECONDS.fullmatch(text)
    if found is None:
        raise BadSeekCriteria(
            f'"{shown(text)}" is not a clock: write tc=300+5, tc=0+10 (for each move) or tc=-'
        )
    return TimeControl(int(found[1]), int(found[2]), starts_at_once=True)


def write_time_control(control: TimeControl | None) -> str:
    """The value of ``tc=`` for a time control."""
    return UNTIMED if control is None else str(control)


def _read_colour(text: str) -> int | None:
    colours = {"any": None, **{name.lower(): seat for seat, name in enumerate(COLORS)}}
    if text.lower() not in colours:
        raise BadSeekCriteria(f'"{shown(text)}" is not a colour: white, black or any')
    return colours[text.lower()]


def _read_name(parameter: str, text: str) -> str:
    """A name of one word, because a space ends a word on the wire."""
    if not text or len(text) > MAX_NAME or not text.isprintable():
        raise BadSeekCriteria(f"{parameter} must be a name of at most {MAX_NAME} letters")
    return text
