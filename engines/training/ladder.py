"""Matches between the networks of a run and the native evaluator, with equal numbers of simulations, and their Elo."""

from collections.abc import Sequence
from dataclasses import dataclass

from engines import Position
from engines.arena import Contender, Match, Played, play_match, standings
from engines.bots import Bot, Player, network_player
from engines.executors.executor import TaskExecutor
from engines.inference import Model
from engines.pool import Limits
from engines.ratings import Finish, Rating, ratings
from engines.standings import Standing
from engines.training.boards import TrainingBoard

NATIVE = Bot.parse("native")


@dataclass(frozen=True)
class NetworkBot:
    """A contender that searches with one network (implements ``arena.Contender``)."""

    model: Model

    @property
    def text(self) -> str:
        """The name of the network."""
        return self.model.name

    def player(self, position: Position, limits: Limits, seed: int, models: Sequence[Model]) -> Player:
        """A player for one game; ``models`` are ignored."""
        return network_player(self.model, position, limits, seed)


@dataclass(frozen=True)
class LadderResult:
    """A match of two contenders, from the first one's point of view."""

    names: tuple[str, str]
    wins: int
    draws: int
    losses: int

    @property
    def standing(self) -> Standing:
        """The first one's score, with its interval."""
        return Standing(self.names[0], self.wins, self.draws, self.losses)

    def __str__(self) -> str:
        """One line."""
        low, high = self.standing.wilson95
        games = f"{self.wins}-{self.draws}-{self.losses}"
        return (
            f"{self.names[0]} v {self.names[1]}: {games} = {self.standing.score:.3f} [{low:.3f}, {high:.3f}]"
        )


def play(
    first: Contender,
    second: Contender,
    boards: Sequence[TrainingBoard],
    games: int,
    samples: int,
    seed: int,
    jobs: int | TaskExecutor,
) -> LadderResult:
    """Plays ``games`` games on each board, seats in turn, with ``samples`` simulations for each action."""
    played: list[Played] = []
    for number, board in enumerate(boards):
        match = Match(
            board.game,
            [first, second],
            games,
            Limits(samples),
            board.variant,
            board.config,
            seed=seed + number,
        )
        played += play_match(match, jobs)
    one = standings([first, second], played)[0]
    return LadderResult((first.text, second.text), one.wins, one.draws, one.losses)


def rate(results: Sequence[LadderResult]) -> dict[str, Rating]:
    """Elo ratings of everybody in these matches, which must connect all of them; the average is 0."""
    names = sorted({name for result in results for name in result.names})
    finishes = [
        Finish([names.index(name) for name in result.names], places)
        for result in results
        for places, times in (((1, 2), result.wins), ((1, 1), result.draws), ((2, 1), result.losses))
        for _ in range(times)
    ]
    return dict(zip(names, ratings(len(names), finishes), strict=True))
