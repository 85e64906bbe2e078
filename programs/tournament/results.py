"""What has been played in a tournament: its rounds with their games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engines.arena import Match, Played
from engines.pairings import Round
from engines.tournament_systems import SWISS, bye_points
from engines.tournament_table import Meeting, Row, table

Pair = tuple[int, int]


@dataclass(frozen=True)
class PlayedRound:
    """A round with the games of each pair. ``Played.values`` are in the order of the pair."""

    round: Round
    games: Mapping[Pair, Sequence[Played]]

    def meetings(self) -> list[Meeting]:
        """The points of each pair."""
        return [Meeting(pair, (_points(games, 0), _points(games, 1))) for pair, games in self.games.items()]

    def first_seats(self, player: int) -> int:
        """How many more games the player has had in the first seat than in the second."""
        return sum(
            1 if pair[game.takes[0]] == player else -1
            for pair, games in self.games.items()
            if player in pair
            for game in games
        )


@dataclass(frozen=True)
class Tournament:
    """A tournament that has been played. ``match`` has all bots, and the number of games of a pair."""

    match: Match
    names: Sequence[str]
    system: str
    tie_breaks: Sequence[str]
    rounds: Sequence[PlayedRound]

    @property
    def bye_points(self) -> float:
        """What a bye is worth."""
        return bye_points(self.system, self.match.games)

    def meetings(self) -> list[Meeting]:
        """All pairs with their points."""
        return [meeting for one in self.rounds for meeting in one.meetings()]

    def table(self) -> list[Row]:
        """The rows from the first place to the last."""
        byes = [one.round.bye for one in self.rounds if one.round.bye is not None and self.system == SWISS]
        return table(len(self.names), self.meetings(), byes, self.bye_points, self.tie_breaks)

    def failures(self, player: int) -> dict[str, int]:
        """The number of games that a bot has lost because it failed, by reason."""
        reasons = [
            fault.reason
            for one in self.rounds
            for pair, games in one.games.items()
            for game in games
            for fault in game.faults
            if pair[fault.bot] == player and fault.is_failure
        ]
        return {reason: reasons.count(reason) for reason in dict.fromkeys(reasons)}


def _points(games: Sequence[Played], side: int) -> float:
    return sum((game.values[side] + 1) / 2 for game in games)
