"""A played game as everybody may see it.

Plain values, from which every answer and frame about a game is made.

The server fills it from its own state; nothing sealed, secret or personal is in it. Seats are indices in turn
order; times are milliseconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from engines import Position

Status = Literal["open", "playing", "finished", "aborted"]

Visibility = Literal["public", "site", "unlisted"]
"""Which lists show a game: all, those of the Wallwars site's clients, or none."""

Assistance = Literal["open", "none"]
"""Whether the server evaluates the game for anybody while it is being played."""


@dataclass(frozen=True, slots=True)
class Attendance:
    """Who is there: the seats of people with an open socket, and those of bots whose client has gone."""

    here: frozenset[int] = frozenset()
    away: frozenset[int] = frozenset()

    def has(self, seat: int, kind: str) -> bool:
        """Whether the player of a seat of this kind is there; a bot is, unless it is known to be away."""
        return seat not in self.away if kind == "bot" else seat in self.here


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays a seat. ``kind`` is human, bot or open; ``bot_id`` is set for bots.

    ``via`` names the protocol by which a program plays the seat of a human (``uhp``), None for a person.
    """

    kind: str
    name: str | None = None
    bot_id: str | None = None
    appearance: Mapping[str, str] | None = None
    via: str | None = None


@dataclass(frozen=True, slots=True)
class Control:
    """A time control in seconds."""

    initial_seconds: int
    increment_seconds: int
    preset: str | None = None


MAX_NOTE = 200
"""The longest note of a result, in characters, which are all printable."""


@dataclass(frozen=True, slots=True)
class Result:
    """How the game ended. ``winners`` is empty for a draw; ``scores`` is None in games without points.

    ``note`` is what the loser said when it gave up, or was made to.
    """

    winners: tuple[int, ...]
    reason: str
    scores: tuple[float, ...] | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """An open offer (takeback, draw or rematch) of ``seat``; ``to_ply`` belongs to takebacks."""

    kind: str
    seat: int
    to_ply: int | None = None


@dataclass(frozen=True)
class Table:
    """One game at one moment. ``seq`` numbers the moments; ``to_act`` are the seats that still have to move.

    ``clocks`` is the time left per seat, None without a clock, and passes for the seats in ``running``. ``position``
    is shared: copy it before playing on it. ``rematch`` is the game that was agreed on after this one, ``score`` has
    the points of each seat over this game and those that it is a rematch of; empty: nobody has any.
    """

    game_id: str
    seq: int
    position: Position
    config: Mapping[str, Any]
    status: Status
    to_act: tuple[int, ...]
    players: tuple[Player, ...]
    host: int
    match_type: str
    created_at: int
    updated_at: int
    last_move_at: int
    result: Result | None = None
    clocks: tuple[int, ...] | None = None
    running: tuple[int, ...] = ()
    control: Control | None = None
    proposal: Proposal | None = None
    rematch: str | None = None
    score: tuple[float, ...] = ()
    assistance: Assistance = "open"

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

    @cached_property
    def view(self) -> dict[str, Any]:
        """The board as a spectator sees it."""
        return self.position.view(None)


@dataclass(frozen=True, slots=True)
class Listed:
    """A game as lists know it: a ``Table`` without its position and what goes with that.

    ``config`` has only what lists show of it. ``has_remote``: the game depends on a connection to one certain server.
    """

    game_id: str
    game: str
    variant: str
    config: Mapping[str, Any]
    status: Status
    ply: int
    players: tuple[Player, ...]
    host: int
    match_type: str
    created_at: int
    updated_at: int
    last_move_at: int
    result: Result | None = None
    control: Control | None = None
    score: tuple[float, ...] = ()
    assistance: Assistance = "open"
    visibility: Visibility = "public"
    has_remote: bool = False


Match = Table | Listed
"""What both can tell: who plays whom, at what, and how it stands."""
