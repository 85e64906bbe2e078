"""The effects of a hosted session, and the errors of its analyst.

``history`` creates them, the analysis service carries the effects out, and the eval socket shows the entries. The
requests are the four calls of the analyst port; ``answers`` reads a bot's responses to them.
"""

from dataclasses import dataclass

from protocols.session import Effect
from protocols.values import Entry, FailureCode


class AnswerError(Exception):
    """The analyst's answer cannot be used; the text says why. The state of its session is unknown."""


class RefusalError(AnswerError):
    """The analyst refused, and its session is unchanged. The text is its reason."""


# ---- requests to an analyst ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpenSession(Effect):
    """Open the session at the start of the game."""


@dataclass(frozen=True, slots=True)
class AdvanceSession(Effect):
    """Play ``move`` in the session."""

    move: str


@dataclass(frozen=True, slots=True)
class EvaluateSession(Effect):
    """Evaluate the session's position, given some of the moves that follow, and compare the first of them."""

    following: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CloseSession(Effect):
    """Close the session, if the analyst has it."""


Request = OpenSession | AdvanceSession | EvaluateSession | CloseSession
"""Carry the request out and start its time limit; no other request is outstanding."""


# ---- notifications ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EntryAdded(Effect):
    """``entry`` was appended to the history."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class HistoryCleared(Effect):
    """All entries are invalid; new ones follow from ply 0."""


@dataclass(frozen=True, slots=True)
class AtRest(Effect):
    """The history is complete: it has one entry for each position of the line."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Failed(Effect):
    """The session cannot be used any more. ``Ended`` follows, possibly after one more request.

    ``reason``: a printable text, of which the analyst may have written a part.
    """

    reason: str
    code: FailureCode


@dataclass(frozen=True, slots=True)
class Ended(Effect):
    """The session is over and nothing is outstanding: the last effect of a ``HostedBgs``."""
