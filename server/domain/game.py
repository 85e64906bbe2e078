"""The state of one game.

``fold`` computes it from the events of the log; ``decide`` defines which events a command may cause.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engines import Position
from protocols.values import (
    BUILT_IN_CLIENT,
    GameFacts,
    LeaveReason,
    Offer,
    Result,
    SeatKind,
    Status,
    Visibility,
)
from server.domain import events as e
from server.domain.clocks.clock import Clock

MOST_SEATS = 5
"""The most seats that any game has."""

MATCHMAKING = "matchmaking"
"""The match type of games that are offered to everyone."""

LADDER = "ladder"
"""The match type of games between bots that the ladder pairs."""

TOURNAMENT = "tournament"
"""The match type of games of tournaments."""

PRIVATE = "friend"
"""The match type of games that can be joined only by address."""


@dataclass(frozen=True, slots=True)
class LeftSeat:
    """A seat whose player has left, after ``ply`` moves of all players. ``reason`` and ``note`` as in ``Left``."""

    seat: int
    reason: LeaveReason
    note: str | None
    ply: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameState(GameFacts):
    """One game after ``version`` events. Immutable: ``position`` is shared, so copy it before playing moves on it.

    ``config`` is the public configuration and ``secret`` the hidden part. ``pending`` holds the sealed parts of a
    simultaneous move by seat; clients only learn which seats still have to move. ``answered`` maps a seat and message
    id to the version that the message led to. ``imported`` is what an imported record contained besides moves.
    ``wish`` is the configuration as requested, ``earlier_score`` the points per seat of the earlier games of a series
    of rematches (empty for the first), and ``rematch`` the id of the next game. ``left`` says why seats are ``gone``,
    except in imports. ``ends_with_host``, ``assistance``, ``list_visibility`` and ``tournament`` as in ``Created``.
    """

    id: str
    position: Position
    secret: Mapping[str, Any]
    version: int = 1
    clock: Clock | None = None
    pending: Mapping[int, str] = field(default_factory=dict, repr=False)
    offer: Offer | None = None
    gone: tuple[int, ...] = ()
    left: tuple[LeftSeat, ...] = ()
    answered: Mapping[tuple[int, str], int] = field(default_factory=dict)
    wish: Mapping[str, Any] | None = None
    earlier_score: tuple[float, ...] = ()
    rematch: str | None = None
    imported: e.Imported | None = None
    ends_with_host: bool = False
    visibility: Visibility = Visibility.PUBLIC

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
        """The number of moves played."""
        return self.position.ply

    @property
    def moves(self) -> tuple[str, ...]:
        """The history, including tails and forfeits."""
        return tuple(self.position.history)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that still have to move; empty unless the game is being played."""
        if self.status is not Status.PLAYING:
            return ()
        return tuple(seat for seat in self.position.to_act if seat not in self.pending)

    @property
    def still_in(self) -> tuple[int, ...]:
        """The seats that have not left."""
        return tuple(seat for seat in range(len(self.seats)) if seat not in self.gone)

    @property
    def open_seats(self) -> tuple[int, ...]:
        """The seats that anyone can take."""
        return tuple(seat for seat, taken in enumerate(self.seats) if taken.kind is SeatKind.OPEN)

    @property
    def is_live(self) -> bool:
        """Whether the game is open or being played."""
        return self.status in (Status.OPEN, Status.PLAYING)

    @property
    def is_arranged(self) -> bool:
        """Whether the server has brought the players together, on the ladder or in a tournament."""
        return self.ladder is not None or self.tournament is not None

    @property
    def host_knows_order(self) -> bool:
        """Whether the creator chose what is hidden from the players, such as the seed of the order of the tiles."""
        chosen = {name for name, value in (self.wish or {}).items() if value is not None}
        return not chosen.isdisjoint(self.secret)

    @property
    def score(self) -> tuple[float, ...]:
        """Points per seat in this game and the earlier ones of the series: 1 for a win, 0.5 for a draw."""
        earlier = self.earlier_score or (0,) * len(self.seats)
        if self.result is None:
            return earlier
        return tuple(points + _points(self.result, seat) for seat, points in enumerate(earlier))

    @property
    def has_bot(self) -> bool:
        """Whether a bot plays a seat."""
        return any(seat.kind is SeatKind.BOT for seat in self.seats)

    @property
    def has_attached_bot(self) -> bool:
        """Whether a bot plays a seat that is not built in."""
        bots = (seat.bot_id or "" for seat in self.seats if seat.kind is SeatKind.BOT)
        return any(not bot_id.startswith(f"{BUILT_IN_CLIENT}:") for bot_id in bots)

    @property
    def has_remote(self) -> bool:
        """Whether disconnections have to be tracked: those of a seat's player or of the game's host."""
        return self.ends_with_host or any(seat.missed_by is not None for seat in self.seats)

    @property
    def needs_lease(self) -> bool:
        """Whether a server has to act of its own accord: for a clock, a bot, an absent player or an absent host."""
        if self.status is Status.OPEN:
            return self.ends_with_host
        return self.is_live and (self.clock is not None or self.has_bot or self.has_remote)

    def clocks_at(self, now: int) -> tuple[int, ...] | None:
        """Returns the time left for every seat; None without a clock."""
        return None if self.clock is None else self.clock.all_left(now)


def _points(result: Result, seat: int) -> float:
    if not result.winners:
        return 0.5
    return 1 if seat in result.winners else 0
