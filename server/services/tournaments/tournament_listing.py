"""The row of a tournament in lists."""

from server.domain.tournaments.state import TournamentState
from server.ports.tournaments import TournamentListing


def listing_of_tournament(state: TournamentState) -> TournamentListing:
    """Returns the row of a tournament; its summary is what lists show."""
    settings = state.settings
    summary = {
        "name": settings.name,
        "game": settings.game,
        "variant": settings.variant,
        "system": settings.system,
        "status": state.status.value,
        "entrants": len(state.entrants),
        "round": len(state.rounds),
        "rounds": state.last_round,
        "startsAt": settings.starts_at,
    }
    return TournamentListing(state.id, state.version, state.is_live, state.created_at, summary)
