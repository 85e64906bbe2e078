"""What is stored: the events of one game, in order. The state of a game is their fold and nothing else.

An event holds whatever its effect needs, so that reading it asks no clock and no random source: ``clocks`` is
the time left per seat in milliseconds after the event, None without a clock. Kinds and members are a storage
format: they may be added to, never renamed. JSON is made in ``event_codec``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from server.domain.clock import ClockMode, TimeControl
from server.domain.seats import Seat

Clocks = tuple[int, ...] | None


class OfferKind(StrEnum):
    """What players can propose to each other."""

    TAKEBACK = "takeback"
    DRAW = "draw"
    REMATCH = "rematch"


class Assistance(StrEnum):
    """Whether this server evaluates a game for anybody while it runs; when it is over, everybody may ask."""

    OPEN = "open"
    NONE = "none"


class Visibility(StrEnum):
    """Which lists show a game. Whoever knows its address sees it in any case."""

    PUBLIC = "public"
    SITE = "site"
    """Those that the Wallwars site's clients ask for, where games between friends are shown as well."""
    UNLISTED = "unlisted"


class LeaveReason(StrEnum):
    """Why a seat left a running game; also the reason in the result when that ends it."""

    RESIGNATION = "resignation"
    TIMEOUT = "timeout"
    DISCONNECT = "disconnect"
    """Its connection was gone for too long."""
    ILLEGAL_MOVE = "illegal-move"
    """It sent illegal moves, more often than is allowed."""
    PROTOCOL = "protocol"
    """It did not keep to the protocol by which it plays."""
    DESYNC = "desync"
    """It plays another game than the one that is being played."""


@dataclass(frozen=True, slots=True)
class Created:
    """The game exists.

    ``config`` is complete and public, ``secret`` what it leaves out while the game runs; ``wish`` is the
    config as it was asked for, None where that is not known. A rematch names the game before it and has the
    ``score`` of the games before, in points per seat. ``ends_with_host``: while a seat is open the game is there as
    long as whoever opened it is connected.
    """

    game: str
    variant: str
    config: Mapping[str, Any]
    secret: Mapping[str, Any]
    seats: tuple[Seat, ...]
    host: int
    time_control: TimeControl | None = None
    match_type: str = "friend"
    wish: Mapping[str, Any] | None = None
    rematch_of: str | None = None
    score: tuple[float, ...] = ()
    ends_with_host: bool = False
    assistance: Assistance = Assistance.OPEN
    """Logs that do not say are of games without a restriction."""
    visibility: Visibility | None = None
    """None only in logs from before there was a choice."""


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody joined an open seat. ``missed_by`` as in ``Seat``."""

    seat: int
    name: str | None = None
    appearance: Mapping[str, str] | None = None
    missed_by: str | None = None


@dataclass(frozen=True, slots=True)
class WentRemote:
    """From now on ``seat`` is missed by this server, as in ``Seat``.

    ``is_here``: its player has come to it. Otherwise the server has just started, and asks the others for the player;
    of an open game also for whoever has opened it, under the host's seat.
    """

    seat: int
    missed_by: str
    is_here: bool = True
    clocks: Clocks = None


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
    """``seat`` left a running game: the others play on, or the last one has won. ``note``: what it said to that."""

    seat: int
    reason: LeaveReason
    clocks: Clocks = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class DrawAgreed:
    """Everybody agreed to a draw."""


@dataclass(frozen=True, slots=True)
class TimeGiven:
    """``seat`` gave the others ``seconds`` of thinking time."""

    seat: int
    seconds: int
    clocks: Clocks = None


@dataclass(frozen=True, slots=True)
class ClockSet:
    """From now on the clock of ``seat`` runs when ``mode`` says so."""

    seat: int
    mode: ClockMode
    clocks: Clocks = None


@dataclass(frozen=True, slots=True)
class Aborted:
    """``seat`` called the game off before anybody had moved, or was gone before everybody had."""

    seat: int


@dataclass(frozen=True, slots=True)
class RematchStarted:
    """Everybody agreed to a rematch, ``seat`` last: the game ``game_id``, which begins with this event."""

    seat: int
    game_id: str


@dataclass(frozen=True, slots=True)
class Imported:
    """The game was played elsewhere and came in as a record: the last event of its log.

    ``winners``, ``reason`` and ``note`` say how it ended where the rules do not; without winners and reason it has
    no result. ``played_at`` is when it began and ``times`` when each entry of its history was made, in the record's
    words; ``elos`` are the players' ratings. ``has_clocks``: the moves before this event carry clocks. None where
    the record does not tell.
    """

    winners: tuple[int, ...] | None = None
    reason: str | None = None
    note: str | None = None
    played_at: int | None = None
    times: tuple[int, ...] | None = None
    elos: tuple[int | None, ...] | None = None
    has_clocks: bool = False


Event = (
    Created
    | SeatTaken
    | WentRemote
    | Sealed
    | Moved
    | TookBack
    | Offered
    | OfferAccepted
    | OfferRejected
    | Left
    | DrawAgreed
    | TimeGiven
    | ClockSet
    | Aborted
    | RematchStarted
    | Imported
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event in its place.

    ``seq`` counts from 1 within the game, ``at_ms`` is milliseconds since the epoch.
    """

    seq: int
    at_ms: int
    event: Event
