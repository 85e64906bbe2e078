"""The table of a tournament: points, places and tie-breaks. Values in, values out; plays no games.

A game is worth 1 point to its winner and ½ to both if it is drawn. A bye is worth as many points as the games of a
pair.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Meeting:
    """The games of a pair: the players by number, and the points of each."""

    players: tuple[int, int]
    points: tuple[float, float]

    def of(self, player: int) -> float:
        """The points of one of the two."""
        return self.points[self.players.index(player)]

    def opponent(self, player: int) -> int:
        """The other one."""
        return self.players[1 - self.players.index(player)]


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
    points: Sequence[float]
    bye_points: float

    def of(self, player: int) -> Sequence[Meeting]:
        return self.meetings.get(player, ())


def _direct(results: _Results, player: int) -> float:
    """Points against those with the same number of points."""
    points = results.points
    return sum(
        meeting.of(player)
        for meeting in results.of(player)
        if points[meeting.opponent(player)] == points[player]
    )


def _buchholz(results: _Results, player: int) -> float:
    """The points of all opponents; for a bye, the player's own, as if it were such an opponent."""
    opponents = sum(results.points[meeting.opponent(player)] for meeting in results.of(player))
    return opponents + results.byes.count(player) * results.points[player]


def _sonneborn_berger(results: _Results, player: int) -> float:
    """The points against each opponent times the opponent's points; for a bye as above."""
    won = sum(meeting.of(player) * results.points[meeting.opponent(player)] for meeting in results.of(player))
    return won + results.byes.count(player) * results.bye_points * results.points[player]


def _wins(results: _Results, player: int) -> float:
    """Meetings in which the player had more points than the opponent."""
    return sum(meeting.of(player) > meeting.of(meeting.opponent(player)) for meeting in results.of(player))


TIE_BREAKS: Final[Mapping[str, Callable[[_Results, int], float]]] = {
    "direct": _direct,
    "buchholz": _buchholz,
    "sonneborn-berger": _sonneborn_berger,
    "wins": _wins,
}


def table(
    players: int,
    meetings: Sequence[Meeting],
    byes: Sequence[int],
    bye_points: float,
    tie_breaks: Sequence[str],
) -> list[Row]:
    """The rows from the first place to the last. ``byes``: the players who had one, as often as they had it."""
    points = [bye_points * byes.count(player) for player in range(players)]
    own: dict[int, list[Meeting]] = {}
    for meeting in meetings:
        for player, won in zip(meeting.players, meeting.points, strict=True):
            points[player] += won
            own.setdefault(player, []).append(meeting)
    results = _Results(own, byes, points, bye_points)
    broken = [{name: TIE_BREAKS[name](results, player) for name in tie_breaks} for player in range(players)]
    keys = [(points[player], *broken[player].values()) for player in range(players)]
    order = sorted(range(players), key=lambda player: keys[player], reverse=True)
    return [
        Row(
            1 + sum(key > keys[player] for key in keys),
            player,
            points[player],
            broken[player],
            byes.count(player),
        )
        for player in order
    ]
