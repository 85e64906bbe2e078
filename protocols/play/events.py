"""What the driver of a game socket reports to its session: the state of the game, changes to it, and attendance.

``frames`` encodes the resulting frames, once for everyone who follows a game.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from protocols.play.frames import extended_text, state_text
from protocols.session import Event
from protocols.values import Attendance, Table


@dataclass(frozen=True, slots=True)
class Notice:
    """``seat`` has made or rejected an offer: ``name`` is the type of the frame, such as ``draw-offer``.

    ``seq`` is the sequence number of that event. ``new_game_id`` is set for ``rematch-started``.
    """

    name: str
    seat: int
    seq: int
    new_game_id: str | None = None


@dataclass(frozen=True)
class GameUpdate:
    """A state of a game and what led to it, with the frames for everyone who follows it, each encoded once.

    ``is_new_state``: the board, the seats or the clocks have changed, not just an offer.
    """

    table: Table
    notices: tuple[Notice, ...] = ()
    is_new_state: bool = True

    @cached_property
    def plain(self) -> str:
        """The ``state`` frame."""
        return self._encoded(state_text)

    @cached_property
    def extended(self) -> str:
        """The ``state`` frame for clients with extensions: with ``position`` and ``seats`` for every game."""
        return self._encoded(extended_text)

    def _encoded(self, encode: Callable[[Table], str]) -> str:
        """The table as text. It may be kept until the game changes, and its board would be kept with it."""
        text = encode(self.table)
        self.table.forget_view()
        return text


@dataclass(frozen=True, slots=True)
class Opened(Event):
    """The socket is open; ``attendance`` already includes its player.

    ``update`` contains the notices that the client has missed since it was last connected.
    """

    socket_id: str
    update: GameUpdate
    attendance: Attendance


@dataclass(frozen=True, slots=True)
class Changed(Event):
    """The game has changed."""

    update: GameUpdate


@dataclass(frozen=True, slots=True)
class PresenceChanged(Event):
    """Players have connected or disconnected."""

    attendance: Attendance


@dataclass(frozen=True, slots=True)
class ClaimableAt(Event):
    """The player may claim the end of the game from ``at`` on; None: it may not.

    Times are in milliseconds since the epoch; it is ``now`` at the server.
    """

    at: int | None
    now: int


@dataclass(frozen=True, slots=True)
class MoveTaken(Event):
    """The player's move was accepted; ``pending`` are the seats whose moves a simultaneous turn is waiting for."""

    ply: int
    message_id: str | None
    pending: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ServerTime(Event):
    """The current time in milliseconds since the epoch."""

    now: int


@dataclass(frozen=True, slots=True)
class RequestRefused(Event):
    """The player's request was refused; ``body`` is the error's body, and ``message_id`` that of a refused move."""

    body: Mapping[str, Any]
    message_id: str | None = None
