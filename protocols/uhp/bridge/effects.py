"""Effects and events of the bridge. Points in time are milliseconds of one arbitrary clock.

Those of its local engine, and ``Quit``, are in ``protocols.uhp.engine_work``.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from protocols.session import Effect, Event

# ---- effects -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dial(Effect):
    """Connect to ``server`` after ``pause_ms`` with these handshake parameters; ``LinkLost`` follows a failure."""

    server: str
    words: Mapping[str, str]
    pause_ms: int = 0


@dataclass(frozen=True, slots=True)
class ToServer(Effect):
    """Send a line to the server."""

    line: str


@dataclass(frozen=True, slots=True)
class KeepSeat(Effect):
    """Store how to continue the game: ``resume``, the parameter of a handshake with ``server``."""

    server: str
    resume: str


class ForgetSeat(Effect):
    """Remove what was stored: the game is over."""


class HangUp(Effect):
    """Close the connection and stop connecting; no ``LinkLost`` follows."""


@dataclass(frozen=True, slots=True)
class Await(Effect):
    """Send ``TimeoutElapsed`` after ``ms`` milliseconds."""

    ms: int


# ---- events --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ServerSaid(Event):
    """A line from the server."""

    line: str
    now: int


@dataclass(frozen=True, slots=True)
class LinkLost(Event):
    """The connection was lost or could not be made."""

    why: str
    now: int


class PauseEnded(Event):
    """The viewer has sent nothing for a while after an answer, which means that a person is thinking."""


class ViewerGone(Event):
    """The viewer has closed its output; it may still read."""


class TimeoutElapsed(Event):
    """The time of ``Await`` has elapsed."""


class OutputClosed(Event):
    """The viewer has closed its input: our answers are no longer read."""
