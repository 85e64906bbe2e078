"""Models, positions and results for the tests of the engine pool."""

import numpy as np

from engines import Evaluation, Position
from engines.inference import Array, Signature
from engines.pool import EnginePool, Limits
from tests.engines.uniform_model import UniformModel

FIVE = Signature(planes=9, dim2=5, dim3=5, policy=58)


class Patterned(UniformModel):
    """A model whose outputs depend on each row alone."""

    name = "patterned"
    workers = 2

    def __init__(self) -> None:
        super().__init__(FIVE)

    def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
        weights = np.sin(np.arange(225, dtype=np.float32))
        # Row by row: matrix products round differently for different batch sizes.
        sums = np.array([row.ravel() @ weights for row in planes[:rows]], np.float32)
        priors = 0.5 + 0.5 * np.sin(sums[:, None] + np.arange(58, dtype=np.float32))
        return priors.astype(np.float32), np.tanh(sums[:, None]).astype(np.float32)


def board(size: int = 5, *moves: str) -> Position:
    position = Position("wallwars", "standard", {"boardWidth": size, "boardHeight": size})
    position.play(*moves)
    return position


def summary(evaluation: Evaluation) -> tuple[object, ...]:
    lines = [(line.move, line.visits, line.value) for line in evaluation.lines]
    return evaluation.best_move, evaluation.values, evaluation.samples, lines


def result(pool: EnginePool, session: str, samples: int = 60) -> Evaluation:
    return pool.evaluate(session, limits=Limits(samples), lines=3).future.result(30)
