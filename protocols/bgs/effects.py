"""What a hosted session knows and asks for: history entries, its effects, and why it may fail.

Values only; ``history`` makes them, the analysis service carries the effects out, the eval socket shows
the entries.
"""

from dataclasses import dataclass
from enum import StrEnum

from protocols.bgs import messages as m
from protocols.session import Effect


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of the position after ``ply`` moves.

    ``evaluation`` is seat 0's value in [-1, 1]; ``best_move`` is for the side to move, "" when the game
    is over. ``values`` and ``policies`` have one member per seat, where the analyst gave them;
    ``source`` names the model or evaluator and ``samples`` its simulations, for our own pool only.
    """

    ply: int
    evaluation: float
    best_move: str
    values: m.Values | None = None
    policies: m.Policies | None = None
    source: str | None = None
    samples: int | None = None


class FailureCode(StrEnum):
    """Why a hosted session failed, in the words of the eval socket."""

    TIMEOUT = "TIMEOUT"
    BOT_DISCONNECTED = "BOT_DISCONNECTED"
    INTERNAL_ERROR = "INTERNAL_ERROR"


@dataclass(frozen=True, slots=True)
class Request(Effect):
    """Send ``message`` to the analyst and start its time limit; nothing else is outstanding."""

    message: m.Request


@dataclass(frozen=True, slots=True)
class EntryAdded(Effect):
    """The history has grown by ``entry``; plies come in order without gaps."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class HistoryCleared(Effect):
    """All entries are void; they come again from ply 0."""


@dataclass(frozen=True, slots=True)
class AtRest(Effect):
    """The history is complete for the game's moves: one entry for each ply from 0."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Failed(Effect):
    """The session is of no more use. Its end still follows as ``Ended``, which may take one more request."""

    reason: str
    code: FailureCode


@dataclass(frozen=True, slots=True)
class Ended(Effect):
    """The session is over and nothing is outstanding: the last effect of a ``HostedBgs``."""
