"""What all protocol sessions share: their interface, common effects, and errors of the driver and of the peer.

A session is one side of a conversation, written as a state machine without I/O: it takes a frame or an event and
returns a list of effects, which the owner of the socket or pipe (``server.services.driver``) carries out in order. A
session never reads a clock and never waits. Effects that only one protocol has are defined next to its sessions.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

MAX_MESSAGE_UNITS = 65_536
"""The longest WebSocket message accepted or sent, in UTF-16 code units."""

MAX_BAD_MESSAGES = 100
"""A socket is closed after this many invalid messages."""

MAX_LOGGED_MESSAGES = 10
"""How many invalid messages are logged per socket."""

POLICY_VIOLATION = 1008
"""The close code for a peer that broke the protocol."""


class Effect:
    """Something that a session asks its driver to do."""

    __slots__ = ()


class Event:
    """Something that happened outside the session, such as a time-out; everything but a frame of the peer."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Send(Effect):
    """Send ``text`` to the peer, as one frame or one line (without its newline)."""

    text: str


@dataclass(frozen=True, slots=True)
class Close(Effect):
    """Close the connection after sending everything before it. Later frames of the peer are ignored."""

    code: int
    reason: str


@dataclass(frozen=True, slots=True)
class Log(Effect):
    """Log ``text`` for the operator; the peer does not see it."""

    text: str


@dataclass(frozen=True, slots=True)
class FrameLost(Event):
    """The peer sent something that cannot be read as a frame or line, as ``text`` says: too long, or binary."""

    text: str


class Session(Protocol):
    """One side of a conversation."""

    def receive(self, frame: str) -> list[Effect]:
        """Handle one frame (or one line, without its newline) from the peer."""
        ...

    def notify(self, event: Event) -> list[Effect]:
        """Handle one event from the driver."""
        ...


class LocalError(Exception):
    """A session was misused: ``event`` is impossible in ``state``. Never the peer's fault."""

    def __init__(self, state: Enum | str, event: object) -> None:
        name = state.name if isinstance(state, Enum) else state
        what = event.name if isinstance(event, Enum) else event
        super().__init__(f"{what} is impossible in state {name}")
        self.state = state
        self.event = event


class RemoteError(Exception):
    """The peer violated the protocol; the text says how, precisely enough to fix the peer."""


class BadMessages:
    """Counts the invalid messages of one peer."""

    def __init__(self) -> None:
        self._count = 0

    @property
    def are_too_many(self) -> bool:
        """Whether the connection must be closed."""
        return self._count >= MAX_BAD_MESSAGES

    def add(self, reason: str) -> list[Effect]:
        """Counts a message: the first ``MAX_LOGGED_MESSAGES`` are logged, too many close the connection."""
        self._count += 1
        if self.are_too_many:
            return [Close(POLICY_VIOLATION, "Too many unexpected messages")]
        return [Log(f"bad message {self._count}: {reason}")] if self._count <= MAX_LOGGED_MESSAGES else []


def message_units(text: str) -> int:
    """The length of ``text`` in UTF-16 code units, the unit of the limits on WebSocket messages."""
    if text.isascii() or len(text) > MAX_MESSAGE_UNITS:
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def is_oversize(text: str) -> bool:
    """Whether ``text`` is longer than ``MAX_MESSAGE_UNITS``."""
    return message_units(text) > MAX_MESSAGE_UNITS
