"""Converts a game's state to its row in lists, and a row to what lists show."""

from protocols.play.lists import read_summary, summary_json
from protocols.values import Listed, Status, Table, Visibility
from server.domain.game import GameState
from server.ports.store import Listing


def listing_of(state: GameState, table: Table) -> Listing:
    """Returns the row of a game; ``table`` is the public part of ``state``."""
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
        summary={**summary_json(table), **({"imported": True} if state.imported else {})},
        has_remote=state.has_remote,
        visibility=state.visibility.value,
    )


def listed_of(listing: Listing) -> Listed:
    """Returns what lists show of a row."""
    return read_summary(
        listing.summary,
        game_id=listing.game_id,
        game=listing.game,
        variant=listing.variant,
        status=Status(listing.status),
        ply=listing.ply,
        created_at=listing.created_at,
        updated_at=listing.updated_at,
        visibility=Visibility(listing.visibility),
        has_remote=listing.has_remote,
    )
