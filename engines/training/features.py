"""Positions of self-play as features of an evaluator, with the value that a search found and the result.

A game begins with a few random plies; then a search plays both seats. Every position of it is an example, and so is the
position after one random move, because a search mostly asks for the values of positions that follow bad moves.
``fit_perceptron`` fits an evaluator to the examples. For games of two seats that alternate.
"""

import itertools
import random
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engines import BadConfig, Position, Search, games
from engines.bots import random_move
from engines.executors.executor import LocalExecutor, TaskExecutor, check_wanted, in_order


@dataclass(frozen=True)
class FeatureRunSettings:
    """What is played, and for how long."""

    game: str
    variant: str | None = None
    """Only this variant (default: all of them, mostly the first)."""
    minutes: float = 20
    """Length of the self-play."""
    seed: int = 1
    evaluator: str = "native"
    """The evaluator that plays."""


def variants_of(game: str) -> list[str]:
    """The variants of a game, the default first."""
    return next(row.variants for row in games() if row.name == game)


@dataclass(frozen=True)
class FeatureGames:
    """How games are played. The same settings and seed give the same games."""

    game: str
    variants: Mapping[str, float]
    """How often each variant is played, relative to the others."""
    evaluator: str = "native"
    samples: int = 2000
    """Samples of each search."""
    opening_plies: tuple[int, int] = (2, 8)
    """Minimum and maximum number of random plies at the start."""
    most_plies: int = 160
    """A longer game ends as a draw."""
    asides: float = 1.0
    """Share of the positions for which the position after a random move is an example as well."""


@dataclass
class FeatureExamples:
    """Labelled positions."""

    features: npt.NDArray[np.uint8]
    """Counts; shape ``(examples, 2, features)``: those of the seat to move first."""
    values: npt.NDArray[np.float32]
    """The value that the search found, for the seat to move, in [-1, 1]; ±1 if it is proven."""
    results: npt.NDArray[np.float32]
    """The result of the game for the seat to move: +1, 0 or -1; NaN after a random move, which ended no game."""
    games: npt.NDArray[np.int32]
    """The number of the game, so that positions of one game are not divided between training and validation."""

    def __len__(self) -> int:
        return len(self.values)

    def save(self, path: Path) -> None:
        """Writes a compressed archive of the four arrays."""
        np.savez_compressed(
            path, features=self.features, values=self.values, results=self.results, games=self.games
        )

    @classmethod
    def load(cls, path: Path) -> "FeatureExamples":
        """Reads what ``save`` wrote. Raises OSError, or ValueError if the file has something else."""
        with np.load(path) as arrays:
            missing = {"features", "values", "results", "games"} - set(arrays)
            if missing:
                raise ValueError(f"{path} has no examples: {', '.join(sorted(missing))} missing")
            return cls(arrays["features"], arrays["values"], arrays["results"], arrays["games"])

    @classmethod
    def join(cls, parts: "list[FeatureExamples]") -> "FeatureExamples":
        """All examples of several sets, whose games are numbered anew."""
        games, first = [], 0
        for part in parts:
            numbers, numbered = np.unique(part.games, return_inverse=True)
            games.append(numbered + first)
            first += len(numbers)
        return cls(
            np.concatenate([part.features for part in parts]),
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.results for part in parts]),
            np.concatenate(games).astype(np.int32),
        )


@dataclass
class _Notes:
    """The examples of one game while it is played."""

    features: list[npt.NDArray[np.float32]] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    seats: list[int | None] = field(default_factory=list)
    """The seat to move; None after a random move."""

    def add(self, position: Position, evaluator: str, value: float, seat: int | None) -> None:
        mover = position.to_act[0]
        self.features.append(position.features(evaluator)[[mover, 1 - mover]])
        self.values.append(value)
        self.seats.append(seat)

    def finish(self, result: list[float], number: int) -> FeatureExamples:
        results = [np.nan if seat is None else result[seat] for seat in self.seats]
        return FeatureExamples(
            np.array(self.features).round().astype(np.uint8),
            np.array(self.values, np.float32),
            np.array(results, np.float32),
            np.full(len(self.values), number, np.int32),
        )


def play_games(
    settings: FeatureGames, seed: int, seconds: float, executor: TaskExecutor | None = None
) -> Iterator[FeatureExamples]:
    """Plays games, each with its own generator, and begins no more after so many seconds.

    ``executor``: what plays them, by default one after another; the games are the same.
    """
    deadline = time.monotonic() + seconds
    numbers = itertools.takewhile(lambda _: time.monotonic() < deadline, itertools.count())
    with ExitStack() as stack:
        using = executor or stack.enter_context(LocalExecutor(1))
        games = in_order(using, partial(_numbered_game, settings, seed), numbers, lambda: using.slots)
        yield from (examples for examples in stack.enter_context(closing(games)) if len(examples))


def _numbered_game(settings: FeatureGames, seed: int, number: int) -> FeatureExamples:
    return play_game(settings, random.Random(seed * 1_000_003 + number), number)


def play_game(settings: FeatureGames, rng: random.Random, number: int) -> FeatureExamples:
    """Plays one game and returns its examples. Raises BadConfig for a game of another kind."""
    variant = rng.choices(list(settings.variants), list(settings.variants.values()))[0]
    position = Position(settings.game, variant)
    if position.seats != 2 or len(position.to_act) != 1:
        raise BadConfig(f"{settings.game} is not a game of two seats that alternate")
    for _ in range(rng.randint(*settings.opening_plies)):
        if position.to_act:
            position.play(random_move(position, position.to_act[0], rng))
    search = Search(position, settings.evaluator, {}, rng.getrandbits(60))
    notes = _Notes()
    while position.to_act and position.ply < settings.most_plies:
        check_wanted()
        value, move = _searched(search, position, settings.samples)
        notes.add(position, settings.evaluator, value, position.to_act[0])
        if rng.random() < settings.asides:
            _note_aside(notes, settings, position, rng)
        position.play(move)
        search.advance(move)
    outcome = position.outcome
    return notes.finish(outcome.values if outcome else [0.0, 0.0], number)


def _note_aside(notes: _Notes, settings: FeatureGames, position: Position, rng: random.Random) -> None:
    aside = position.after(random_move(position, position.to_act[0], rng))
    if aside.to_act:
        search = Search(aside, settings.evaluator, {}, rng.getrandbits(60))
        value, _ = _searched(search, aside, settings.samples)
        notes.add(aside, settings.evaluator, value, None)


def _searched(search: Search, position: Position, samples: int) -> tuple[float, str]:
    """The value for the seat to move, and the best move."""
    search.run(max(1, samples - search.visits))
    report = search.report(0)
    return report.values[position.to_act[0]], str(report.best_move)
