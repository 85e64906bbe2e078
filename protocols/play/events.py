"""What the driver of a game socket tells its session: how the game stands, what has happened, who is there.

The frames that follow are made in ``frames``, and once for all who follow a game.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from protocols.play.frames import extended_text, state_text
from protocols.play.table import Attendance, Table
from protocols.session import Event


@dataclass(frozen=True, slots=True)
class Notice:
    """``seat`` has made an offer or rejected one: ``name`` is the frame's type, such as ``draw-offer``.

    ``seq`` is its number in the game. ``new_game_id`` belongs to ``rematch-started``.
    """

    name: str
    seat: int
    seq: int
    new_game_id: str | None = None


@dataclass(frozen=True)
class Picture:
    """A moment of a game and what led to it, with the frames that all who follow it get, each written once.

    ``is_new_state``: the board, the seats or the clocks have changed, and not only an offer.
    """

    table: Table
    notices: tuple[Notice, ...] = ()
    is_new_state: bool = True

    @cached_property
    def plain(self) -> str:
        """The ``state`` frame."""
        return state_text(self.table)

    @cached_property
    def extended(self) -> str:
        """The ``state`` frame for clients with extensions: with ``position`` and ``seats`` for every game."""
        return extended_text(self.table)


@dataclass(frozen=True, slots=True)
class Opened(Event):
    """The socket is open; ``attendance`` counts its own player in.

    The notices of ``picture`` are those that the client says it has missed.
    """

    socket_id: str
    picture: Picture
    attendance: Attendance


@dataclass(frozen=True, slots=True)
class Changed(Event):
    """The game has changed."""

    picture: Picture


@dataclass(frozen=True, slots=True)
class PresenceChanged(Event):
    """Players have come or gone."""

    attendance: Attendance


@dataclass(frozen=True, slots=True)
class MoveTaken(Event):
    """The player's move is in; ``pending`` are the seats that a simultaneous move waits for."""

    ply: int
    message_id: str | None
    pending: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TimeTold(Event):
    """The present time in milliseconds since the epoch."""

    now: int


@dataclass(frozen=True, slots=True)
class Refused(Event):
    """The player's wish was refused; ``body`` is the error's body."""

    body: Mapping[str, Any]
