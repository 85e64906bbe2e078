"""The systems of tournaments: which round comes after those that have been played.

``pairings`` chooses who meets whom in it, and who has a bye. Values in, values out.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
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
from engines.table_pairings import TablePlayer, gauntlet_rounds, gauntlet_table, next_tables, rounds_to_meet
from engines.tournament_table import TIE_BREAKS, WINS, Meeting, Row, Scoring, table

ROUND_ROBIN: Final = "round-robin"
GAUNTLET: Final = "gauntlet"
SWISS: Final = "swiss"


class PastRound(Protocol):
    """A round that has been played."""

    @property
    def round(self) -> Round:
        """Who sat at one table."""
        ...

    def meetings(self) -> Sequence[Meeting]:
        """The points of each two at a table."""
        ...

    def seatings(self) -> Iterable[Sequence[int]]:
        """The players of each game by seat."""
        ...


@dataclass(frozen=True)
class System:
    """How a tournament is played: in games of so many ``seats``. ``games``: those of each pair or table in a round."""

    name: str
    games: int
    seats: int = 2

    @property
    def has_rounds(self) -> bool:
        """Whether the number of rounds can be chosen; otherwise, that of players decides it."""
        return self.name == SWISS or (self.name == ROUND_ROBIN and self.seats > 2)

    @property
    def bye_points(self) -> float:
        """The points of a bye. A Swiss one is worth as much as winning all games.

        In a round robin of pairs, all players have as many byes. At tables, some may have one more: it is worth the
        mean of a table.
        """
        if self.name == SWISS:
            return float(self.games)
        return self.games / 2 if self.seats > 2 else 0.0

    @property
    def tie_breaks(self) -> Sequence[str]:
        """The tie-breaks that it can have: wins are those of pairs."""
        return [name for name in TIE_BREAKS if self.seats == 2 or name != WINS]

    @property
    def usual_tie_breaks(self) -> Sequence[str]:
        """Which tie-breaks decide if none are named."""
        return [name for name in _USUAL_TIE_BREAKS[self.name] if name in self.tie_breaks]

    def rounds(self, players: int, wanted: int | None = None) -> int:
        """How many rounds it has with so many players: those that are ``wanted`` if it ``has_rounds``, or the usual.

        Pairs have no more than can be paired without meeting again.
        """
        wanted = wanted if self.has_rounds else None
        if self.seats > 2:
            return wanted or _USUAL_TABLE_ROUNDS[self.name](players, self.seats)
        most = _MOST_PAIR_ROUNDS[self.name](players)
        return min(wanted or most, most)

    def games_with(self, players: int, wanted: int | None = None) -> int:
        """How many games it has with so many players."""
        tables = 1 if self.name == GAUNTLET else players // self.seats
        return self.rounds(players, wanted) * tables * self.games

    def next_round(self, players: int, played: Sequence[PastRound], gone: Collection[int] = ()) -> Round:
        """The round after those that have been played; ``gone``: the players who have left. Raises NoPairing."""
        if self.seats > 2:
            return _NEXT_TABLES[self.name](self, players, played, gone)
        return _NEXT_PAIRS[self.name](self, players, played, gone)

    def table(self, players: int, played: Sequence[PastRound], tie_breaks: Sequence[str] = ()) -> list[Row]:
        """The rows from the first place to the last. Byes that are worth nothing are not counted."""
        byes = [player for one in played for player in one.round.byes] if self.bye_points else []
        meetings = [meeting for one in played for meeting in one.meetings()]
        return table(players, meetings, byes, Scoring(self.bye_points, self.seats), tie_breaks)


def _swiss(system: System, players: int, played: Sequence[PastRound], gone: Collection[int]) -> Round:
    """Pairs only those who are still there."""
    here = _still_there(players, gone)
    if len(here) < 2:
        raise NoPairing("everybody else has left")
    found = swiss_round([_swiss_player(player, system.bye_points, played, here) for player in here])
    return _of(here, found)


def _swiss_player(
    player: int, bye_points: float, played: Sequence[PastRound], here: Sequence[int]
) -> SwissPlayer:
    own = [meeting for one in played for meeting in one.meetings() if player in meeting.players]
    had_bye = any(player in one.round.byes for one in played)
    seatings = [seats for one in played for seats in one.seatings() if player in seats]
    return SwissPlayer(
        sum(meeting.of(player) for meeting in own) + had_bye * bye_points,
        sum(1 if seats[0] == player else -1 for seats in seatings),
        frozenset(here.index(met) for meeting in own if (met := meeting.opponent(player)) in here),
        had_bye,
    )


def _tables(system: System, players: int, played: Sequence[PastRound], gone: Collection[int]) -> Round:
    """Seats only those who are still there; in a round robin, whatever their scores."""
    here = _still_there(players, gone)
    scores = {row.player: row.points / system.games for row in system.table(players, played)}
    met = Counter(pair for one in played for table in one.round.tables for pair in permutations(table, 2))
    byes = Counter(player for one in played for player in one.round.byes)
    counts = _seat_counts(system, players, played)
    seated = [
        TablePlayer(
            [met[player, other] for other in here],
            counts[player],
            scores[player] if system.name == SWISS else 0.0,
            byes[player],
        )
        for player in here
    ]
    return _of(here, next_tables(seated, system.seats, system.games))


def _gauntlet_table(
    system: System, players: int, played: Sequence[PastRound], gone: Collection[int]
) -> Round:
    if 0 in gone:
        raise NoPairing("the first player has left")
    counts = _seat_counts(system, players, played)
    return gauntlet_table(len(played), counts, system.seats, system.games)


def _seat_counts(system: System, players: int, played: Sequence[PastRound]) -> list[list[int]]:
    """How many games each player has had in each seat."""
    counts = [[0] * system.seats for _ in range(players)]
    for one in played:
        for seating in one.seatings():
            for seat, player in enumerate(seating):
                counts[player][seat] += 1
    return counts


def _still_there(players: int, gone: Collection[int]) -> list[int]:
    return [player for player in range(players) if player not in gone]


def _of(here: Sequence[int], found: Round) -> Round:
    """A round of those who are still there, with their numbers among all players."""
    tables = tuple(tuple(here[place] for place in seated) for seated in found.tables)
    return Round(tables, tuple(here[place] for place in found.byes))


_NextRound = Callable[[System, int, Sequence[PastRound], Collection[int]], Round]

_NEXT_PAIRS: Final[Mapping[str, _NextRound]] = {
    ROUND_ROBIN: lambda _, players, played, __: round_robin(players)[len(played)],
    GAUNTLET: lambda _, players, played, __: gauntlet(players)[len(played)],
    SWISS: _swiss,
}

_NEXT_TABLES: Final[Mapping[str, _NextRound]] = {
    ROUND_ROBIN: _tables,
    GAUNTLET: _gauntlet_table,
    SWISS: _tables,
}

_MOST_PAIR_ROUNDS: Final[Mapping[str, Callable[[int], int]]] = {
    ROUND_ROBIN: lambda players: len(round_robin(players)),
    GAUNTLET: lambda players: len(gauntlet(players)),
    SWISS: most_swiss_rounds,
}
"""How many rounds a tournament of pairs of this many players has, or can have."""

_USUAL_TABLE_ROUNDS: Final[Mapping[str, Callable[[int, int], int]]] = {
    ROUND_ROBIN: rounds_to_meet,
    GAUNTLET: gauntlet_rounds,
    SWISS: lambda players, seats: (rounds_to_meet(players, seats) + 1) // 2,
}
"""How many rounds a tournament of tables of so many seats has, unless its creator chooses."""

_USUAL_TIE_BREAKS: Final[Mapping[str, Sequence[str]]] = {
    ROUND_ROBIN: ("direct", "sonneborn-berger", WINS),
    GAUNTLET: ("direct", WINS),
    SWISS: ("buchholz", "sonneborn-berger", "direct"),
}
