"""What came of the requests of a viewer: one effect for each, and the kinds of failure.

Made by ``viewer``; whoever drives it decides what a failure costs: an arena or a server counts a loss for
``Failed.reason``, a bot starts its engine again.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from protocols.session import Effect
from protocols.uhp.options import Option
from protocols.uhp.requests import Banner, BestMove, GameRequest, Request

UNKNOWN_NAME = "Unknown"
EXPANSIONS = {"M": "mosquito", "L": "ladybug", "P": "pillbug"}
"""The capability that each letter of a game type needs."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who an engine says it is. ``capabilities`` are its flags in lower case, unknown ones included."""

    name: str = UNKNOWN_NAME
    capabilities: frozenset[str] = frozenset()

    def lacks(self, game_type: str) -> Collection[str]:
        """The capabilities that ``game_type`` ("Base+MLP") needs and the engine does not name."""
        needed = [EXPANSIONS[letter] for letter in game_type.partition("+")[2]]
        return [flag for flag in needed if flag not in self.capabilities]


def read_identity(lines: Sequence[str]) -> Identity:
    """The answer to ``info``: first line the id, last line the capabilities, which may be missing."""
    name, flags = UNKNOWN_NAME, ""
    word, _, rest = lines[0].partition(" ") if lines else ("", "", "")
    if word.lower() == "id":
        name = rest.strip() or UNKNOWN_NAME
        lines = lines[1:]
    if lines:
        flags = lines[-1]
    found = (flag.strip().lower() for flag in flags.split(";"))
    return Identity(name, frozenset(flag for flag in found if flag))


# ---- effects: each ends the request under way ----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Identified(Effect):
    """The banner is read; the engine waits for its first command."""

    identity: Identity


@dataclass(frozen=True, slots=True)
class OptionsListed(Effect):
    """All options of the engine, without the lines that are none."""

    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class OptionTaken(Effect):
    """The engine has set an option."""

    name: str


@dataclass(frozen=True, slots=True)
class Agreed(Effect):
    """The engine is at the position that was asked for, by a replay of what it answered."""

    request: GameRequest
    ply: int


@dataclass(frozen=True, slots=True)
class Chosen(Effect):
    """The engine's best move: legal, and canonical, however it was written.

    ``line`` is the last line of the answer as it came, which may tell more behind a ``;``.
    """

    move: str
    line: str


class Fault(StrEnum):
    """What went wrong with a request."""

    ERROR = "error"
    """It was answered with ``err``."""
    INVALID_MOVE = "invalidmove"
    """It was answered with ``invalidmove``."""
    EMPTY = "empty"
    """It was answered with ``ok`` alone."""
    UNREADABLE = "unreadable"
    """The answer is no GameString, or no move."""
    DIFFERS = "differs"
    """The answer is another position than the one asked for."""
    ILLEGAL = "illegal"
    """The best move is not legal."""
    SILENT = "silent"
    """There was no answer in time."""
    FLOOD = "flood"
    """The answer was too long."""
    GONE = "gone"
    """The engine has closed its output."""


@dataclass(frozen=True, slots=True)
class Failed(Effect):
    """A request came to nothing; ``text`` is a sentence for people."""

    request: Request
    fault: Fault
    text: str

    @property
    def reason(self) -> str:
        """Why this loses a game, in the words in which results of games give reasons."""
        match self.fault:
            case Fault.GONE:
                return "disconnect"
            case Fault.FLOOD:
                return "protocol"
            case Fault.SILENT if isinstance(self.request, BestMove | Banner):
                return "timeout"
            case Fault.UNREADABLE | Fault.ILLEGAL if isinstance(self.request, BestMove):
                return "illegal-move"
        return "desync" if isinstance(self.request, GameRequest) else "protocol"
