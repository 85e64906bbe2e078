"""Games that an engine plays against itself, for benchmarks of its evaluations. Not a benchmark itself."""

import random
from collections.abc import Iterator
from typing import Final

from engines import Evaluation, Position, Search
from engines.arena import OPENING_PLIES, most_plies
from engines.bots import random_move
from engines.pool.job import Job, Limits, Priority
from engines.pool.lanes import run_alone

EVALUATOR: Final = "native"


def start_of(game: str, variant: str, seed: int, opening: int = OPENING_PLIES) -> Position:
    """The position after ``opening`` random plies; none where the seed hides an order, which differs in every game."""
    position = Position(game, variant, {"seed": seed})
    rng = random.Random(seed)  # noqa: S311 - repeatable
    for _ in range(0 if position.secret else opening):
        position.play("/".join(random_move(position, seat, rng) for seat in position.to_act))
    if not position.to_act:
        raise ValueError(f"{opening} random plies of {game} ended the game")
    return position


def evaluate(search: Search, samples: int) -> Evaluation:
    """Evaluates a search's position as the engine pool does."""
    return run_alone(Job(search, Limits(samples), Priority.BATCH, EVALUATOR))


def play_on(position: Position, samples: int, seed: int) -> Iterator[tuple[Position, Evaluation]]:
    """Plays the best moves to the end; yields each position with its evaluation before its move is played.

    One search is kept from move to move, as for an analysis. The position is always the same object.
    """
    search = Search(position, EVALUATOR, seed=seed)
    most = most_plies(position.game)
    while position.to_act and (most is None or position.ply < most):
        evaluation = evaluate(search, samples)
        yield position, evaluation
        position.play(evaluation.best_move)
        search.advance(position.history[-1])
