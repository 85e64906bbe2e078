"""Answers about games, from their public state: the common members, and those of the game's dialect."""

from collections.abc import Mapping
from typing import Any

from protocols.dialects import dialect_of
from protocols.play.position import position_json, seats_json
from protocols.table_json import snapshot_json
from protocols.values import Attendance, Table
from server.ports.store import Listing

Json = dict[str, Any]


class Links:
    """Addresses of pages; ``base`` is the server's own address, ending in a slash."""

    def __init__(self, base: str) -> None:
        self._base = base

    def share(self, game_id: str) -> str:
        """The page of a game, where an open seat can be taken."""
        return f"{self._base}game/{game_id}"

    def invite(self, game_id: str, token: str | None) -> str:
        """The page of a game for the player of the seat with this token."""
        return self.share(game_id) if token is None else f"{self.share(game_id)}?token={token}"


def created_body(table: Table, tokens: Mapping[int, str], links: Links) -> Json:
    """The answer to the creator of a game, with the tokens of its seats."""
    out = game_json(table)
    for seat in out["seats"]:
        token = tokens.get(seat["seat"])
        if token is not None:
            seat["token"] = token
        if seat["kind"] != "bot":
            seat["inviteUrl"] = links.invite(table.game_id, token)
    dialect = dialect_of(table.game)
    if dialect is None:
        return out
    return {**out, **dialect.created_json(table, tokens.get(table.host), links.share(table.game_id))}


def game_json(table: Table) -> Json:
    """A game with its seats and its position."""
    return {**_common(table), "seats": seats_json(table), "position": position_json(table)}


def joined_body(
    table: Table, seat: int | None, token: str | None, attendance: Attendance, links: Links
) -> Json:
    """The answer to a new player; ``seat`` is None for a client that becomes a spectator of a full game."""
    own = {} if seat is None else {"seatIndex": seat, "token": token}
    out: Json = {
        "gameId": table.game_id,
        **own,
        "assistance": table.assistance.value,
        "seats": seats_json(table),
        "position": position_json(table),
    }
    dialect = dialect_of(table.game)
    if dialect is None:
        return out
    return {**out, **dialect.joined_json(table, seat, token, attendance, links.share(table.game_id))}


def game_body(
    table: Table, position: Json, seat: int | None, token: str | None, attendance: Attendance, links: Links
) -> Json:
    """The answer to ``GET /api/games/{id}``; ``seat`` is the token's, None for spectators.

    ``position`` is the requested one, which may be an earlier one.
    """
    out = {
        **_common(table),
        "seatIndex": seat,
        "seats": seats_json(table),
        "position": position,
        "matchStatus": snapshot_json(table, attendance),
    }
    dialect = dialect_of(table.game)
    if dialect is None:
        return out
    return {**out, **dialect.game_json(table, seat, token, links.share(table.game_id))}


def match_body(table: Table, attendance: Attendance) -> Json:
    """The answer to a player who is ready or has aborted the game."""
    out: Json = {"success": True, "position": position_json(table)}
    dialect = dialect_of(table.game)
    return out if dialect is None else {**out, **dialect.match_json(table, attendance)}


def rematch_body(game_id: str, seat: int, token: str, links: Links) -> Json:
    """The answer to a player whose rematch has started; ``seat`` is the one in the new game."""
    return {
        "gameId": game_id,
        "seatIndex": seat,
        "token": token,
        "inviteUrl": links.invite(game_id, token),
    }


def listed_body(listing: Listing) -> Json:
    """An entry of a list of games."""
    return {
        "gameId": listing.game_id,
        "game": listing.game,
        "variant": listing.variant,
        "status": listing.status,
        "ply": listing.ply,
        "assistance": "open",
        **listing.summary,
        "createdAt": listing.created_at,
        "updatedAt": listing.updated_at,
    }


def _common(table: Table) -> Json:
    return {
        "gameId": table.game_id,
        "game": table.game,
        "variant": table.variant,
        "config": dict(table.config),
        "assistance": table.assistance.value,
        "hostKnowsOrder": table.host_knows_order,
    }
