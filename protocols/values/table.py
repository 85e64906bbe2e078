"""The public view of a game, as plain values from which all answers and frames about it are made.

The server fills them from its own state; they contain nothing sealed, secret or personal. Seats are indices in turn
order; times are milliseconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from engines import Position
from protocols.values.ladder import LadderGame
from protocols.values.offer import Offer
from protocols.values.result import Result
from protocols.values.seat import Seat, SeatKind
from protocols.values.time_control import TimeControl


class Status(StrEnum):
    """The status of a game. It is open until every seat is taken."""

    OPEN = "open"
    PLAYING = "playing"
    FINISHED = "finished"
    ABORTED = "aborted"


class Assistance(StrEnum):
    """Whether the server shows evaluations of a game while it is being played. Anyone can see them afterwards."""

    OPEN = "open"
    NONE = "none"


class Visibility(StrEnum):
    """Which lists show a game. Anyone who knows its address can see it in any case."""

    PUBLIC = "public"
    SITE = "site"
    """The lists of the Wallwars site's clients, which also show games between friends."""
    UNLISTED = "unlisted"


@dataclass(frozen=True, slots=True)
class Attendance:
    """Who is present: the seats of people with an open socket, and the seats of bots whose client has disconnected.

    ``evaluating``: the seats of people who are shown evaluations of the game.
    """

    here: frozenset[int] = frozenset()
    away: frozenset[int] = frozenset()
    evaluating: frozenset[int] = frozenset()

    def has(self, seat: int, kind: SeatKind) -> bool:
        """Whether the player of a seat of this kind is present; a bot is, unless it is known to be away."""
        return seat not in self.away if kind is SeatKind.BOT else seat in self.here


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFacts:
    """What a game's state, its table and its list entry have in common: players, settings and result.

    ``tournament``: the id of the one that the game belongs to; None in list entries.
    """

    config: Mapping[str, Any]
    status: Status
    seats: tuple[Seat, ...]
    host: int
    match_type: str
    created_at: int
    updated_at: int
    last_move_at: int
    result: Result | None = None
    time_control: TimeControl | None = None
    assistance: Assistance = Assistance.OPEN
    ladder: LadderGame | None = None
    tournament: str | None = None

    @property
    def is_rated(self) -> bool:
        """Whether the result counts for ratings: only in games of the ladder."""
        return self.ladder is not None


@dataclass(frozen=True, kw_only=True)
class Table(GameFacts):
    """One game at one moment. ``seq`` numbers the moments; ``to_act`` are the seats that still have to move.

    ``clocks`` is the time left per seat (None without a clock); it runs for the seats in ``running``. ``position`` is
    shared: copy it before playing on it. ``rematch`` is the game agreed on as a rematch of this one. ``score`` is the
    points of each seat over this game and those that it is a rematch of; empty if no seat has any.
    ``host_knows_order``: the creator chose what is hidden from the players.
    """

    game_id: str
    seq: int
    position: Position
    to_act: tuple[int, ...]
    clocks: tuple[int, ...] | None = None
    running: tuple[int, ...] = ()
    offer: Offer | None = None
    rematch: str | None = None
    score: tuple[float, ...] = ()
    host_knows_order: bool = False

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
    def pending(self) -> tuple[int, ...]:
        """The seats that a simultaneous move still waits for, once another seat has moved; otherwise empty."""
        is_begun = self.status is Status.PLAYING and len(self.to_act) < len(self.position.to_act)
        return self.to_act if is_begun else ()

    @cached_property
    def view(self) -> dict[str, Any]:
        """The board as a spectator sees it, kept until ``forget_view``."""
        return self.position.view(None)

    def forget_view(self) -> None:
        """Frees the board, which takes more memory than the rest; it is converted again when needed."""
        vars(self).pop("view", None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed(GameFacts):
    """A game as lists contain it: a ``Table`` without its position and what depends on it.

    ``config`` has only the members that lists show. ``has_remote``: a player is connected to one particular server.
    """

    game_id: str
    game: str
    variant: str
    ply: int
    score: tuple[float, ...] = ()
    visibility: Visibility = Visibility.PUBLIC
    has_remote: bool = False


Match = Table | Listed
"""A game as answers and frames show it."""
