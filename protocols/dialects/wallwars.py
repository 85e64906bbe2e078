"""The dialect of the Wallwars site: its ``state``, its moves as lists of actions, and its members of HTTP answers.

Players are numbered 1 and 2; cells are ``[row, column]`` with row 0 at the top.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from protocols.jsontext import JsonDict, MistypedError, mapping
from protocols.table_json import UNTIMED, config_json, role, snapshot_json
from protocols.values import Attendance, Status, Table

GAME: Final = "wallwars"

PASS = "---"  # noqa: S105 - the notation of an empty move

_PAWNS = {"cat": "C", "mouse": "M"}
_WALLS = {"vertical": ">", "horizontal": "^"}
_COLUMNS = "abcdefghijklmnopqrstuvwxyz"


# ---- moves ---------------------------------------------------------------------------------------


def move_text(move: object, config: Mapping[str, Any]) -> str:
    """The notation of a submitted ``{"actions": […]}``, its actions in the order given. Raises MistypedError.

    Only the structure is checked: a cell outside the board becomes a text that the rules reject.
    """
    actions = mapping(move).get("actions")
    if not isinstance(actions, list):
        raise MistypedError("an object with a list of actions")
    return ".".join(_action_text(mapping(action), config["boardHeight"]) for action in actions) or PASS


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
    """The ``state`` of a Wallwars game. An open game already has status ``playing``."""
    view = table.view
    out: dict[str, Any] = {"status": "playing" if table.status is Status.OPEN else table.status.value}
    if table.result is not None:
        out["result"] = _result(table.result.winners, table.result.reason)
    clocks = table.clocks or (UNTIMED.initial_seconds * 1000,) * len(table.seats)
    return {
        **out,
        "turn": view["turn"],
        "moveCount": table.ply,
        "timeLeft": {str(seat + 1): left / 1000 for seat, left in enumerate(clocks)},
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
    """Pawns by the names the site expects: it calls a home ``mouse``."""
    return {"mouse" if name == "home" else name: cell for name, cell in pawns.items()}


# ---- bots ----------------------------------------------------------------------------------------


def is_for_bots(variant: str) -> bool:
    """Whether the V3 protocol supports the variant: all but survival."""
    return variant != "survival"


# ---- answers over HTTP ---------------------------------------------------------------------------


def created_json(table: Table, token: str | None, share_url: str) -> JsonDict:
    """The host's token, if the host is a person, and a snapshot."""
    tokens = {} if token is None else {"hostToken": token, "socketToken": token}
    return {**tokens, "shareUrl": share_url, "snapshot": snapshot_json(table, Attendance())}


def joined_json(
    table: Table, seat: int | None, token: str | None, attendance: Attendance, share_url: str
) -> JsonDict:
    """The client's role and a snapshot. Here ``seat`` is ``host`` or ``joiner``."""
    own: JsonDict = {"role": "spectator"}
    if seat is not None:
        own = {"role": "player", "seat": role(table, seat), "playerId": seat + 1, "socketToken": token}
    return {**own, **match_json(table, attendance), "shareUrl": share_url}


def game_json(table: Table, seat: int | None, token: str | None, share_url: str) -> JsonDict:
    """The client's role in the game, and the game's ``state``. Here ``seat`` is an object."""
    members: JsonDict = {"kind": _kind(table, seat), "matchType": table.match_type}
    if seat is not None:
        own = {"role": role(table, seat), "playerId": seat + 1, "token": token, "socketToken": token}
        members["seat"] = own
    members |= {"state": state_json(table), "shareUrl": share_url}
    if members["kind"] == "waiting":
        members["reason"] = "seat-not-filled" if table.status is Status.OPEN else "host-aborted"
    return members


def match_json(table: Table, attendance: Attendance) -> JsonDict:
    """A snapshot of the game."""
    return {"snapshot": snapshot_json(table, attendance)}


def _kind(table: Table, seat: int | None) -> str:
    if seat is not None:
        return "player"
    if table.status is Status.OPEN or (table.status is Status.ABORTED and table.ply == 0):
        return "waiting"
    return "spectator" if table.status is Status.PLAYING else "replay"
