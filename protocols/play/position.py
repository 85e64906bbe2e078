"""The public position of any game as JSON.

The ``position`` of every HTTP answer and of the frames of all games.
"""

from typing import Any

from protocols.play.table import Player, Result, Table


def position_json(table: Table, staged: str = "") -> dict[str, Any]:
    """The position.

    With ``staged``, the beginning of a move of the seat to act, ``legal`` is what may follow it.

    Raises the rules' refusals when ``staged`` cannot be played.
    """
    out: dict[str, Any] = {
        "game": table.game,
        "variant": table.variant,
        "ply": table.ply,
        "toAct": list(table.to_act),
        "status": table.status,
    }
    if table.result is not None:
        out["result"] = result_json(table.result)
    out["view"] = table.view
    out["legal"] = _legal(table, staged)
    out["history"] = table.position.history
    out["clocks"] = [None] * len(table.players) if table.clocks is None else list(table.clocks)
    return out


def result_json(result: Result) -> dict[str, Any]:
    """The result of a finished game; ``scores`` only in games that have points."""
    out: dict[str, Any] = {"winners": list(result.winners), "reason": result.reason}
    if result.scores is not None:
        out["scores"] = list(result.scores)
    return out


def _legal(table: Table, staged: str) -> list[str] | dict[str, list[str]]:
    together = len(table.position.to_act) > 1
    if together:
        return {str(seat): table.position.legal(seat, staged) for seat in table.to_act}
    return table.position.legal(table.to_act[0], staged) if table.to_act else []


def seats_json(table: Table) -> list[dict[str, Any]]:
    """Who sits where, as everybody may see it."""
    return [_seat(seat, player) for seat, player in enumerate(table.players)]


def _seat(seat: int, player: Player) -> dict[str, Any]:
    optional = {"name": player.name, "bot": player.bot_id}
    present = {name: value for name, value in optional.items() if value is not None}
    return {"seat": seat, "kind": player.kind, **present}
