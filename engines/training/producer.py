"""Produces examples: self-play on all boards of a run, in several threads, for some time.

``ray_self_play.py`` does the same on a cluster.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Protocol

from engines.training.boards import TrainingBoard
from engines.training.examples import Examples
from engines.training.self_play import SelfPlay, SelfPlayOptions
from engines.training.self_play_engines import Engines

SLICE_SECONDS = 2.0
"""How long a thread stays with one board."""


@dataclass(frozen=True)
class EndedGame:
    """A game that has ended. ``board``: its index among those of the run."""

    board: int
    examples: Examples | None
    """None: it has none, or became too long."""


class SelfPlayer:
    """The games in progress of one thread or process, on all boards."""

    def __init__(
        self, boards: Sequence[TrainingBoard], play: SelfPlayOptions, seed: str, together: int
    ) -> None:
        """``together``: games that are played at the same time on each board."""
        self._random = Random(seed)
        self._weights = [board.weight for board in boards]
        self._boards = boards
        self._tables = [
            SelfPlay(board.start, play, self._random.getrandbits(63), together) for board in boards
        ]
        self._number = 0
        self._leaves_at = 0.0
        """When the next board is drawn."""

    def step(self, engines: Engines) -> list[EndedGame]:
        """Advances all games of a board by a batch of simulations; returns those that ended."""
        if time.monotonic() >= self._leaves_at:
            (self._number,) = self._random.choices(range(len(self._boards)), self._weights)
            self._leaves_at = time.monotonic() + SLICE_SECONDS
        engine = engines(self._boards[self._number])
        return [
            EndedGame(self._number, Examples.of(examples) if examples else None)
            for examples in self._tables[self._number].step(engine)
        ]


class ExampleProducer(Protocol):
    """Self-play games in progress; they go on from one call of ``produce`` to the next."""

    def produce(
        self,
        engines: Callable[[], Engines],
        seconds: float,
        watch: Callable[[float], None] = lambda done: None,
        games: int | None = None,
    ) -> tuple[int, list[Examples]]:
        """Plays for so long; returns the number of games that ended and their examples by board.

        ``engines`` is called once in each thread or process. ``watch`` is called with the share of the time that is
        over. ``games``: instead of a time, how many of its games have ended when a thread or process stops.
        """


class Producer:
    """Plays in threads of this process (implements ``ExampleProducer``)."""

    def __init__(
        self, boards: Sequence[TrainingBoard], play: SelfPlayOptions, seed: int, threads: int, together: int
    ) -> None:
        """``together``: games that a thread plays at the same time on each board."""
        self._boards = boards
        self._players = [
            SelfPlayer(boards, play, player_seed(seed, thread), together) for thread in range(threads)
        ]

    def produce(
        self,
        engines: Callable[[], Engines],
        seconds: float,
        watch: Callable[[float], None] = lambda done: None,
        games: int | None = None,
    ) -> tuple[int, list[Examples]]:
        """See ``ExampleProducer``."""
        began = time.monotonic()

        def work(player: SelfPlayer) -> list[EndedGame]:
            ended: list[EndedGame] = []
            mine = engines()
            while (share := _done(time.monotonic() - began, seconds, len(ended), games)) < 1:
                watch(share)
                ended += player.step(mine)
            return ended

        with ThreadPoolExecutor(len(self._players)) as executor:
            ended = list(executor.map(work, self._players))
        return examples_of(ended, len(self._boards))


def _done(passed: float, seconds: float, ended: int, games: int | None) -> float:
    """Which share of its time, or of its games, a thread has had."""
    return passed / seconds if games is None else ended / games


def player_seed(seed: int, number: int) -> str:
    """The seed of one of the threads or processes of a run."""
    return f"{seed} {number}"


def examples_of(ended: Sequence[Sequence[EndedGame]], boards: int) -> tuple[int, list[Examples]]:
    """The number of games, and their examples by board. ``ended``: the games of each thread or process."""
    by_board: list[list[Examples]] = [[] for _ in range(boards)]
    for games in ended:
        for game in games:
            if game.examples is not None:
                by_board[game.board].append(game.examples)
    return sum(map(len, ended)), [Examples.joined(parts) for parts in by_board if parts]
