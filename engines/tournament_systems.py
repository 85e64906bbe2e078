"""The systems of tournaments: which round comes after those that have been played. Values in, values out."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, Protocol

from engines.pairings import (
    NoPairing,
    Round,
    SwissPlayer,
    gauntlet,
    most_swiss_rounds,
    round_robin,
    swiss_round,
)
from engines.tournament_table import Meeting

ROUND_ROBIN: Final = "round-robin"
GAUNTLET: Final = "gauntlet"
SWISS: Final = "swiss"


class PastRound(Protocol):
    """A round that has been played."""

    @property
    def round(self) -> Round:
        """Who met whom."""
        ...

    def meetings(self) -> Sequence[Meeting]:
        """The points of each pair."""
        ...

    def first_seats(self, player: int) -> int:
        """How many more games the player has had in the first seat than in the second."""
        ...


NextRound = Callable[[int, float, Sequence[PastRound], Collection[int]], Round]
"""Takes the number of players, the points of a bye, the rounds that have been played, and those who have left.

Raises NoPairing.
"""


def bye_points(system: str, games: int) -> float:
    """The points of a bye, if pairs have so many games. A Swiss bye is worth as much as winning all of them.

    In other systems, all players have as many byes.
    """
    return float(games) if system == SWISS else 0.0


def _swiss(players: int, bye_points: float, played: Sequence[PastRound], gone: Collection[int]) -> Round:
    """Pairs only those who are still there."""
    here = [player for player in range(players) if player not in gone]
    if len(here) < 2:
        raise NoPairing("everybody else has left")
    found = swiss_round([_swiss_player(player, bye_points, played, here) for player in here])
    return Round(
        tuple((here[one], here[other]) for one, other in found.pairs),
        None if found.bye is None else here[found.bye],
    )


def _swiss_player(
    player: int, bye_points: float, played: Sequence[PastRound], here: Sequence[int]
) -> SwissPlayer:
    own = [meeting for one in played for meeting in one.meetings() if player in meeting.players]
    had_bye = any(one.round.bye == player for one in played)
    return SwissPlayer(
        sum(meeting.of(player) for meeting in own) + had_bye * bye_points,
        sum(one.first_seats(player) for one in played),
        frozenset(here.index(met) for meeting in own if (met := meeting.opponent(player)) in here),
        had_bye,
    )


NEXT_ROUND: Final[Mapping[str, NextRound]] = {
    ROUND_ROBIN: lambda players, _, played, __: round_robin(players)[len(played)],
    GAUNTLET: lambda players, _, played, __: gauntlet(players)[len(played)],
    SWISS: _swiss,
}

MOST_ROUNDS: Final[Mapping[str, Callable[[int], int]]] = {
    ROUND_ROBIN: lambda players: len(round_robin(players)),
    GAUNTLET: lambda players: len(gauntlet(players)),
    SWISS: most_swiss_rounds,
}
"""How many rounds a tournament of this many players has, or can have."""

USUAL_TIE_BREAKS: Final[Mapping[str, Sequence[str]]] = {
    ROUND_ROBIN: ("direct", "sonneborn-berger", "wins"),
    GAUNTLET: ("direct", "wins"),
    SWISS: ("buchholz", "sonneborn-berger", "direct"),
}
"""Which tie-breaks decide if none are named."""
