"""The stored events of a game. Its state is the fold of its events and nothing else.

An event contains everything that its effect depends on, so reading it needs no clock and no random numbers. ``clocks``
is the time left per seat after the event, in milliseconds; None without a clock. Kinds and members are a storage
format: new ones may be added, existing ones never renamed. ``event_codec`` converts them to JSON.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from protocols.values import Assistance, LadderGame, LeaveReason, OfferKind, Seat, TimeControl, Visibility
from server.domain.clocks.clock import ClockMode

Clocks = tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Created:
    """The game was created.

    ``config`` is the complete public configuration and ``secret`` the part hidden while the game is played; ``wish``
    is the configuration as requested, None if unknown. A rematch names the game before it, and ``score`` is the sum of
    the earlier games, in points per seat. ``ends_with_host``: while a seat is open, the game exists only as long as
    its host is connected.
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
    """Games in logs without this member had no restriction."""
    visibility: Visibility | None = None
    """None only in logs older than this member."""
    ladder: LadderGame | None = None
    """Set for games of the ladder."""
    tournament: str | None = None
    """The id of the tournament that the game belongs to."""


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A player took an open seat. ``missed_by`` as in ``Seat``."""

    seat: int
    name: str | None = None
    appearance: Mapping[str, str] | None = None
    missed_by: str | None = None


@dataclass(frozen=True, slots=True)
class WentRemote:
    """A program has connected to play ``seat``, to the server ``missed_by``, as in ``Seat``.

    Written once. Old logs have one of these with ``clocks`` for every change of the server.
    """

    seat: int
    missed_by: str
    clocks: Clocks = None


@dataclass(frozen=True, slots=True)
class Sealed:
    """One seat's part of a simultaneous move, hidden until all parts have arrived. ``move`` is in canonical form.

    Only the database contains it before then: it is not part of messages between processes, nor of ``repr``.
    ``is_late``: the seat's time ran out, and this is the game's late move. ``uncharged``: how much of the move's time
    in transit the seat was not charged, in milliseconds.
    """

    seat: int
    move: str = field(repr=False)
    message_id: str | None = None
    clocks: Clocks = None
    is_late: bool = False
    uncharged: int = 0


@dataclass(frozen=True, slots=True)
class Moved:
    """A complete move as the history records it, including its tail; ``seat`` sent it, or its last part.

    ``late``: the seats whose time ran out with this event, so that the game's late move was made for them.
    ``uncharged`` as in ``Sealed``.
    """

    seat: int
    move: str
    message_id: str | None = None
    clocks: Clocks = None
    late: tuple[int, ...] = ()
    uncharged: int = 0


@dataclass(frozen=True, slots=True)
class MovesImported:
    """Consecutive moves of an imported record, as the history records them.

    ``clocks`` and ``late`` are those of ``Moved`` after each move; None if the record does not contain them. Old logs
    have a ``Moved`` for each move instead.
    """

    moves: tuple[str, ...]
    clocks: tuple[tuple[int, ...], ...] | None = None
    late: tuple[tuple[int, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class TookBack:
    """The moves after ``to_ply`` were taken back, as ``seat`` had proposed."""

    seat: int
    to_ply: int
    clocks: Clocks = None


@dataclass(frozen=True, slots=True)
class Offered:
    """``seat`` made an offer; ``to_ply`` is for takebacks."""

    kind: OfferKind
    seat: int
    to_ply: int | None = None


@dataclass(frozen=True, slots=True)
class OfferAccepted:
    """``seat`` accepted the open offer."""

    kind: OfferKind
    seat: int


@dataclass(frozen=True, slots=True)
class OfferRejected:
    """``seat`` rejected the open offer, or withdrew its own."""

    kind: OfferKind
    seat: int


@dataclass(frozen=True, slots=True)
class Left:
    """``seat`` left the game. If one seat remains, it has won; otherwise the others play on. ``note``: a comment."""

    seat: int
    reason: LeaveReason
    clocks: Clocks = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class DrawAgreed:
    """All players agreed to a draw."""


@dataclass(frozen=True, slots=True)
class DrawClaimed:
    """``seat`` called the game a draw, as all others had been absent for too long."""

    seat: int


@dataclass(frozen=True, slots=True)
class TimeGiven:
    """``seat`` gave the others ``seconds`` of time."""

    seat: int
    seconds: int
    clocks: Clocks = None


@dataclass(frozen=True, slots=True)
class ClockSet:
    """The mode of the clock of ``seat`` changed, or the times left were corrected."""

    seat: int
    mode: ClockMode
    clocks: Clocks = None


@dataclass(frozen=True, slots=True)
class Aborted:
    """``seat`` aborted the game before the first move, or disconnected before every player had moved."""

    seat: int


@dataclass(frozen=True, slots=True)
class Adjudicated:
    """The server ended a game of the ladder or a tournament. ``is_void``: it does not count; otherwise it is a draw."""

    reason: str
    is_void: bool = False
    note: str | None = None


@dataclass(frozen=True, slots=True)
class RematchStarted:
    """All players agreed to a rematch, ``seat`` last: ``game_id``, created in the same transaction."""

    seat: int
    game_id: str


@dataclass(frozen=True, slots=True)
class Imported:
    """The game was imported from a record; always the last event of its log.

    ``winners``, ``reason`` and ``note`` describe the end if the rules do not decide it; without winners and reason the
    game has no result. ``played_at`` is when it began, ``times`` when each entry of its history was made, and
    ``part_times`` when the parts of simultaneous ones arrived, all according to the record; ``elos`` are the players'
    ratings. ``has_clocks``: the moves in the log have clocks. Members are None if the record does not contain them.
    """

    winners: tuple[int, ...] | None = None
    reason: str | None = None
    note: str | None = None
    played_at: int | None = None
    times: tuple[int, ...] | None = None
    part_times: tuple[tuple[int, ...], ...] | None = None
    elos: tuple[int | None, ...] | None = None
    has_clocks: bool = False


def late_seats(events: Iterable["Event"]) -> tuple[int, ...]:
    """Returns the seats for which the events made late moves."""
    late: list[int] = []
    for event in events:
        match event:
            case Moved(late=seats):
                late += seats
            case Sealed(seat=seat, is_late=True):
                late.append(seat)
    return tuple(late)


def length(events: Iterable["Event"]) -> int:
    """Returns the number of moves and of other events, which determines how long reading and writing them takes."""
    return sum(len(event.moves) if isinstance(event, MovesImported) else 1 for event in events)


Event = (
    Created
    | SeatTaken
    | WentRemote
    | Sealed
    | Moved
    | MovesImported
    | TookBack
    | Offered
    | OfferAccepted
    | OfferRejected
    | Left
    | DrawAgreed
    | DrawClaimed
    | TimeGiven
    | ClockSet
    | Aborted
    | Adjudicated
    | RematchStarted
    | Imported
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event with its number and time.

    ``seq`` counts from 1 within the game; ``at_ms`` is in milliseconds since the epoch.
    """

    seq: int
    at_ms: int
    event: Event
