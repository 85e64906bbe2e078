"""The table of a tournament, as far as it has been played."""

from collections.abc import Sequence

from engines.tournament_table import Meeting, Row
from server.domain.tournaments.state import TournamentState


def standings(state: TournamentState) -> list[Row]:
    """The rows from the first place to the last."""
    settings = state.settings
    return settings.pairing.table(len(state.entrants), state.rounds, settings.tie_breaks)


def meetings_of(state: TournamentState) -> Sequence[Meeting]:
    """Each two at the tables of whose games some are over, with their points."""
    return [meeting for one in state.rounds for meeting in one.meetings()]
