"""Games that an engine plays against itself, for benchmarks of its evaluations. Not a benchmark itself."""

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from engines import Evaluation, Position, Search, known_members
from engines.arena import OPENING_PLIES, most_plies
from engines.bots import batch_runner, random_move
from engines.inference import Model
from engines.pool.job import Job, Limits, Priority
from engines.pool.lanes import run_alone, run_in_core

EVALUATOR: Final = "native"

NewSearch = Callable[[Position, int, Mapping[str, Any]], Search]
"""Makes a search of a position with a seed and options."""

Run = Callable[[Search, int], int]
"""Runs some of the wanted simulations of a search, and returns how many."""


def start_of(game: str, variant: str, seed: int, opening: int = OPENING_PLIES, *, seats: int = 2) -> Position:
    """The position after ``opening`` random plies; none where the seed hides an order, which differs in every game."""
    position = Position(game, variant, known_members(game, {"seed": seed, "seats": seats}))
    rng = random.Random(seed)  # noqa: S311 - repeatable
    for _ in range(0 if position.secret else opening):
        position.play("/".join(random_move(position, seat, rng) for seat in position.to_act))
    if not position.to_act:
        raise ValueError(f"{opening} random plies of {game} ended the game")
    return position


def evaluate(search: Search, samples: int, run: Run = run_in_core) -> Evaluation:
    """Evaluates a search's position as the engine pool does."""
    return run_alone(Job(search, Limits(samples), Priority.BATCH, EVALUATOR), run)


def searcher(position: Position, model: Model | None) -> tuple[NewSearch, Run]:
    """What makes searches of positions of this game, and what runs them; with a network, in one thread."""
    if model is None:
        return lambda at, seed, options: Search(at, EVALUATOR, options, seed), run_in_core
    return lambda at, seed, options: Search(at, "planes", options, seed), batch_runner(model, position).run


def fits(model: Model | None, game: str, variant: str) -> bool:
    """Whether a network evaluates the game on its usual board, or there is none."""
    return model is None or model.signature.refusal(Position(game, variant)) is None


def play_on(
    position: Position, samples: int, seed: int, model: Model | None = None
) -> Iterator[tuple[Position, Evaluation]]:
    """Plays the best moves to the end; yields each position with its evaluation before its move is played.

    One search is kept from move to move, as for an analysis, with the native evaluator unless a model is given. The
    position is always the same object.
    """
    new_search, run = searcher(position, model)
    search = new_search(position, seed, {})
    most = most_plies(position.game)
    while position.to_act and (most is None or position.ply < most):
        evaluation = evaluate(search, samples, run)
        yield position, evaluation
        position.play(evaluation.best_move)
        search.advance(position.history[-1])
