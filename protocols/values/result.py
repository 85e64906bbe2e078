"""How a game ended."""

from dataclasses import dataclass
from enum import StrEnum

from engines import Outcome

MAX_NOTE = 200
"""The longest note of a result, in characters, all of them printable."""


def printable_note(text: str) -> str:
    """The beginning of a text, without characters that could disturb a terminal or a page."""
    return "".join(char if char.isprintable() else "?" for char in text[:MAX_NOTE])


class LeaveReason(StrEnum):
    """Why a seat left a running game. If that ends the game, it is also the reason of the result."""

    RESIGNATION = "resignation"
    TIMEOUT = "timeout"
    DISCONNECT = "disconnect"
    """The player's connection was closed for too long."""
    ILLEGAL_MOVE = "illegal-move"
    """It sent more illegal moves than are allowed."""
    PROTOCOL = "protocol"
    """It violated the protocol by which it plays."""
    DESYNC = "desync"
    """Its game differs from the one being played."""


@dataclass(frozen=True, slots=True)
class Result:
    """How the game ended. ``winners`` is empty for a draw; ``scores`` is None in games without points.

    ``note`` is the message of the seat that lost by leaving, at most ``MAX_NOTE`` characters.
    """

    winners: tuple[int, ...]
    reason: str
    scores: tuple[float, ...] | None = None
    note: str | None = None

    @classmethod
    def by_rules(cls, outcome: Outcome) -> "Result":
        """The result of a game that ended by its rules."""
        scores = None if outcome.scores is None else tuple(outcome.scores)
        return cls(tuple(outcome.winners), outcome.reason, scores)
