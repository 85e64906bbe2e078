"""The JSON of a game's table that protocols share: the ``snapshot`` of ``match-status`` frames, and its parts.

The format is the Wallwars site's; its clients and ours read it for all games. Players are numbered from 1; times are
milliseconds since the epoch.
"""

from typing import Any

from protocols.values import Attendance, Match, Result, Seat, SeatKind, Status, TimeControl

UNTIMED = TimeControl(initial_seconds=86_400, increment_seconds=0)
"""The time control shown for a game without a clock."""

BOARD = ("boardWidth", "boardHeight")
"""The members of a game's configuration that give the size of its board; not every game has them."""


def config_json(table: Match) -> dict[str, Any]:
    """The variant, board size and time control."""
    return {
        "variant": table.variant,
        **{name: table.config[name] for name in BOARD if name in table.config},
        "rated": table.is_rated,
        "timeControl": control_json(table.time_control or UNTIMED),
    }


def control_json(control: TimeControl) -> dict[str, Any]:
    """A time control."""
    optional = {
        "preset": control.preset,
        "moveMs": control.move_ms,
        "preprocessingMs": control.preprocessing_ms,
    }
    return {
        "initialSeconds": control.initial_seconds,
        "incrementSeconds": control.increment_seconds,
        **{name: value for name, value in optional.items() if value is not None},
    }


def result_json(result: Result) -> dict[str, Any]:
    """The result of a finished game; ``scores`` only in games with points, ``note`` only if there is one."""
    out: dict[str, Any] = {"winners": list(result.winners), "reason": result.reason}
    if result.scores is not None:
        out["scores"] = list(result.scores)
    if result.note is not None:
        out["note"] = result.note
    return out


def snapshot_json(table: Match, attendance: Attendance) -> dict[str, Any]:
    """The ``snapshot`` of a game."""
    out = {
        "id": table.game_id,
        "status": match_status(table),
        "config": config_json(table),
        "matchType": table.match_type,
        "createdAt": table.created_at,
        "updatedAt": table.updated_at,
        "players": [_entry(table, index, seat, attendance) for index, seat in enumerate(table.seats)],
        "matchScore": match_score(table),
    }
    return out if table.tournament is None else {**out, "tournamentId": table.tournament}


def match_status(table: Match) -> str:
    """The site's name for the status of a game."""
    if table.status is Status.PLAYING:
        return "in-progress" if table.ply else "ready"
    return {"open": "waiting", "finished": "completed", "aborted": "aborted"}[table.status]


def match_score(table: Match) -> dict[str, float]:
    """The points of each player over this game and those that it is a rematch of."""
    return {str(seat + 1): points for seat, points in enumerate(table.score or (0,) * len(table.seats))}


def role(table: Match, seat: int) -> str:
    """``host`` for the seat of the client that created the game, else ``joiner``."""
    return "host" if seat == table.host else "joiner"


def display_name(index: int, seat: Seat) -> str:
    """The name of the seat's player, or ``Player`` and the number of the seat."""
    return seat.name or f"Player {index + 1}"


def _entry(table: Match, index: int, seat: Seat, attendance: Attendance) -> dict[str, Any]:
    is_taken = seat.kind is not SeatKind.OPEN
    out: dict[str, Any] = {
        "role": role(table, index),
        "playerId": index + 1,
        "displayName": display_name(index, seat),
        "connected": attendance.has(index, seat.kind),
        "ready": is_taken,
    }
    if index in attendance.evaluating:
        out["evaluation"] = True
    return out if seat.appearance is None else {**out, "appearance": dict(seat.appearance)}
