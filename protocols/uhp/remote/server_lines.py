"""The server's lines to a seat of model B, parsed into values. For clients; the server's side is ``seat``.

Used by the bridge and by tests.
"""

from dataclasses import dataclass, field

from protocols.uhp.game_string import COLORS, BadGameString, GameString, parse


@dataclass(frozen=True, slots=True)
class SeatLine:
    """We have a seat. ``words`` are the ``name=value`` parts of the line."""

    seat: int
    words: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GameLine:
    """The current game; ``state`` is the GameState in the line, which a forfeit may set."""

    game: GameString
    state: str


@dataclass(frozen=True, slots=True)
class ClockLine:
    """Milliseconds left for White and for Black."""

    left: tuple[int, int]


@dataclass(frozen=True, slots=True)
class InvalidMoveLine:
    """Our move was illegal; it is still our turn."""

    why: str


@dataclass(frozen=True, slots=True)
class ErrorLine:
    """The server refused what we sent."""

    why: str


@dataclass(frozen=True, slots=True)
class EndLine:
    """The game is over; ``state`` is a GameState."""

    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class OkLine:
    """The server accepted the handshake."""


@dataclass(frozen=True, slots=True)
class UnknownLine:
    """A line unknown to this version, to be ignored."""

    line: str


ServerLine = SeatLine | GameLine | ClockLine | InvalidMoveLine | ErrorLine | EndLine | OkLine | UnknownLine


def read(line: str) -> ServerLine:
    """Parses one line, without its end."""
    word, _, rest = line.strip().partition(" ")
    match word:
        case "ok":
            return OkLine()
        case "seat":
            return _seated(rest) or UnknownLine(line)
        case "clock":
            return _clocks(rest) or UnknownLine(line)
        case "invalidmove":
            return InvalidMoveLine(rest)
        case "err":
            return ErrorLine(rest)
        case "end":
            state, _, reason = rest.partition(" ")
            return EndLine(state, reason)
        case _:
            return _shown(line)


def _seated(rest: str) -> SeatLine | None:
    colour, *words = rest.split()
    if colour not in COLORS:
        return None
    return SeatLine(COLORS.index(colour), _words(" ".join(words)))


def _words(text: str) -> dict[str, str]:
    """``name=value`` for each word."""
    pairs = (word.partition("=") for word in text.split())
    return {name: value for name, _, value in pairs}


def _clocks(rest: str) -> ClockLine | None:
    words = rest.split()
    if len(words) != len(COLORS) or not all(word.isdecimal() for word in words):
        return None
    return ClockLine((int(words[0]), int(words[1])))


def _shown(line: str) -> GameLine | UnknownLine:
    try:
        game = parse(line)
    except BadGameString:
        return UnknownLine(line)
    _, _, rest = line.partition(";")
    return GameLine(game, rest.partition(";")[0].strip())
