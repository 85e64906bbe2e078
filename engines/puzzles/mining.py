"""Mines many games, several at the same time, with the same result as one after the other.

Whether an easy puzzle is taken depends on those that were found before. A game is mined with what is known when it
begins; if a game before it has then changed one of these decisions, it is mined again.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial

from engines import Position
from engines.executors.executor import TaskExecutor, in_order
from engines.puzzles.checks import Standard
from engines.puzzles.miner import MiningCount, has_room, puzzles_in
from engines.puzzles.puzzle import Puzzle
from engines.puzzles.self_play import GamePlan, played_game


@dataclass(frozen=True)
class NumberedGame:
    """A game to find puzzles in. ``end``: its last position; None if it is still to be played."""

    number: int
    end: Position | None


@dataclass(frozen=True)
class MinedGame:
    """The puzzles of a game."""

    game: NumberedGame
    puzzles: list[Puzzle]
    count: MiningCount
    """Of this game, but with the puzzles that were kept before."""
    before: Counter[str]
    """Those."""

    def holds(self, kept: Counter[str]) -> bool:
        """Whether all decisions were the same if these were the puzzles kept before."""
        return all(
            has_room(kept + (seen - self.before), self.count.most_easy) == answer
            for seen, answer in self.count.asked
        )


Mine = Callable[[tuple[NumberedGame, Counter[str]]], MinedGame]


def mine(
    games: Iterator[NumberedGame],
    plan: GamePlan,
    standard: Standard,
    count: MiningCount,
    executor: TaskExecutor,
) -> Iterator[MinedGame]:
    """Yields the games with their puzzles, in order. Adds to ``count``. Raises RuleError."""
    task: Mine = partial(_mined, plan, standard, count.most_easy)
    arguments = ((game, count.kept.copy()) for game in games)
    with closing(in_order(executor, task, arguments, lambda: executor.slots)) as results:
        for result in results:
            mined = result
            if not mined.holds(count.kept):
                mined = executor.submit(task, (mined.game, count.kept.copy())).result()
            count.positions += mined.count.positions
            count.checked += mined.count.checked
            count.held += mined.count.held
            count.kept += mined.count.kept - mined.before
            yield mined


def _mined(
    plan: GamePlan, standard: Standard, most_easy: float, argument: tuple[NumberedGame, Counter[str]]
) -> MinedGame:
    game, kept = argument
    count = MiningCount(most_easy, kept=kept.copy())
    end = played_game(plan, game.number) if game.end is None else game.end
    return MinedGame(game, list(puzzles_in(end, game.number, standard, count)), count, kept)
