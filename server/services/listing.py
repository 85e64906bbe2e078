"""The row that represents a game in lists."""

from typing import Any

from server.domain.game import GameState
from server.domain.seats import Seat
from server.ports import Listing


def listing_of(state: GameState) -> Listing:
    """The listing of a game in this state."""
    return Listing(
        game_id=state.id,
        game=state.game,
        variant=state.variant,
        status=state.status.value,
        is_timed=state.clock is not None,
        has_bot=state.has_bot,
        created_at=state.created_at,
        updated_at=state.updated_at,
        ply=state.ply,
        summary=_summary(state),
    )


def _summary(state: GameState) -> dict[str, Any]:
    summary: dict[str, Any] = {"seats": [seat_summary(index, seat) for index, seat in enumerate(state.seats)]}
    if state.result is not None:
        summary["result"] = {"winners": list(state.result.winners), "reason": state.result.reason}
    return summary


def seat_summary(index: int, seat: Seat) -> dict[str, Any]:
    """A seat as everybody may see it."""
    out: dict[str, Any] = {"seat": index, "kind": seat.kind.value}
    if seat.name is not None:
        out["name"] = seat.name
    if seat.bot_id is not None:
        out["bot"] = seat.bot_id
    return out
