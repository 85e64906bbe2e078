"""The Wallwars site's own shapes: actions of a submitted move, ``state``, ``snapshot`` and list entries.

The only file of this package that knows one game. Players are numbered 1 and 2 here and nowhere else; cells
are ``[row, column]`` with row 0 at the top. Called by ``game`` for frames and by the server for HTTP answers.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from protocols.jsontext import MistypedError, mapping
from protocols.play.table import Attendance, Control, Match, Player, Table

GAME = "wallwars"
UNTIMED = Control(initial_seconds=86_400, increment_seconds=0)
"""What the site is shown for a game without a clock."""

BOARD = ("boardWidth", "boardHeight")
"""The members of a game's configuration that say how large its board is; not every game has them."""

PASS = "---"  # noqa: S105 - the notation of an empty move

_PAWNS = {"cat": "C", "mouse": "M"}
_WALLS = {"vertical": ">", "horizontal": "^"}
_COLUMNS = "abcdefghijklmnopqrstuvwxyz"


# ---- moves ---------------------------------------------------------------------------------------


def move_text(move: object, board_height: int) -> str:
    """The notation of a submitted ``{"actions": […]}``, its actions in the order given; MistypedError.

    Only the shape is judged: cells beyond the board give a text that the rules refuse.
    """
    actions = mapping(move).get("actions")
    if not isinstance(actions, list):
        raise MistypedError("an object with a list of actions")
    return ".".join(_action_text(mapping(action), board_height) for action in actions) or PASS


def _action_text(action: Mapping[str, Any], board_height: int) -> str:
    kind = action.get("type")
    cell = _cell_text(action.get("target"), board_height)
    if kind == "wall":
        orientation = action.get("wallOrientation")
        if not isinstance(orientation, str) or orientation not in _WALLS:
            raise MistypedError("an action whose wallOrientation is vertical or horizontal")
        return _WALLS[orientation] + cell
    if not isinstance(kind, str) or kind not in _PAWNS:
        raise MistypedError("an action of type cat, mouse or wall")
    return _PAWNS[kind] + cell


def _cell_text(cell: object, board_height: int) -> str:
    if not isinstance(cell, list) or len(cell) != 2 or not all(type(part) is int for part in cell):
        raise MistypedError("an action whose target is [row, column]")
    row, column = cell
    if not 0 <= column < len(_COLUMNS):
        raise MistypedError("an action whose target lies on the board")
    return f"{_COLUMNS[column]}{board_height - row}"


# ---- state ---------------------------------------------------------------------------------------


def state_json(table: Table) -> dict[str, Any]:
    """The ``state`` of a game of Wallwars. An open game already counts as being played."""
    view = table.view
    out: dict[str, Any] = {"status": "playing" if table.status == "open" else table.status}
    if table.result is not None:
        out["result"] = _result(table.result.winners, table.result.reason)
    clocks = table.clocks or (UNTIMED.initial_seconds * 1000,) * len(table.players)
    return {
        **out,
        "turn": view["turn"],
        "moveCount": table.ply,
        "timeLeft": {_player(seat): left / 1000 for seat, left in enumerate(clocks)},
        "lastMoveTime": table.last_move_at,
        "pawns": {name.removeprefix("p"): _pawns(pawns) for name, pawns in view["pawns"].items()},
        "walls": view["walls"],
        "initialState": table.config["initialState"],
        "history": [{"index": i, "notation": move} for i, move in enumerate(table.position.history, start=1)],
        "config": {**config_json(table), "variantConfig": table.config["initialState"]},
    }


def _result(winners: Sequence[int], reason: str) -> dict[str, Any]:
    return {"winner": winners[0] + 1, "reason": reason} if winners else {"reason": reason}


def _pawns(pawns: Mapping[str, Any]) -> dict[str, Any]:
    """A home stands where the site expects the mouse."""
    return {"mouse" if name == "home" else name: cell for name, cell in pawns.items()}


def config_json(table: Match) -> dict[str, Any]:
    """Variant, board and clock."""
    return {
        "variant": table.variant,
        **{name: table.config[name] for name in BOARD if name in table.config},
        "rated": False,
        "timeControl": control_json(table.control or UNTIMED),
    }


def control_json(control: Control) -> dict[str, Any]:
    """A time control."""
    out: dict[str, Any] = {
        "initialSeconds": control.initial_seconds,
        "incrementSeconds": control.increment_seconds,
    }
    return out if control.preset is None else {**out, "preset": control.preset}


# ---- snapshot ------------------------------------------------------------------------------------


def snapshot_json(table: Match, attendance: Attendance) -> dict[str, Any]:
    """The ``snapshot`` of a game."""
    return {
        "id": table.game_id,
        "status": match_status(table),
        "config": config_json(table),
        "matchType": table.match_type,
        "createdAt": table.created_at,
        "updatedAt": table.updated_at,
        "players": [_entry(table, seat, player, attendance) for seat, player in enumerate(table.players)],
        "matchScore": match_score(table),
    }


def match_status(table: Match) -> str:
    """The site's word for where a game stands."""
    if table.status == "playing":
        return "in-progress" if table.ply else "ready"
    return {"open": "waiting", "finished": "completed", "aborted": "aborted"}[table.status]


def match_score(table: Match) -> dict[str, float]:
    """The points of each player over this game and those that it is a rematch of."""
    return {_player(seat): points for seat, points in enumerate(table.score or (0,) * len(table.players))}


def role(table: Match, seat: int) -> str:
    """Whether the seat belongs to the client that created the game."""
    return "host" if seat == table.host else "joiner"


def display_name(seat: int, player: Player) -> str:
    """What the site calls a player."""
    return player.name or f"Player {seat + 1}"


def _entry(table: Match, seat: int, player: Player, attendance: Attendance) -> dict[str, Any]:
    is_taken = player.kind != "open"
    out: dict[str, Any] = {
        "role": role(table, seat),
        "playerId": seat + 1,
        "displayName": display_name(seat, player),
        "connected": attendance.has(seat, player.kind),
        "ready": is_taken,
    }
    return out if player.appearance is None else {**out, "appearance": dict(player.appearance)}


def _player(seat: int) -> str:
    return str(seat + 1)
