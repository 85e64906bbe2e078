"""What a seat of model B reads: the lines of the server as values. The client's side; ``seat`` is the server's.

Called by clients of such a seat: the bridge, and tests.
"""

from dataclasses import dataclass, field

from protocols.uhp.game_string import COLORS, BadGameString, GameString, parse


@dataclass(frozen=True, slots=True)
class Seated:
    """The seat is ours. ``words`` are the ``name=value`` parts of the line."""

    seat: int
    words: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shown:
    """The game as it stands; ``state`` is what the line says of it, which a forfeit may force."""

    game: GameString
    state: str


@dataclass(frozen=True, slots=True)
class Clocks:
    """Milliseconds left to White and to Black."""

    left: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Refused:
    """Our move is illegal; it is still our turn."""

    why: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """The server took nothing of what we sent."""

    why: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over: ``state`` as in a GameString."""

    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """The server took the handshake. ``resume`` opens the seat again after a lost connection."""

    resume: str | None = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """A line that this version does not know; it is to be passed over."""

    line: str


News = Seated | Shown | Clocks | Refused | Rejected | Ended | Accepted | Unknown


def read(line: str) -> News:
    """The meaning of one line, without its end."""
    word, _, rest = line.strip().partition(" ")
    match word:
        case "ok":
            return Accepted(_words(rest).get("resume"))
        case "seat":
            return _seated(rest) or Unknown(line)
        case "clock":
            return _clocks(rest) or Unknown(line)
        case "invalidmove":
            return Refused(rest)
        case "err":
            return Rejected(rest)
        case "end":
            state, _, reason = rest.partition(" ")
            return Ended(state, reason)
        case _:
            return _shown(line)


def _seated(rest: str) -> Seated | None:
    colour, *words = rest.split()
    if colour not in COLORS:
        return None
    return Seated(COLORS.index(colour), _words(" ".join(words)))


def _words(text: str) -> dict[str, str]:
    """``name=value`` for each word."""
    pairs = (word.partition("=") for word in text.split())
    return {name: value for name, _, value in pairs}


def _clocks(rest: str) -> Clocks | None:
    words = rest.split()
    if len(words) != len(COLORS) or not all(word.isdecimal() for word in words):
        return None
    return Clocks((int(words[0]), int(words[1])))


def _shown(line: str) -> Shown | Unknown:
    try:
        game = parse(line)
    except BadGameString:
        return Unknown(line)
    _, _, rest = line.partition(";")
    return Shown(game, rest.partition(";")[0].strip())
