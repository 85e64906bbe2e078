"""What players ask of a running game, as values.

Who may ask is settled before: ``seat`` is the asking seat.
"""

from dataclasses import dataclass

from server.domain.clock import ClockMode
from server.domain.events import LeaveReason, OfferKind


@dataclass(frozen=True, slots=True)
class Join:
    """Take an open seat: this one, or the first. ``missed_by`` as in ``Seat``."""

    seat: int | None = None
    name: str | None = None
    appearance: dict[str, str] | None = None
    missed_by: str | None = None


@dataclass(frozen=True, slots=True)
class GoRemote:
    """Have the player of a seat missed by this server, as in ``events.WentRemote``.

    Nothing is left to do when it is so already, or the game is over.
    """

    seat: int
    missed_by: str
    is_here: bool = True


@dataclass(frozen=True, slots=True)
class Move:
    """Play ``text``.

    ``expected_ply`` guards against a position that the player has not seen; ``expected_moves`` also against
    another one at the same ply, after a takeback. ``made_at``: the moment up to which it is charged, where
    whoever brings it knows how long it was on its way; it is never charged for less than nothing, or into the
    future.
    """

    seat: int
    text: str
    expected_ply: int | None = None
    message_id: str | None = None
    expected_moves: tuple[str, ...] | None = None
    made_at: int | None = None


@dataclass(frozen=True, slots=True)
class Propose:
    """Propose a takeback, a draw or a rematch, or agree to the same proposal of another seat.

    ``to_ply`` None: as far back as is needed for the asking seat to move again. ``new_game_id`` belongs to
    rematches: the id of the new game, should everybody have agreed by this.
    """

    seat: int
    kind: OfferKind
    to_ply: int | None = None
    new_game_id: str = ""


@dataclass(frozen=True, slots=True)
class Accept:
    """Agree to the proposal of another seat, whatever its details; ``new_game_id`` as in ``Propose``."""

    seat: int
    kind: OfferKind
    new_game_id: str = ""


@dataclass(frozen=True, slots=True)
class Reject:
    """Reject the proposal of another seat, or withdraw the own one."""

    seat: int
    kind: OfferKind


@dataclass(frozen=True, slots=True)
class Leave:
    """Give up, or be made to. ``note``: what the player says to it, at most ``MAX_NOTE`` characters."""

    seat: int
    reason: LeaveReason = LeaveReason.RESIGNATION
    note: str | None = None


@dataclass(frozen=True, slots=True)
class GiveTime:
    """Give every other seat ``seconds`` more."""

    seat: int
    seconds: int


@dataclass(frozen=True, slots=True)
class SetClock:
    """Have the clock of a seat run when ``mode`` says so.

    ``made_at``: the moment up to which the seat is charged before, as in ``Move``.
    """

    seat: int
    mode: ClockMode
    made_at: int | None = None


@dataclass(frozen=True, slots=True)
class StopWaiting:
    """End the game for a player who has been missed by this server for too long.

    Nothing is left to do when another server misses the player by now, or the game goes on without.
    """

    seat: int
    missed_by: str


@dataclass(frozen=True, slots=True)
class Abort:
    """Call the game off before anybody has moved."""

    seat: int


@dataclass(frozen=True, slots=True)
class Expire:
    """Look whether somebody's time is over."""


Command = (
    Join
    | GoRemote
    | Move
    | Propose
    | Accept
    | Reject
    | Leave
    | GiveTime
    | SetClock
    | StopWaiting
    | Abort
    | Expire
)
