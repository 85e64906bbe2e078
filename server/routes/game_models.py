"""The bodies of answers about one game, to which the game's dialect may add members."""

from typing import Any, Literal

from server.routes.common_models import AssistanceName, Body, PositionBody, SeatBody


class SnapshotBody(Body):
    """The players, settings and status of a game. ``matchScore`` covers the games that it is a rematch of, too."""

    id: str
    status: Literal["waiting", "ready", "in-progress", "completed", "aborted"]
    config: dict[str, Any]
    match_type: str
    created_at: int
    updated_at: int
    players: list[dict[str, Any]]
    match_score: dict[str, float]
    tournament_id: str | None = None


class GameBody(Body, extra="allow"):
    """A game: ``GET /api/games/{id}``.

    ``seatIndex``: the seat of the token that was sent, null for spectators. ``hostKnowsOrder``: the creator chose the
    seed, and with it what the players draw. ``matchStatus``: who is connected, and the
    score including earlier games of a rematch. ``claimableAt``: when this player may claim the end of the game.
    """

    game_id: str
    game: str
    variant: str
    config: dict[str, Any]
    assistance: AssistanceName
    host_knows_order: bool
    seat_index: int | None = None
    seats: list[SeatBody]
    position: PositionBody
    match_status: SnapshotBody
    claimable_at: int | None = None


class MatchBody(Body, extra="allow"):
    """The answer to ``ready`` and ``abort``."""

    success: bool
    position: PositionBody


class CreatedBody(Body, extra="allow"):
    """A new game."""

    game_id: str
    game: str
    variant: str
    config: dict[str, Any]
    assistance: AssistanceName
    host_knows_order: bool
    seats: list[SeatBody]
    position: PositionBody


class JoinedBody(Body, extra="allow"):
    """A taken seat. Spectators have neither ``seatIndex`` nor ``token``."""

    game_id: str
    seat_index: int | None = None
    token: str | None = None
    assistance: AssistanceName
    seats: list[SeatBody]
    position: PositionBody
