"""Results of games, added up: the numbers that an opening explorer shows for a position or a move."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engines import Position

Points = tuple[float, ...]
"""The points of each seat."""


@dataclass(frozen=True, slots=True)
class GameEnd:
    """How a game ended. ``winners`` is empty for a draw. ``points`` are final ones, None if the game has none."""

    winners: tuple[int, ...]
    points: Points | None = None


@dataclass(frozen=True, slots=True)
class OpeningTally:
    """The results of some games.

    ``won``: by seat, how many games the seat has won; a first place that seats share counts for each of them.
    ``scored``: how many games ended with points; ``points``: their sum for each seat,
    nothing in games without points.
    """

    games: int
    draws: int
    won: tuple[int, ...]
    scored: int
    points: Points

    @classmethod
    def none(cls, start: Position) -> "OpeningTally":
        """The tally of no games from this start."""
        has_points = start.scores is not None
        return cls(0, 0, (0,) * start.seats, 0, (0.0,) * start.seats if has_points else ())

    @classmethod
    def of(cls, ended: GameEnd, start: Position) -> "OpeningTally":
        """The tally of one game from this start."""
        none = cls.none(start)
        won = tuple(int(seat in ended.winners) for seat in range(start.seats))
        if not none.points or ended.points is None:
            return replace(none, games=1, draws=int(not ended.winners), won=won)
        return cls(1, int(not ended.winners), won, 1, ended.points)

    def __add__(self, other: "OpeningTally") -> "OpeningTally":
        return OpeningTally(
            self.games + other.games,
            self.draws + other.draws,
            _sum(self.won, other.won),
            self.scored + other.scored,
            tuple(one + two for one, two in zip(self.points, other.points, strict=True)),
        )

    @property
    def mean_points(self) -> Points | None:
        """The mean points of each seat in games that ended with points; None if none did."""
        return tuple(points / self.scored for points in self.points) if self.points and self.scored else None


@dataclass(frozen=True, slots=True)
class Crossroads:
    """What was played from a position: the ``total`` of the games that reached it, and the tally of each move.

    Moves have the names of ``places.name_of``. Some may be left out, and some games ended in the position, so the
    moves may have fewer games than the total.
    """

    total: OpeningTally
    moves: Mapping[str, OpeningTally]


def _sum(some: Sequence[int], others: Sequence[int]) -> tuple[int, ...]:
    return tuple(one + two for one, two in zip(some, others, strict=True))
