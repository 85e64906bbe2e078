"""What the bridge asks of its driver, and what it tells it. Moments are milliseconds of any one clock.

The engine of the bridge has words of its own, in ``protocols.uhp.engine_work``.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from protocols.session import Effect, Event

# ---- effects -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dial(Effect):
    """Connect to ``server`` in ``pause_ms`` with these words of the handshake; ``LinkLost`` when it fails."""

    server: str
    words: Mapping[str, str]
    pause_ms: int = 0


@dataclass(frozen=True, slots=True)
class ToServer(Effect):
    """Send a line to the server."""

    line: str


class HangUp(Effect):
    """Let the connection go, and dial no more; no ``LinkLost`` follows."""


@dataclass(frozen=True, slots=True)
class Await(Effect):
    """Tell ``PatienceOver`` after so long."""

    ms: int


class Exit(Effect):
    """Everything is answered, and nothing more will be."""


# ---- events --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ServerSaid(Event):
    """A line of the server."""

    line: str
    now: int


@dataclass(frozen=True, slots=True)
class LinkLost(Event):
    """There is no connection, or none could be made."""

    why: str
    now: int


class Rested(Event):
    """The viewer has had its answer for a while and has asked nothing more: a person is thinking."""


class ViewerGone(Event):
    """The viewer has closed its end; it may still read."""


class PatienceOver(Event):
    """What was to be awaited has passed."""


class Unread(Event):
    """The reader of our answers has closed its end."""
