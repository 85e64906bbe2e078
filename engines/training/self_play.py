"""Games that a search plays against itself, and the examples taken from them.

Each action is searched from scratch, fully or, for most actions, only briefly: brief searches find out how the game
ends, full ones give examples (*playout cap randomisation*, Wu 2019, "Accelerating Self-Play Learning in Go"). Full
searches have noise at the root, and forced simulations whose traces the core removes from the policy. Actions are drawn
in proportion to their visits at the beginning of a game, and later the best one is played almost always.

Games of one board are played at the same time, so that a network evaluates many of their leaves at once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

import numpy as np

from engines import Layout, Outcome, Position, Search
from engines.bots import random_move
from engines.pool.model_lane import BatchRunner
from engines.training.boards import layout_of
from engines.training.examples import Array, Example


@dataclass(frozen=True)
class SelfPlayOptions:
    """How games are played."""

    visits: int = 600
    """Simulations of a full search, for each action."""
    brief_visits: int = 100
    full_share: float = 0.3
    """The share of moves that are searched fully."""
    drawn_plies: int = 16
    """For so many plies, actions are drawn in proportion to their visits."""
    late_temperature: float = 0.2
    """Temperature of the drawing after that; low, so that games are decided by good play."""
    random_share: float = 0.3
    """The share of games that begin with random moves, 1 to ``random_plies`` of them."""
    random_plies: int = 6
    noise_fraction: float = 0.25
    """Noise and forced simulations at the root of full searches; the options of the same names of PUCT and MCGS."""
    noise_alpha: float = 0.15
    forced_playouts: float = 2.0
    most_plies: int = 600
    """Longer games are dropped."""


class Engine(Protocol):
    """Runs searches of one board."""

    evaluator: str
    """The evaluator that searches are opened with."""

    def run(self, searches: list[Search], wanted: list[int]) -> list[int]:
        """Advances each search by up to so many simulations; returns the numbers done."""


class NativeEngine:
    """Searches with a native evaluator, one after the other."""

    def __init__(self, evaluator: str = "native") -> None:
        self.evaluator = evaluator

    def run(self, searches: list[Search], wanted: list[int]) -> list[int]:
        """See :class:`Engine`."""
        return [search.run(each) for search, each in zip(searches, wanted, strict=True)]


class BatchedEngine:
    """Searches whose leaves a network evaluates together."""

    evaluator = "planes"

    def __init__(self, runner: BatchRunner) -> None:
        self._runner = runner

    def run(self, searches: list[Search], wanted: list[int]) -> list[int]:
        """See :class:`Engine`."""
        return self._runner.evaluate(self._runner.gather(searches, wanted))


@dataclass
class _Noted:
    """An example whose game is not over yet."""

    planes: Array
    policy: Array
    values: list[float]
    """Per seat, in the unit of the game's networks."""
    seats: list[int]
    """The seats whose values a network tells."""
    scores: list[float]
    """The points so far; empty if networks tell the result."""
    unit: float
    """What a value of 1 is worth in points."""

    def result(self, outcome: Outcome) -> list[float]:
        """How the game ended for each seat, in the unit of the game's networks."""
        if not self.scores or outcome.scores is None:
            return list(outcome.values)
        return [(end - now) / self.unit for end, now in zip(outcome.scores, self.scores, strict=True)]


@dataclass
class _SelfPlayGame:
    """A game in progress."""

    position: Position
    layout: Layout
    play: SelfPlayOptions
    evaluator: str
    random: Random
    noted: list[_Noted] = field(default_factory=list)
    search: Search = field(init=False)
    is_full: bool = field(init=False)

    def __post_init__(self) -> None:
        if self.random.random() < self.play.random_share:
            for _ in range(self.random.randint(1, self.play.random_plies)):
                if self.position.outcome is None:
                    self.position.play(self._random_move())
        if self.position.outcome is None:
            self._open()

    @property
    def is_over(self) -> bool:
        return self.position.outcome is not None or self.position.ply >= self.play.most_plies

    @property
    def wanted(self) -> int:
        """Simulations that the current action still needs."""
        visits = self.play.visits if self.is_full else self.play.brief_visits
        return max(0, visits - self.search.focus_visits)

    def go_on(self, ran: int) -> None:
        """Ends the search of the current action if it is complete, and plays the move after its last action."""
        if self.wanted > 0 and ran > 0:
            return
        if self.is_full:
            self._note()
        if self.search.focus():
            return
        best_move = self.search.report(0).best_move
        if best_move is None:
            raise ValueError(f"the search found no move after {self.position.history}")
        self.position.play(best_move)
        if not self.is_over:
            self._open()

    def examples(self) -> Iterator[Example]:
        """The examples of the finished game; none if it became too long."""
        outcome = self.position.outcome
        if outcome is None:
            return
        for each in self.noted:
            searched, result = np.array(each.values, np.float32), np.array(each.result(outcome), np.float32)
            yield Example(each.planes, each.policy, searched[each.seats], result[each.seats])

    def _random_move(self) -> str:
        """A random move of every seat to act."""
        return "/".join(random_move(self.position, seat, self.random) for seat in self.position.to_act)

    def _open(self) -> None:
        """Opens the search of the next move."""
        self.is_full = self.random.random() < self.play.full_share
        is_drawn = self.position.ply < self.play.drawn_plies
        options: dict[str, Any] = {"temperature": 1.0 if is_drawn else self.play.late_temperature}
        if self.is_full:
            options |= {
                "noiseFraction": self.play.noise_fraction,
                "noiseAlpha": self.play.noise_alpha,
                "forcedPlayouts": self.play.forced_playouts,
            }
        self.search = Search(self.position, self.evaluator, options, self.random.getrandbits(63))

    def _note(self) -> None:
        """Keeps what the search of the current action found."""
        shape = self.layout
        planes = np.empty((shape.planes, shape.dim2, shape.dim3), np.float32)
        policy = np.empty(shape.policy, np.float32)
        values = self.search.example(shape.values, planes, policy)
        if values is None:
            return
        position = self.position
        seats = list(range(position.seats)) if shape.values > 1 else position.to_act[:1]
        scores = position.scores if position.points_unit is not None else None
        noted = planes.astype(np.float16), policy.astype(np.float16)
        self.noted.append(_Noted(*noted, values, seats, scores or [], position.points_unit or 1.0))


class SelfPlay:
    """Games on one board, several at a time: whenever one ends, another one begins."""

    def __init__(
        self, start: Callable[[int], Position], play: SelfPlayOptions, seed: int, together: int
    ) -> None:
        """``start`` returns the start position for a seed; all have the same board size."""
        self._start = start
        self._play = play
        self._random = Random(seed)
        self._together = together
        self._games: list[_SelfPlayGame] = []

    def step(self, engine: Engine) -> list[list[Example]]:
        """Advances every game by a batch of simulations; returns the examples of each game that ended.

        Deterministic for a seed, if the engine is. Engines may change between steps, but not between a native one and
        networks.
        """
        while len(self._games) < self._together:
            self._games.append(self._begin(engine))
        running = [game for game in self._games if not game.is_over]
        ran = engine.run([game.search for game in running], [game.wanted for game in running])
        for game, done in zip(running, ran, strict=True):
            game.go_on(done)
        ended = [game for game in self._games if game.is_over]
        self._games = [game for game in self._games if not game.is_over]
        return [list(game.examples()) for game in ended]

    def _begin(self, engine: Engine) -> _SelfPlayGame:
        position = self._start(self._random.getrandbits(63))
        return _SelfPlayGame(
            position, layout_of(position), self._play, engine.evaluator, Random(self._random.getrandbits(63))
        )
