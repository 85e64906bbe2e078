"""The bodies of the lists of games.

``game``, ``seats`` and ``assistance`` are present with ``?ext=1`` only.
"""

import re
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator

from server.domain.board_class import BoardClass
from server.routes.common_models import AssistanceName, Body, SeatBody, VariantName
from server.routes.game_models import SnapshotBody

MAX_NUMBERED = 1000
"""The most games of the pages that have numbers: to leave games out takes time."""

EARLIEST = datetime(1, 1, 1, tzinfo=UTC)
LATEST = datetime(9999, 12, 31, tzinfo=UTC)


def _iso(value: object) -> object:
    if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d", value, re.ASCII) is None:
        raise ValueError("A date looks like 2026-11-21 or 2026-11-21T09:30:00Z.")
    return value


Moment = Annotated[datetime, BeforeValidator(_iso)]
"""A date or a time in ISO 8601; seconds since 1970 are not accepted."""


class LivePlayer(Body):
    """A player of a live game."""

    player_id: int
    display_name: str
    role: Literal["host", "joiner"]


class ClockBody(Body):
    """A time control. A game without a clock has 86,400 seconds."""

    initial_seconds: int
    increment_seconds: int
    preset: str | None = None
    move_ms: int | None = None
    preprocessing_ms: int | None = None


class LiveGameBody(Body):
    """A live game."""

    id: str
    variant: str
    rated: bool
    time_control: ClockBody
    board_width: int | None = None
    board_height: int | None = None
    players: list[LivePlayer]
    status: Literal["ready", "in-progress"]
    move_count: int
    average_elo: int
    last_move_at: int
    spectator_count: int
    game: str | None = None
    seats: list[SeatBody] | None = None
    assistance: AssistanceName | None = None


class LiveGames(Body):
    """The live games, the one with the latest move first."""

    games: list[LiveGameBody]


class PastPlayer(Body):
    """A player of a finished game; rank 1 is a win or a draw."""

    player_order: int
    display_name: str
    rating_at_start: int | None
    outcome_rank: int
    outcome_reason: str


class PastGameBody(Body):
    """A finished game. ``timeControl`` is the name of a preset, or ``custom``."""

    game_id: str
    variant: str
    rated: bool
    time_control: str
    board_width: int | None = None
    board_height: int | None = None
    moves_count: int
    started_at: int
    views: int
    players: list[PastPlayer]
    game: str | None = None
    seats: list[SeatBody] | None = None
    assistance: AssistanceName | None = None


class PastGames(Body):
    """A page of finished games, the latest first. ``cursor`` leads to the next page, which has no number then."""

    games: list[PastGameBody]
    page: int | None = None
    page_size: int
    has_more: bool
    cursor: str | None = None


class WaitingGameBody(SnapshotBody):
    """A game that anyone can join."""

    game: str | None = None
    variant: str | None = None
    seats: list[SeatBody] | None = None
    assistance: AssistanceName | None = None


class WaitingGames(Body):
    """The games that anyone can join, the one that has waited longest first."""

    games: list[WaitingGameBody]


class Showcase(Body):
    """An empty list: this server has no showcase."""

    games: list[LiveGameBody]


Filled = Annotated[str, Field(min_length=1, max_length=64), BeforeValidator(lambda text: str(text).strip())]


class PastParameters(Body):
    """Which finished games to list."""

    page_size: int = Field(default=100, ge=1, le=100)
    page: int = Field(default=1, ge=1)
    cursor: str | None = Field(default=None, max_length=64)
    variant: VariantName | None = None
    rated: Literal["yes", "no"] | None = None
    time_control: Literal["bullet", "blitz", "rapid", "classical"] | None = None
    board_size: BoardClass | None = None
    min_elo: int | None = Field(default=None, ge=0)
    max_elo: int | None = Field(default=None, ge=0)
    date_from: Moment = EARLIEST
    date_to: Moment = LATEST
    player1: Filled | None = None
    player2: Filled | None = None
    ext: str | None = None

    @field_validator("page")
    @classmethod
    def _is_near(cls, page: int, others: ValidationInfo) -> int:
        if page * others.data.get("page_size", 1) > MAX_NUMBERED:
            raise ValueError(
                f"Pages with numbers have the newest {MAX_NUMBERED:,} games only. Older ones follow the 'cursor' of "
                "the page before: pass it as ?cursor=."
            )
        return page

    @property
    def skip(self) -> int:
        """The number of newest games to leave out; after a cursor, none."""
        return 0 if self.cursor is not None else (self.page - 1) * self.page_size

    @property
    def created(self) -> tuple[int, int]:
        """The range of creation times in milliseconds since the epoch; dates without a time zone are UTC."""
        ends = (end if end.tzinfo else end.replace(tzinfo=UTC) for end in (self.date_from, self.date_to))
        begin, end = (int(end.timestamp() * 1000) for end in ends)
        return begin, end

    @property
    def needs_rating(self) -> bool:
        """Whether only players with ratings are requested: no list has any, as the ladder rates bots, not seats."""
        return self.min_elo is not None or self.max_elo is not None
