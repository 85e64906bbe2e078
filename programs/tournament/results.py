"""What has been played in a tournament: its rounds with their games."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engines.arena import Match, Played
from engines.pairings import Round
from engines.tournament_systems import System
from engines.tournament_table import Meeting, Row, meetings_at, place_points

Seated = tuple[int, ...]
"""The players of a table, by their seats in its first game."""


@dataclass(frozen=True)
class PlayedRound:
    """A round with the games of each table. ``Played.places`` are in the order of its players."""

    round: Round
    games: Mapping[Seated, Sequence[Played]]

    def meetings(self) -> list[Meeting]:
        """The points of each two at a table."""
        return [
            meeting
            for table, games in self.games.items()
            for meeting in meetings_at(table, map(_points, games))
        ]

    def points(self, table: Seated) -> list[float]:
        """The points of all players of a table, in their order."""
        return [sum(each) for each in zip(*map(_points, self.games[table]), strict=True)]

    def seatings(self) -> Iterator[Sequence[int]]:
        """The players of each game by seat."""
        for table, games in self.games.items():
            yield from ([table[bot] for bot in game.takes] for game in games)


@dataclass(frozen=True)
class Tournament:
    """A tournament that has been played. ``match`` has all bots, and the number of games of each pair or table."""

    match: Match
    names: Sequence[str]
    system: System
    tie_breaks: Sequence[str]
    rounds: Sequence[PlayedRound]

    def meetings(self) -> list[Meeting]:
        """Each two at all tables with their points."""
        return [meeting for one in self.rounds for meeting in one.meetings()]

    def table(self) -> list[Row]:
        """The rows from the first place to the last."""
        return self.system.table(len(self.names), self.rounds, self.tie_breaks)

    def failures(self, player: int) -> dict[str, int]:
        """The number of games that a bot has lost because it failed, by reason."""
        reasons = [
            fault.reason
            for one in self.rounds
            for table, games in one.games.items()
            for game in games
            for fault in game.faults
            if table[fault.bot] == player and fault.is_failure
        ]
        return {reason: reasons.count(reason) for reason in dict.fromkeys(reasons)}


def _points(game: Played) -> tuple[float, ...]:
    return place_points(game.places)
