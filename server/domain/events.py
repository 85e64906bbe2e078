"""What is stored: the events of one game, in order. The state of a game is their fold and nothing else.

An event holds whatever its effect needs, so that reading it asks no clock and no random source: ``clocks`` is
the time left per seat in milliseconds after the event, None without a clock. Kinds and members are a storage
format: they may be added to, never renamed. JSON is made in ``event_codec``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from server.domain.clock import TimeControl
from server.domain.seats import Seat

Clocks = tuple[int, ...] | None


class OfferKind(StrEnum):
    """What players can propose to each other."""

    TAKEBACK = "takeback"
    DRAW = "draw"


class LeaveReason(StrEnum):
    """Why a seat left a running game; also the reason in the result when that ends it."""

    RESIGNATION = "resignation"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Created:
    """The game exists.

    ``config`` is complete and public, ``secret`` what it leaves out while the game runs.
    """

    game: str
    variant: str
    config: Mapping[str, Any]
    secret: Mapping[str, Any]
    seats: tuple[Seat, ...]
    host: int
    time_control: TimeControl | None = None
    match_type: str = "friend"


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody joined an open seat."""

    seat: int
    name: str | None = None
    appearance: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Sealed:
    """One seat's part of a simultaneous move, unseen until the other parts are in. ``move`` is canonical."""

    seat: int
    move: str
    message_id: str | None = None
    clocks: Clocks = None


@dataclass(frozen=True, slots=True)
class Moved:
    """A whole move as the history records it, tail included; ``seat`` sent it, or its last part."""

    seat: int
    move: str
    message_id: str | None = None
    clocks: Clocks = None


@dataclass(frozen=True, slots=True)
class TookBack:
    """The moves after ``to_ply`` are taken back, on the wish of ``seat``."""

    seat: int
    to_ply: int
    clocks: Clocks = None


@dataclass(frozen=True, slots=True)
class Offered:
    """``seat`` proposes something; ``to_ply`` belongs to takebacks."""

    kind: OfferKind
    seat: int
    to_ply: int | None = None


@dataclass(frozen=True, slots=True)
class OfferAccepted:
    """``seat`` agrees to the open offer."""

    kind: OfferKind
    seat: int


@dataclass(frozen=True, slots=True)
class OfferRejected:
    """``seat`` rejects the open offer, or withdraws its own."""

    kind: OfferKind
    seat: int


@dataclass(frozen=True, slots=True)
class Left:
    """``seat`` left a running game: the others play on, or the last one has won."""

    seat: int
    reason: LeaveReason
    clocks: Clocks = None


@dataclass(frozen=True, slots=True)
class DrawAgreed:
    """Everybody agreed to a draw."""


Event = (
    Created
    | SeatTaken
    | Sealed
    | Moved
    | TookBack
    | Offered
    | OfferAccepted
    | OfferRejected
    | Left
    | DrawAgreed
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event in its place.

    ``seq`` counts from 1 within the game, ``at_ms`` is milliseconds since the epoch.
    """

    seq: int
    at_ms: int
    event: Event
