"""Produces examples: self-play on all boards of a run, in several threads, for some time."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random

from engines.training.boards import TrainingBoard
from engines.training.examples import Example, Examples
from engines.training.self_play import Engine, SelfPlay, SelfPlayOptions

SLICE_SECONDS = 2.0
"""How long a thread stays with one board."""

Engines = Callable[[TrainingBoard], Engine]


class Producer:
    """Self-play games in progress; they go on from one call of ``produce`` to the next."""

    def __init__(
        self, boards: Sequence[TrainingBoard], play: SelfPlayOptions, seed: int, threads: int, together: int
    ) -> None:
        """``together``: games that a thread plays at the same time on each board."""
        self.play = play
        self._boards = boards
        self._random = [Random(f"{seed} {thread}") for thread in range(threads)]
        self._tables = [
            [SelfPlay(board.start, play, random.getrandbits(63), together) for board in boards]
            for random in self._random
        ]

    def produce(
        self,
        engines: Callable[[], Engines],
        seconds: float,
        watch: Callable[[float], None] = lambda done: None,
    ) -> tuple[int, list[Examples]]:
        """Plays for so long; returns the number of games that ended and their examples by board.

        ``engines`` is called once in each thread. The threads call ``watch`` with the share of the time that is over.
        """
        began = time.monotonic()

        def work(thread: int) -> list[tuple[int, list[Example]]]:
            ended: list[tuple[int, list[Example]]] = []
            mine = engines()
            while (passed := time.monotonic() - began) < seconds:
                watch(passed / seconds)
                ended += self._play_slice(thread, mine, min(SLICE_SECONDS, seconds - passed))
            return ended

        with ThreadPoolExecutor(len(self._tables)) as executor:
            ended = [game for games in executor.map(work, range(len(self._tables))) for game in games]
        by_board: list[list[Example]] = [[] for _ in self._boards]
        for board, examples in ended:
            by_board[board] += examples
        return len(ended), [Examples.of(each) for each in by_board if each]

    def _play_slice(self, thread: int, engines: Engines, seconds: float) -> list[tuple[int, list[Example]]]:
        """Plays on one board for so long; the games that ended, each with the index of the board."""
        weights = [board.weight for board in self._boards]
        (number,) = self._random[thread].choices(range(len(self._boards)), weights)
        engine = engines(self._boards[number])
        ended: list[tuple[int, list[Example]]] = []
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            ended += ((number, examples) for examples in self._tables[thread][number].step(engine))
        return ended
