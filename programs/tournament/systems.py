"""The systems of tournaments: which round comes after those that have been played."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engines.pairings import Round, SwissPlayer, gauntlet, most_swiss_rounds, round_robin, swiss_round
from programs.tournament.results import SWISS, PlayedRound, meetings_of

NextRound = Callable[[int, float, Sequence[PlayedRound]], Round]
"""Takes the number of players, the points of a bye and the rounds that have been played."""


def _swiss(players: int, bye_points: float, played: Sequence[PlayedRound]) -> Round:
    return swiss_round([_swiss_player(player, bye_points, played) for player in range(players)])


def _swiss_player(player: int, bye_points: float, played: Sequence[PlayedRound]) -> SwissPlayer:
    own = [meeting for meeting in meetings_of(played) if player in meeting.players]
    had_bye = any(one.round.bye == player for one in played)
    return SwissPlayer(
        sum(meeting.of(player) for meeting in own) + had_bye * bye_points,
        sum(one.first_seats(player) for one in played),
        frozenset(meeting.opponent(player) for meeting in own),
        had_bye,
    )


NEXT_ROUND: Final[Mapping[str, NextRound]] = {
    "round-robin": lambda players, _, played: round_robin(players)[len(played)],
    "gauntlet": lambda players, _, played: gauntlet(players)[len(played)],
    SWISS: _swiss,
}

MOST_ROUNDS: Final[Mapping[str, Callable[[int], int]]] = {
    "round-robin": lambda players: len(round_robin(players)),
    "gauntlet": lambda players: len(gauntlet(players)),
    SWISS: most_swiss_rounds,
}
"""How many rounds a tournament of this many players has, or can have."""

TIE_BREAKS: Final[Mapping[str, Sequence[str]]] = {
    "round-robin": ("direct", "sonneborn-berger", "wins"),
    "gauntlet": ("direct", "wins"),
    SWISS: ("buchholz", "sonneborn-berger", "direct"),
}
"""Which tie-breaks decide if none are named."""
