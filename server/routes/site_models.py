"""The Wallwars site's bodies of ``/api/games``, and the answers in which its members meet the common ones.

An answer about a game of Wallwars has both; one about another game has the common members only.
"""

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from server.routes.models import (
    Appearance,
    AssistanceName,
    Body,
    Name,
    NewGameBody,
    PositionBody,
    SeatBody,
    Truth,
    Whole,
)


class SiteTimeControl(Body):
    """The site's clock."""

    initial_seconds: Whole = Field(ge=10, le=3600)
    increment_seconds: Whole = Field(ge=0, le=60)
    preset: Name | None = None


class SiteConfig(Body):
    """The site's game configuration."""

    variant: Literal["standard", "classic", "freestyle"]
    board_width: Whole = Field(ge=3, le=20)
    board_height: Whole = Field(ge=3, le=20)
    time_control: SiteTimeControl
    rated: Truth = False


class SiteGameBody(Body):
    """A new game as the Wallwars site asks for it: the host against whoever joins."""

    config: SiteConfig
    match_type: Literal["friend", "matchmaking"]
    host_display_name: Name | None = None
    host_appearance: Appearance | None = None
    host_is_player1: Truth = True
    assistance: AssistanceName | None = None


class TokenBody(Body):
    """A seat's token, where the site's clients send it."""

    token: str | None = None


def _whose(body: Any) -> str:  # noqa: ANN401 - a body as it came
    return "site" if isinstance(body, dict) and "matchType" in body else "ours"


CreateBody = Annotated[
    Annotated[NewGameBody, Tag("ours")] | Annotated[SiteGameBody, Tag("site")], Discriminator(_whose)
]
"""Two clients share the path: a body with ``matchType`` is the site's."""


# ---- answers -------------------------------------------------------------------------------------


class SnapshotBody(Body):
    """The site's picture of a match."""

    id: str
    status: Literal["waiting", "ready", "in-progress", "completed", "aborted"]
    config: dict[str, Any]
    match_type: str
    created_at: int
    updated_at: int
    players: list[dict[str, Any]]
    match_score: dict[str, float]


class SiteSeat(Body):
    """The asking player's seat."""

    role: Literal["host", "joiner"]
    player_id: int
    token: str
    socket_token: str


class GameBody(Body):
    """A game: ``GET /api/games/{id}``. From ``kind`` on the site's members, for Wallwars only.

    ``seatIndex``: the seat of the token that was sent, null for spectators. ``matchStatus``: who is there, and the
    score over rematches.
    """

    game_id: str
    game: str
    variant: str
    config: dict[str, Any]
    assistance: AssistanceName
    seat_index: int | None = None
    seats: list[SeatBody]
    position: PositionBody
    match_status: SnapshotBody
    kind: Literal["player", "spectator", "waiting", "replay"] | None = None
    match_type: str | None = None
    seat: SiteSeat | None = None
    state: dict[str, Any] | None = None
    share_url: str | None = None
    reason: str | None = None


class MatchBody(Body):
    """The answer to ``ready`` and ``abort``; ``snapshot`` for Wallwars only."""

    success: bool
    position: PositionBody
    snapshot: SnapshotBody | None = None


class CreatedBody(Body):
    """A new game. From ``hostToken`` on the site's members, for Wallwars only."""

    game_id: str
    game: str
    variant: str
    config: dict[str, Any]
    assistance: AssistanceName
    seats: list[SeatBody]
    position: PositionBody
    host_token: str | None = None
    socket_token: str | None = None
    share_url: str | None = None
    snapshot: SnapshotBody | None = None


class JoinedBody(Body):
    """A taken seat. From ``role`` on the site's members, for Wallwars only; a spectator has no seat."""

    game_id: str
    seat_index: int | None = None
    token: str | None = None
    assistance: AssistanceName
    seats: list[SeatBody]
    position: PositionBody
    role: Literal["player", "spectator"] | None = None
    seat: Literal["host", "joiner"] | None = None
    player_id: int | None = None
    socket_token: str | None = None
    snapshot: SnapshotBody | None = None
    share_url: str | None = None
