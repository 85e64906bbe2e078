"""What every protocol session shares: its shape, the effects common to all, and two kinds of blame.

A session is one side of one conversation, written as a value machine: a frame or an event goes in, a
list of effects comes out, which the owner of the socket or the pipe carries out in order
(``server/routes``). A session reads no clock and never waits. Effects that belong to one protocol are
defined beside its sessions.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

MAX_MESSAGE_UNITS = 65_536
"""The longest WebSocket message taken or sent, in UTF-16 code units."""

MAX_BAD_MESSAGES = 100
"""A socket is closed when this many of its messages could not be used."""

MAX_LOGGED_MESSAGES = 10
"""So many of them are logged for a socket."""

POLICY_VIOLATION = 1008
"""The close code for a peer that broke the protocol."""


class Effect:
    """Something that a session asks its driver to do."""

    __slots__ = ()


class Event:
    """Something that a driver tells a session, other than a frame of the peer."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Send(Effect):
    """Send ``text`` to the peer, as one frame or as one line without its end."""

    text: str


@dataclass(frozen=True, slots=True)
class Close(Effect):
    """Close the connection after everything sent so far. Later frames of the peer are ignored."""

    code: int
    reason: str


@dataclass(frozen=True, slots=True)
class Log(Effect):
    """Report ``text`` to the operator, not to the peer."""

    text: str


class Session(Protocol):
    """One side of one conversation."""

    def receive(self, frame: str) -> list[Effect]:
        """Take one frame (or one line, without its end) of the peer."""
        ...

    def notify(self, event: Event) -> list[Effect]:
        """Take one event of the driver."""
        ...


class LocalError(Exception):
    """We misused a session: ``event`` is impossible in ``state``. Never the peer's fault."""

    def __init__(self, state: Enum | str, event: object) -> None:
        name = state.name if isinstance(state, Enum) else state
        what = event.name if isinstance(event, Enum) else event
        super().__init__(f"{what} is impossible in state {name}")
        self.state = state
        self.event = event


class RemoteError(Exception):
    """The peer broke the protocol; the text says how, precisely enough to mend the peer."""


def log_bad_message(number: int, reason: str) -> list[Effect]:
    """Report the ``number``-th message of a peer that could not be used, unless enough have been reported."""
    return [Log(f"bad message {number}: {reason}")] if number <= MAX_LOGGED_MESSAGES else []


def message_units(text: str) -> int:
    """The length of ``text`` in UTF-16 code units, by which the limits of WebSocket messages are counted."""
    if text.isascii() or len(text) > MAX_MESSAGE_UNITS:
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def is_oversize(text: str) -> bool:
    """Whether ``text`` is longer than a message may be."""
    return message_units(text) > MAX_MESSAGE_UNITS
