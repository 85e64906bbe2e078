"""Outcomes of a viewer's requests: what a banner says, the best move, and the kinds of failure.

Made by ``viewer``. Its driver decides how to handle a failure: an arena or server scores a loss with
``RequestFailed.reason``, a bot restarts its engine.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from protocols.session import Effect
from protocols.uhp.requests import Banner, BestMove, GameRequest, Request

UNKNOWN_NAME = "Unknown"
EXPANSIONS = {"M": "mosquito", "L": "ladybug", "P": "pillbug"}
"""The capability required by each letter of a game type."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The engine's own description. ``capabilities`` are its flags in lower case, including unknown ones."""

    name: str = UNKNOWN_NAME
    capabilities: frozenset[str] = frozenset()

    def lacks(self, game_type: str) -> Collection[str]:
        """The capabilities that ``game_type`` ("Base+MLP") requires and the engine does not announce."""
        needed = [EXPANSIONS[letter] for letter in game_type.partition("+")[2]]
        return [flag for flag in needed if flag not in self.capabilities]


def read_identity(lines: Sequence[str]) -> Identity:
    """Reads the answer to ``info``: the id in the first line, the capabilities in the last one if there is another."""
    name, flags = UNKNOWN_NAME, ""
    word, _, rest = lines[0].partition(" ") if lines else ("", "", "")
    if word.lower() == "id":
        name = rest.strip() or UNKNOWN_NAME
        lines = lines[1:]
    if lines:
        flags = lines[-1]
    found = (flag.strip().lower() for flag in flags.split(";"))
    return Identity(name, frozenset(flag for flag in found if flag))


# ---- effects: each ends the current request ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Done(Effect):
    """The engine has done what was requested; after a game request, replaying its answer led to the same position."""

    request: Request


@dataclass(frozen=True, slots=True)
class Chosen(Effect):
    """The engine's best move: legal and in canonical notation, however the engine wrote it."""

    move: str


class Fault(StrEnum):
    """Why a request failed."""

    ERROR = "error"
    """The answer was ``err``."""
    INVALID_MOVE = "invalidmove"
    """The answer was ``invalidmove``."""
    EMPTY = "empty"
    """The answer was only ``ok``."""
    UNREADABLE = "unreadable"
    """The answer is not a GameString or not a move."""
    DIFFERS = "differs"
    """The answer shows a different position from the requested one."""
    ILLEGAL = "illegal"
    """The best move is not legal."""
    SILENT = "silent"
    """There was no answer in time."""
    FLOOD = "flood"
    """The answer was too long."""
    GONE = "gone"
    """The engine has closed its output."""


@dataclass(frozen=True, slots=True)
class RequestFailed(Effect):
    """A request failed; ``text`` is a sentence for people."""

    request: Request
    fault: Fault
    text: str

    @property
    def reason(self) -> str:
        """The reason for which this failure loses a game, as in game results."""
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
