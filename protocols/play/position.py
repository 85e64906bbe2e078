"""The public position of any game as JSON.

It is the ``position`` of all HTTP answers and frames, of a game or on its own.
"""

from typing import Any

from engines import Position
from protocols.table_json import result_json
from protocols.values import Match, Result, Seat, Table


def position_json(table: Table, staged: str = "", asking: int | None = None) -> dict[str, Any]:
    """The position as the public sees it, or as the seat ``asking`` does.

    ``staged`` is the beginning of a move of the seat to act or, if several act together, of ``asking``. ``legal`` then
    has its continuations, and ``canFinish`` says whether it is a complete move already.

    Raises the rules' errors if ``staged`` cannot be played.
    """
    out: dict[str, Any] = {
        "game": table.game,
        "variant": table.variant,
        "ply": table.ply,
        "toAct": list(table.to_act),
        "status": table.status.value,
    }
    if table.pending:
        out["pending"] = list(table.pending)
    if table.result is not None:
        out["result"] = result_json(table.result)
    out["view"] = table.view
    out |= _choices(table.position, table.to_act, staged, asking)
    out["history"] = table.position.history
    if table.clocks is None:
        out["clocks"] = [None] * len(table.seats)
    else:
        out |= {"clocks": list(table.clocks), "running": list(table.running)}
    return out


def loose_position_json(position: Position, staged: str = "") -> dict[str, Any]:
    """The same for a position without a game: without players or clocks.

    Raises the rules' errors if ``staged`` cannot be played.
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
        out["result"] = result_json(Result.by_rules(outcome))
    out["view"] = position.view(None)
    out |= _choices(position, tuple(position.to_act), staged, None)
    out["history"] = position.history
    out["clocks"] = [None] * position.seats
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
    """The public data of the players of all seats."""
    return [_seat(index, seat) for index, seat in enumerate(table.seats)]


def _seat(index: int, seat: Seat) -> dict[str, Any]:
    optional = {"name": seat.name, "bot": seat.bot_id, "via": seat.via}
    present = {name: value for name, value in optional.items() if value is not None}
    return {"seat": index, "kind": seat.kind.value, **present}
