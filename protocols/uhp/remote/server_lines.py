"""The server's lines to a seat of model B, parsed into values. For clients; the server's side is ``seat``.

Used by the bridge and by tests.
"""

from contextlib import suppress
from dataclasses import dataclass, field

from protocols.uhp.game_string import COLORS, BadGameString, GameString, parse
from protocols.uhp.lines import ERROR, INVALID_MOVE


@dataclass(frozen=True, slots=True)
class SeatLine:
    """We have a seat. ``words`` are the ``name=value`` parts of the line."""

    seat: int
    words: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ClockLine:
    """Milliseconds left for White and for Black."""

    left: tuple[int, int]


@dataclass(frozen=True, slots=True)
class RefusalLine:
    """The server refused what we sent, for the reason ``why``. After ``invalidmove``, it is still our turn."""

    keyword: str
    why: str


@dataclass(frozen=True, slots=True)
class EndLine:
    """The game is over; ``state`` is a GameState."""

    state: str
    reason: str


ServerLine = SeatLine | GameString | ClockLine | RefusalLine | EndLine
"""A GameString is the current game."""


def read(line: str) -> ServerLine | None:
    """Parses one line, without its end; None if it is ``ok`` or unknown."""
    word, _, rest = line.strip().partition(" ")
    match word:
        case "seat":
            return _seated(rest)
        case "clock":
            return _clocks(rest)
        case _ if word in (ERROR, INVALID_MOVE):
            return RefusalLine(word, rest)
        case "end":
            state, _, reason = rest.partition(" ")
            return EndLine(state, reason)
        case _:
            with suppress(BadGameString):
                return parse(line)
            return None


def _seated(rest: str) -> SeatLine | None:
    colour, *words = rest.split()
    if colour not in COLORS:
        return None
    pairs = (word.partition("=") for word in words)
    return SeatLine(COLORS.index(colour), {name: value for name, _, value in pairs})


def _clocks(rest: str) -> ClockLine | None:
    words = rest.split()
    if len(words) != len(COLORS) or not all(word.isdecimal() for word in words):
        return None
    return ClockLine((int(words[0]), int(words[1])))
