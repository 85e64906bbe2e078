"""Fits the weights of a native evaluator to games of self-play, by least squares.

The target of a position is a mixture of the value that a search found and the result of the game. The method is that
of Levenberg and Marquardt (Marquardt 1963, "An Algorithm for Least-Squares Estimation of Nonlinear Parameters"), with
differences for derivatives: all it needs of an evaluator is its values with other weights. For games of two seats.
"""

import itertools
import random
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engines import Position, Search, known_members
from engines.bots import random_move
from engines.executors.executor import LocalExecutor, TaskExecutor, check_wanted, in_order
from engines.training.features import FeatureRunSettings

Weights = dict[str, float]
Floats = npt.NDArray[np.float64]

VALUE_SHARE = 0.7
"""The share of the search's value in the target; the rest is the result."""

HELD_BACK = 10
"""One game in so many is not learnt from."""

STEP = 0.02
"""By how much a weight is changed for its derivatives, as a part of its size."""

SMALLEST = 0.1
"""The size of weights that are smaller."""

PULL = 1e-4
"""What a change of a weight by its size costs, as a mean squared error."""

SCALE = "scale"
"""How the names of weights end that others are divided by."""

MOST_STEPS = 20
LARGEST_DAMPING = 1e6

ENOUGH = 1e-5
"""A step that removes less of the error than this part of it is the last."""

LARGEST = 1000.0
"""Evaluators refuse larger weights."""

PLACES = 3
"""Decimal places of the fitted weights."""


@dataclass(frozen=True)
class WeightedGames:
    """How games are played."""

    game: str
    variant: str | None = None
    evaluator: str = "native"
    samples: int = 200
    """Samples of each move's search."""
    opening_plies: int = 4
    positions: int = 20
    """Positions of a game that are learnt from, drawn at random."""


@dataclass(frozen=True)
class Labelled:
    """A position, and what it is worth to seat 0 in [-1, 1]."""

    position: Position
    searched: float
    """The value that the search found."""
    result: float
    """How the game ended."""


def play(
    games: WeightedGames, seed: int, seconds: float, executor: TaskExecutor | None = None
) -> list[list[Labelled]]:
    """The labelled positions of each game: begins games for so many seconds, and at least ``HELD_BACK``.

    ``executor``: what plays them, by default one after another; the games are the same.
    """
    ends = time.monotonic() + seconds
    numbers = itertools.takewhile(
        lambda number: number < HELD_BACK or time.monotonic() < ends, itertools.count()
    )
    with ExitStack() as stack:
        using = executor or stack.enter_context(LocalExecutor(1))
        played = in_order(using, partial(_numbered_game, games, seed), numbers, lambda: using.slots)
        return list(stack.enter_context(closing(played)))


def _numbered_game(games: WeightedGames, seed: int, number: int) -> list[Labelled]:
    return play_game(games, random.Random(f"{seed}/{number}"))


def play_game(games: WeightedGames, rng: random.Random) -> list[Labelled]:
    """Plays one game."""
    position = Position(games.game, games.variant, known_members(games.game, {"seed": rng.getrandbits(32)}))
    for _ in range(games.opening_plies):
        position.play(random_move(position, position.to_act[0], rng))
    passed: list[tuple[Position, float]] = []
    search = Search(position, games.evaluator, {}, rng.getrandbits(60))
    while (outcome := position.outcome) is None:
        check_wanted()
        search.run(max(1, games.samples - search.visits))
        report = search.report(0)
        passed.append((position.copy(), report.values[0]))
        position.play(str(report.best_move))
        search.advance(position.history[-1])
    drawn = rng.sample(passed, min(games.positions, len(passed)))
    return [Labelled(each, value, outcome.values[0]) for each, value in drawn]


def fit(evaluator: str, examples: Sequence[Labelled], value_share: float = VALUE_SHARE) -> Weights:
    """The weights with the least mean squared error; those that the examples say nothing about stay as they are.

    So do the scales: a change of all weights would do the same.
    """
    weights = dict(examples[0].position.weights(evaluator))
    before = _fitted(weights)
    start = np.array(list(before.values()))
    units = np.maximum(np.abs(start), SMALLEST)
    targets = np.array([value_share * one.searched + (1 - value_share) * one.result for one in examples])
    pull = np.sqrt(PULL * len(examples))

    def errors(changes: Floats) -> Floats:
        """Of the values, then of the weights, which are drawn to where they were."""
        numbers = np.clip(start + units * changes, -LARGEST, LARGEST)
        text = written(evaluator, dict(zip(before, numbers, strict=True)))
        values = np.array([one.position.value(text)[0] for one in examples])
        return np.concatenate([targets - values, -pull * changes])

    changes, damping = np.zeros_like(start), 1e-3
    left = errors(changes)
    for _ in range(MOST_STEPS):
        slopes = _slopes(errors, changes)
        square, gradient = slopes.T @ slopes, slopes.T @ left
        tried, left_then = changes, left
        while damping < LARGEST_DAMPING:
            tried = changes - np.linalg.solve(square + damping * np.diag(np.diag(square)), gradient)
            left_then = errors(tried)
            if left_then @ left_then < left @ left:
                break
            damping *= 4
        gained = left @ left - left_then @ left_then
        changes, left, damping = tried, left_then, damping / 8
        if gained < ENOUGH * (left @ left):
            break
    fitted = np.clip(start + units * changes, -LARGEST, LARGEST).round(PLACES).tolist()
    return weights | dict(zip(before, fitted, strict=True))


def _fitted(weights: Weights) -> Weights:
    """The weights that are fitted."""
    return {name: number for name, number in weights.items() if not name.endswith(SCALE)}


def _slopes(errors: Callable[[Floats], Floats], at: Floats) -> Floats:
    """The derivatives of the errors, one column for each weight."""
    steps = np.eye(len(at)) * STEP
    return np.stack([(errors(at + step) - errors(at - step)) / (2 * STEP) for step in steps], 1)


def written(evaluator: str, weights: Mapping[str, float]) -> str:
    """The evaluator with these weights, as searches take it."""
    return "/".join([evaluator, *(f"{name}={number:.6g}" for name, number in weights.items())])


def run(
    settings: FeatureRunSettings,
    folder: Path,
    say: Callable[[str], None],
    executor: TaskExecutor | None = None,
) -> str:
    """Plays and fits; writes ``evaluator.txt``, the evaluator with its weights, and returns that.

    ``executor``: what plays, by default one game after another.
    Raises ValueError if the evaluator has no weights.
    """
    if not _fitted(dict(Position(settings.game, settings.variant).weights(settings.evaluator))):
        raise ValueError(f"the evaluator '{settings.evaluator}' has no weights to fit")
    folder.mkdir(parents=True, exist_ok=True)
    games = play(
        WeightedGames(settings.game, settings.variant, settings.evaluator),
        settings.seed,
        settings.minutes * 60,
        executor,
    )
    tested = [each for game in games[::HELD_BACK] for each in game]
    learnt = [each for number, game in enumerate(games) if number % HELD_BACK for each in game]
    name = settings.evaluator.split("/")[0]
    fitted = written(name, fit(settings.evaluator, learnt, VALUE_SHARE))
    say(f"{len(games)} games, {len(learnt)} positions, and {len(tested)} of other games")
    for evaluator in (settings.evaluator, fitted):
        searched, result = mean_squared_errors(evaluator, tested)
        say(f"errors: {searched:.4f} of values, {result:.4f} of results: {evaluator}")
    (folder / "evaluator.txt").write_text(fitted + "\n")
    return fitted


def mean_squared_errors(evaluator: str, examples: Sequence[Labelled]) -> tuple[float, float]:
    """The errors of an evaluator's values: against those that the search found, and against the results."""
    rows = [(one.position.value(evaluator)[0], one.searched, one.result) for one in examples]
    values, searched, results = np.array(rows).T
    return float(np.mean((values - searched) ** 2)), float(np.mean((values - results) ** 2))
