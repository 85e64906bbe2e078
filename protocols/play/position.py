"""The public position of any game as JSON.

The ``position`` of every HTTP answer and of the frames of all games, and the same of a position without a game.
"""

from typing import Any

from engines import Position
from protocols.play.table import Match, Player, Result, Table


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
    out |= _choices(table.position, table.to_act, staged, asking)
    out["history"] = table.position.history
    if table.clocks is None:
        out["clocks"] = [None] * len(table.players)
    else:
        out |= {"clocks": list(table.clocks), "running": list(table.running)}
    return out


def loose_position_json(position: Position, staged: str = "") -> dict[str, Any]:
    """The same for a position that belongs to no game: nobody plays it, and no clock runs.

    Raises the rules' refusals when ``staged`` cannot be played.
    """
    outcome = position.outcome
    out: dict[str, Any] = {
        "game": position.game,
        "variant": position.variant,
        "ply": position.ply,
        "toAct": position.to_act,
        "status": "playing" if outcome is None else "finished",
    }
    if outcome is not None:
        scores = None if outcome.scores is None else tuple(outcome.scores)
        out["result"] = result_json(Result(tuple(outcome.winners), outcome.reason, scores))
    out["view"] = position.view(None)
    out |= _choices(position, tuple(position.to_act), staged, None)
    out["history"] = position.history
    out["clocks"] = [None] * position.seats
    return out


def result_json(result: Result) -> dict[str, Any]:
    """The result of a finished game; ``scores`` only in games that have points, ``note`` only where there is one."""
    out: dict[str, Any] = {"winners": list(result.winners), "reason": result.reason}
    if result.scores is not None:
        out["scores"] = list(result.scores)
    if result.note is not None:
        out["note"] = result.note
    return out


def _choices(position: Position, to_act: tuple[int, ...], staged: str, asking: int | None) -> dict[str, Any]:
    """``legal`` and ``canFinish`` for the seats that still have to act."""
    is_together = len(position.to_act) > 1
    owners = (asking,) if is_together else to_act
    begun = {seat: staged if seat in owners else "" for seat in to_act}
    legal = {str(seat): position.legal(seat, text) for seat, text in begun.items()}
    seats = begun if asking is None or asking not in begun else (asking,)
    return {
        "legal": legal if is_together else next(iter(legal.values()), []),
        "canFinish": any(position.can_finish(seat, begun[seat]) for seat in seats),
    }


def seats_json(table: Match) -> list[dict[str, Any]]:
    """Who sits where, as everybody may see it."""
    return [_seat(seat, player) for seat, player in enumerate(table.players)]


def _seat(seat: int, player: Player) -> dict[str, Any]:
    optional = {"name": player.name, "bot": player.bot_id, "via": player.via}
    present = {name: value for name, value in optional.items() if value is not None}
    return {"seat": seat, "kind": player.kind, **present}
