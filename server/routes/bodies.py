"""Answers about games, from their public picture: the common members, and for Wallwars its site's as well."""

from collections.abc import Mapping
from typing import Any

from protocols.play import site
from protocols.play.position import position_json, seats_json
from protocols.play.table import Attendance, Table
from server.ports import Listing

Json = dict[str, Any]


class Links:
    """Addresses of pages; ``base`` is the server's own address, ending in a slash."""

    def __init__(self, base: str) -> None:
        self._base = base

    def share(self, game_id: str) -> str:
        """The page of a game, where an open seat can be taken."""
        return f"{self._base}game/{game_id}"

    def invite(self, game_id: str, token: str | None) -> str:
        """The page of a game for whoever is to play the seat of this token."""
        return self.share(game_id) if token is None else f"{self.share(game_id)}?token={token}"


def created_body(table: Table, tokens: Mapping[int, str], links: Links) -> Json:
    """The answer to the creator of a game, with the tokens of its seats."""
    seats = seats_json(table)
    for seat in seats:
        token = tokens.get(seat["seat"])
        if token is not None:
            seat["token"] = token
        if seat["kind"] != "bot":
            seat["inviteUrl"] = links.invite(table.game_id, token)
    out = {**_common(table), "seats": seats, "position": position_json(table)}
    if table.game != site.GAME:
        return out
    host = tokens.get(table.host)
    members = {} if host is None else {"hostToken": host, "socketToken": host}
    snapshot = site.snapshot_json(table, Attendance())
    return {**out, **members, "shareUrl": links.share(table.game_id), "snapshot": snapshot}


def joined_body(table: Table, seat: int, token: str, attendance: Attendance, links: Links) -> Json:
    """The answer to a new player."""
    out: Json = {
        "gameId": table.game_id,
        "seatIndex": seat,
        "token": token,
        "assistance": table.assistance,
        "seats": seats_json(table),
        "position": position_json(table),
    }
    if table.game != site.GAME:
        return out
    members = {"role": "player", "seat": site.role(table, seat), "playerId": seat + 1, "socketToken": token}
    return {**out, **members, **_site_links(table, attendance, links)}


def watching_body(table: Table, attendance: Attendance, links: Links) -> Json:
    """The answer to somebody who wants to join a full game of Wallwars."""
    out = {
        "gameId": table.game_id,
        "assistance": table.assistance,
        "seats": seats_json(table),
        "position": position_json(table),
    }
    return {**out, "role": "spectator", **_site_links(table, attendance, links)}


def game_body(
    table: Table, position: Json, seat: int | None, token: str | None, attendance: Attendance, links: Links
) -> Json:
    """The answer to ``GET /api/games/{id}``; ``seat`` is that of the token, None for spectators.

    ``position`` is the one asked for, which may be a past one.
    """
    out = {
        **_common(table),
        "seatIndex": seat,
        "seats": seats_json(table),
        "position": position,
        "matchStatus": site.snapshot_json(table, attendance),
    }
    if table.game != site.GAME:
        return out
    members: Json = {
        "kind": _kind(table, seat),
        "matchType": table.match_type,
        "state": site.state_json(table),
        "shareUrl": links.share(table.game_id),
    }
    if members["kind"] == "waiting":
        members["reason"] = "seat-not-filled" if table.status == "open" else "host-aborted"
    if seat is not None:
        own = {"role": site.role(table, seat), "playerId": seat + 1, "token": token, "socketToken": token}
        members["seat"] = own
    return {**out, **members}


def match_body(table: Table, attendance: Attendance) -> Json:
    """The answer to a player who has settled something around a game."""
    out: Json = {"success": True, "position": position_json(table)}
    return out if table.game != site.GAME else {**out, "snapshot": site.snapshot_json(table, attendance)}


def rematch_body(game_id: str, seat: int, token: str, links: Links) -> Json:
    """The answer to a player whose rematch has begun; ``seat`` is the new one."""
    return {
        "gameId": game_id,
        "seatIndex": seat,
        "token": token,
        "inviteUrl": links.invite(game_id, token),
    }


def listed_body(listing: Listing) -> Json:
    """A game in a list."""
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
        "assistance": table.assistance,
    }


def _kind(table: Table, seat: int | None) -> str:
    if seat is not None:
        return "player"
    if table.status == "open" or (table.status == "aborted" and table.ply == 0):
        return "waiting"
    return "spectator" if table.status == "playing" else "replay"


def _site_links(table: Table, attendance: Attendance, links: Links) -> Json:
    return {"snapshot": site.snapshot_json(table, attendance), "shareUrl": links.share(table.game_id)}
