"""The row that represents a game in lists."""

from typing import Any

from protocols.play.position import result_json, seats_json
from server.domain.game import GameState
from server.domain.public import table_of
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
    table = table_of(state, state.updated_at)
    summary: dict[str, Any] = {"seats": seats_json(table)}
    if table.result is not None:
        summary["result"] = result_json(table.result)
    return summary
