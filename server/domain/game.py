"""The state of one played game.

It is made from the events of its log in ``fold``; which events a command may cause is said in ``decide``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from engines import Position
from server.domain import events as e
from server.domain.clock import Clock, TimeControl
from server.domain.seats import Seat, SeatKind

MATCHMAKING = "matchmaking"
"""The match type of games that are offered to anybody."""

PRIVATE = "friend"
"""The match type of games that only those who know the address can join."""


class Status(StrEnum):
    """The life of a game. It is open until every seat is taken."""

    OPEN = "open"
    PLAYING = "playing"
    FINISHED = "finished"
    ABORTED = "aborted"


@dataclass(frozen=True, slots=True)
class Result:
    """How the game ended. ``winners`` is empty for a draw; ``scores`` is None in games without points.

    ``note`` is what a seat said when it gave up.
    """

    winners: tuple[int, ...]
    reason: str
    scores: tuple[float, ...] | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """A proposal of ``seat`` that is waiting for the seats that are not in ``accepted``."""

    kind: e.OfferKind
    seat: int
    to_ply: int | None = None
    accepted: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GameState:
    """One game after ``version`` events. Never changed: ``position`` is shared, copy it before playing on it.

    ``config`` is the public configuration and ``secret`` what it leaves out. ``pending`` holds sealed parts
    of a simultaneous move by seat: it leaves the server only as the seats that still have to move.
    ``answered`` maps a seat and its message id to the version that the message caused. ``imported`` is what the
    record of a game from elsewhere told besides its moves. ``wish`` is the config as it was asked for,
    ``earlier_score`` the points per seat of the games that this one is a rematch of (none if it is the first),
    and ``rematch`` the id of the game that was agreed on after it. ``ends_with_host``, ``assistance`` and
    ``visibility`` as in ``Created``.
    """

    id: str
    position: Position
    config: Mapping[str, Any]
    secret: Mapping[str, Any]
    seats: tuple[Seat, ...]
    host: int
    match_type: str
    created_at: int
    updated_at: int
    last_move_at: int
    version: int = 1
    status: Status = Status.OPEN
    result: Result | None = None
    time_control: TimeControl | None = None
    clock: Clock | None = None
    pending: Mapping[int, str] = field(default_factory=dict)
    offer: Offer | None = None
    gone: tuple[int, ...] = ()
    answered: Mapping[tuple[int, str], int] = field(default_factory=dict)
    wish: Mapping[str, Any] | None = None
    earlier_score: tuple[float, ...] = ()
    rematch: str | None = None
    imported: e.Imported | None = None
    ends_with_host: bool = False
    assistance: e.Assistance = e.Assistance.OPEN
    visibility: e.Visibility = e.Visibility.PUBLIC

    @property
    def game(self) -> str:
        """The game's name in the catalogue."""
        return self.position.game

    @property
    def variant(self) -> str:
        """The variant's name."""
        return self.position.variant

    @property
    def ply(self) -> int:
        """Moves played."""
        return self.position.ply

    @property
    def moves(self) -> tuple[str, ...]:
        """The history, tails and forfeits included."""
        return tuple(self.position.history)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that still have to move; none unless the game is being played."""
        if self.status is not Status.PLAYING:
            return ()
        return tuple(seat for seat in self.position.to_act if seat not in self.pending)

    @property
    def still_in(self) -> tuple[int, ...]:
        """The seats that have not left."""
        return tuple(seat for seat in range(len(self.seats)) if seat not in self.gone)

    @property
    def is_live(self) -> bool:
        """Whether the game may still change: it is open or being played."""
        return self.status in (Status.OPEN, Status.PLAYING)

    @property
    def score(self) -> tuple[float, ...]:
        """Points per seat over this game and those before it: 1 for a win, half a point each for a draw."""
        earlier = self.earlier_score or (0,) * len(self.seats)
        return tuple(points + self._points(seat) for seat, points in enumerate(earlier))

    def _points(self, seat: int) -> float:
        if self.result is None:
            return 0
        if not self.result.winners:
            return 0.5
        return 1 if seat in self.result.winners else 0

    @property
    def has_bot(self) -> bool:
        """Whether a bot plays a seat."""
        return any(seat.kind is SeatKind.BOT for seat in self.seats)

    @property
    def has_remote(self) -> bool:
        """Whether a connection is to be missed when it is gone: that of a seat, or of who has opened the game."""
        return self.ends_with_host or any(seat.missed_by is not None for seat in self.seats)

    def clocks_at(self, now: int) -> tuple[int, ...] | None:
        """Time left for every seat; None without a clock."""
        return None if self.clock is None else self.clock.all_left(now)

    def position_at(self, ply: int) -> Position:
        """The position after the first ``ply`` moves; the caller owns it."""
        position = self.position.copy()
        while position.ply > ply:
            position.undo()
        return position
