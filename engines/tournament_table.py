"""The table of a tournament: points, places and tie-breaks. Values in, values out; plays no games.

A game of a pair is worth 1 point to its winner and ½ to both if it is drawn. At a table of n, a player meets all
others, and has the mean of what it has against each: of n places, the first is worth 1 point, the last 0, and each
other one 1/(n - 1) more than the next; who share places share their points.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

WINS: Final = "wins"


def place_points(places: Sequence[int]) -> tuple[float, ...]:
    """The points of each place at a table, 1 being the best place. They add up to half the number of players."""
    others = len(places) - 1
    return tuple((sum(_against(-own, -other) for other in places) - 0.5) / others for own in places)


def _against(own: float, other: float) -> float:
    return 1.0 if own > other else 0.5 if own == other else 0.0


@dataclass(frozen=True)
class Meeting:
    """The games of two players, at a table of two or more: the players by number, and the points of each."""

    players: tuple[int, int]
    points: tuple[float, float]

    def of(self, player: int) -> float:
        """The points of one of the two."""
        return self.points[self.players.index(player)]

    def opponent(self, player: int) -> int:
        """The other one."""
        return self.players[1 - self.players.index(player)]


def meetings_at(players: Sequence[int], games: Iterable[Sequence[float]]) -> list[Meeting]:
    """What everybody at a table has scored against each other one. ``games``: the points of each, in their order.

    Nobody scores against one who has no points either: both have lost a game that nobody has played.
    """
    played = list(games)
    found = []
    for one, other in combinations(range(len(players)), 2):
        met = [(points[one], points[other]) for points in played if points[one] or points[other]]
        first, second = (sum(_against(*pair) for pair in met), sum(_against(*pair[::-1]) for pair in met))
        found.append(Meeting((players[one], players[other]), (first, second)))
    return found


@dataclass(frozen=True)
class Scoring:
    """What a bye is worth, and how many ``seats`` the games have."""

    bye_points: float
    seats: int = 2

    @property
    def others(self) -> int:
        """How many one meets at a table."""
        return self.seats - 1


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    place: int
    """From 1; players whom no tie-break tells apart share it."""
    player: int
    points: float
    tie_breaks: Mapping[str, float]
    """By name, in the order in which they decide."""
    byes: int


@dataclass(frozen=True)
class _Results:
    meetings: Mapping[int, Sequence[Meeting]]
    """By player."""
    byes: Sequence[int]
    sums: Sequence[float]
    """The points against all, and for byes: ``Scoring.others`` times the points. Halves, which add up exactly."""
    scoring: Scoring

    def of(self, player: int) -> Sequence[Meeting]:
        return self.meetings.get(player, ())


def _direct(results: _Results, player: int) -> float:
    """Points against those with the same number of points."""
    sums = results.sums
    return sum(
        meeting.of(player) for meeting in results.of(player) if sums[meeting.opponent(player)] == sums[player]
    )


def _buchholz(results: _Results, player: int) -> float:
    """The points of all opponents; for a bye, the player's own, as if they all were such opponents."""
    others = results.scoring.others
    opponents = sum(results.sums[meeting.opponent(player)] for meeting in results.of(player))
    return (opponents + results.byes.count(player) * others * results.sums[player]) / others


def _sonneborn_berger(results: _Results, player: int) -> float:
    """The points against each opponent times the opponent's points; for a bye as above."""
    others, bye_points = results.scoring.others, results.scoring.bye_points
    won = sum(meeting.of(player) * results.sums[meeting.opponent(player)] for meeting in results.of(player))
    return (won + results.byes.count(player) * bye_points * others * results.sums[player]) / others


def _wins(results: _Results, player: int) -> float:
    """Meetings in which the player had more points than the opponent."""
    return sum(meeting.of(player) > meeting.of(meeting.opponent(player)) for meeting in results.of(player))


TIE_BREAKS: Final[Mapping[str, Callable[[_Results, int], float]]] = {
    "direct": _direct,
    "buchholz": _buchholz,
    "sonneborn-berger": _sonneborn_berger,
    WINS: _wins,
}


def table(
    players: int,
    meetings: Sequence[Meeting],
    byes: Sequence[int],
    scoring: Scoring,
    tie_breaks: Sequence[str],
) -> list[Row]:
    """The rows from the first place to the last. ``byes``: the players who had one, as often as they had it."""
    others = scoring.others
    sums = [scoring.bye_points * others * byes.count(player) for player in range(players)]
    own: dict[int, list[Meeting]] = {}
    for meeting in meetings:
        for player, won in zip(meeting.players, meeting.points, strict=True):
            sums[player] += won
            own.setdefault(player, []).append(meeting)
    results = _Results(own, byes, sums, scoring)
    broken = [{name: TIE_BREAKS[name](results, player) for name in tie_breaks} for player in range(players)]
    keys = [(sums[player], *broken[player].values()) for player in range(players)]
    order = sorted(range(players), key=lambda player: keys[player], reverse=True)
    return [
        Row(
            1 + sum(key > keys[player] for key in keys),
            player,
            sums[player] / others,
            broken[player],
            byes.count(player),
        )
        for player in order
    ]
