"""The table of a tournament, as far as it has been played."""

from collections.abc import Sequence

from engines.tournament_systems import SWISS, bye_points
from engines.tournament_table import Meeting, Row, table
from server.domain.tournaments.state import TournamentState


def standings(state: TournamentState) -> list[Row]:
    """The rows from the first place to the last."""
    settings = state.settings
    byes = [one.round.bye for one in state.rounds if one.round.bye is not None and settings.system == SWISS]
    points = bye_points(settings.system, settings.games_per_pair)
    return table(len(state.entrants), meetings_of(state), byes, points, settings.tie_breaks)


def meetings_of(state: TournamentState) -> Sequence[Meeting]:
    """All pairs of whose games some are over, with their points."""
    return [meeting for one in state.rounds for meeting in one.meetings()]
