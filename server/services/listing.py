"""The row that represents a game in lists, from a game's state and back to what lists show."""

from typing import cast

from protocols.play.lists import read_summary, summary_json
from protocols.play.table import Listed, Status, Table, Visibility
from server.domain.game import GameState
from server.ports import Listing


def listing_of(state: GameState, table: Table) -> Listing:
    """The listing of a game in this state, of which ``table`` is the public picture."""
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
        summary=summary_json(table),
        has_remote=state.has_remote,
        visibility=state.visibility.value,
    )


def listed_of(listing: Listing) -> Listed:
    """What lists show of the game of a row."""
    return read_summary(
        listing.summary,
        game_id=listing.game_id,
        game=listing.game,
        variant=listing.variant,
        status=cast("Status", listing.status),
        ply=listing.ply,
        created_at=listing.created_at,
        updated_at=listing.updated_at,
        visibility=cast("Visibility", listing.visibility),
        has_remote=listing.has_remote,
    )
