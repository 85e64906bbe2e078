"""The public position of any game as JSON.

The ``position`` of every HTTP answer and of the frames of all games.
"""

from collections.abc import Mapping
from typing import Any

from protocols.play.table import Player, Result, Table


def position_json(table: Table, staged: str = "", asking: int | None = None) -> dict[str, Any]:
    """The position, for everybody or for the seat ``asking``.

    With ``staged``, the beginning of a move, ``legal`` is what may follow it, and ``canFinish`` says whether it
    may stand as the whole move. It belongs to the seat to act, where several act together to the one that asks.

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
    begun = _begun(table, staged, asking)
    out["legal"] = _legal(table, begun)
    out["canFinish"] = _can_finish(table, begun, asking)
    out["history"] = table.position.history
    out["clocks"] = [None] * len(table.players) if table.clocks is None else list(table.clocks)
    return out


def result_json(result: Result) -> dict[str, Any]:
    """The result of a finished game; ``scores`` only in games that have points."""
    out: dict[str, Any] = {"winners": list(result.winners), "reason": result.reason}
    if result.scores is not None:
        out["scores"] = list(result.scores)
    return out


def _is_together(table: Table) -> bool:
    return len(table.position.to_act) > 1


def _begun(table: Table, staged: str, asking: int | None) -> dict[int, str]:
    """What each seat to act has of its move: nothing but for the one that ``staged`` belongs to."""
    owners = (asking,) if _is_together(table) else table.to_act
    return {seat: staged if seat in owners else "" for seat in table.to_act}


def _legal(table: Table, begun: Mapping[int, str]) -> list[str] | dict[str, list[str]]:
    legal = {str(seat): table.position.legal(seat, staged) for seat, staged in begun.items()}
    return legal if _is_together(table) else next(iter(legal.values()), [])


def _can_finish(table: Table, begun: Mapping[int, str], asking: int | None) -> bool:
    seats = begun if asking is None or asking not in begun else (asking,)
    return any(table.position.can_finish(seat, begun[seat]) for seat in seats)


def seats_json(table: Table) -> list[dict[str, Any]]:
    """Who sits where, as everybody may see it."""
    return [_seat(seat, player) for seat, player in enumerate(table.players)]


def _seat(seat: int, player: Player) -> dict[str, Any]:
    optional = {"name": player.name, "bot": player.bot_id}
    present = {name: value for name, value in optional.items() if value is not None}
    return {"seat": seat, "kind": player.kind, **present}
