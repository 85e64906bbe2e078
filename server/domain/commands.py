"""The commands of players, as values.

``seat`` is the seat that gives the command; its authorisation has been checked before.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from protocols.values import ClaimKind, LeaveReason, OfferKind
from server.domain.clocks.clock import ClockMode


@dataclass(frozen=True, slots=True)
class Join:
    """Take the open seat ``seat``; None: the first one. ``missed_by`` as in ``Seat``."""

    seat: int | None = None
    name: str | None = None
    appearance: dict[str, str] | None = None
    missed_by: str | None = None


@dataclass(frozen=True, slots=True)
class GoRemote:
    """Make the seat's player one who is missed, as in ``events.WentRemote``.

    No effect if it already is, or if the game is over.
    """

    seat: int
    missed_by: str


@dataclass(frozen=True, slots=True)
class Move:
    """Play ``text``.

    ``expected_ply`` guards against a position that the player has not seen; ``expected_moves`` also against a
    different position at the same ply, after a takeback. ``made_at``: the time up to which the seat's clock is
    charged, if the caller knows how long the move was in transit. Times in the future, or before the clock started,
    are clamped. ``lag_ms``: otherwise, the round trip to the player as last measured, which is charged only beyond the
    seat's quota (``clocks.lag``).
    """

    seat: int
    text: str
    expected_ply: int | None = None
    message_id: str | None = None
    expected_moves: tuple[str, ...] | None = None
    made_at: int | None = None
    lag_ms: int = 0


@dataclass(frozen=True, slots=True)
class Propose:
    """Propose a takeback, a draw or a rematch, or accept another seat's offer of the same kind.

    ``to_ply`` None: back to the proposing seat's last move. ``new_game_id`` is for rematches: the id of the new game,
    if this completes the agreement.
    """

    seat: int
    kind: OfferKind
    to_ply: int | None = None
    new_game_id: str = ""


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept the open offer of another seat; ``new_game_id`` as in ``Propose``."""

    seat: int
    kind: OfferKind
    new_game_id: str = ""


@dataclass(frozen=True, slots=True)
class Reject:
    """Reject another seat's offer, or withdraw the seat's own."""

    seat: int
    kind: OfferKind


@dataclass(frozen=True, slots=True)
class Leave:
    """Resign, or be removed for ``reason``. ``note``: a comment of the player, cut to ``MAX_NOTE`` characters."""

    seat: int
    reason: LeaveReason = LeaveReason.RESIGNATION
    note: str | None = None


@dataclass(frozen=True, slots=True)
class AddTime:
    """Give ``seconds`` to every other seat's clock."""

    seat: int
    seconds: int


@dataclass(frozen=True, slots=True)
class SetClock:
    """Change the mode of a seat's clock.

    ``made_at``: the time up to which the seat is charged under the old mode, as in ``Move``.
    """

    seat: int
    mode: ClockMode
    made_at: int | None = None


@dataclass(frozen=True, slots=True)
class ResumeClocks:
    """Charge nobody for the last ``lost_ms`` milliseconds, in which no move could be made."""

    lost_ms: int


@dataclass(frozen=True, slots=True)
class StopWaiting:
    """Remove a player who has been absent for too long. No effect if the player has already left the game."""

    seat: int


@dataclass(frozen=True, slots=True)
class ClaimGame:
    """Win the game, or call it a draw, because an absent player keeps everyone waiting.

    ``last_seen`` maps each absent player's seat to when the player was last connected, in milliseconds since the
    epoch; ``after_ms``: how long the player must have been away.
    """

    seat: int
    kind: ClaimKind
    last_seen: Mapping[int, int]
    after_ms: int


@dataclass(frozen=True, slots=True)
class Abort:
    """Abort the game before the first move."""

    seat: int


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Abort the game if it still waits for players, at least ``free`` of them. Otherwise nothing happens."""

    seat: int
    free: int = 1


@dataclass(frozen=True, slots=True)
class Adjudicate:
    """End a game of the ladder or a tournament as a draw, or so that it does not count. No effect once it is over."""

    reason: str
    is_void: bool = False
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Expire:
    """Check whether a player's time has run out."""


OtherCommand = (
    Join
    | GoRemote
    | Propose
    | Accept
    | Reject
    | Leave
    | AddTime
    | SetClock
    | ResumeClocks
    | StopWaiting
    | ClaimGame
    | Abort
    | Withdraw
    | Adjudicate
    | Expire
)
"""Every command except a move."""

Command = Move | OtherCommand
