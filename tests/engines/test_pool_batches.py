"""Batches of the engine pool: leaves of many searches, its cache, and failures of a model."""

import threading
import time

import numpy as np
import pytest

from engines.inference import Array, ModelError
from engines.pool import EnginePool, Limits
from tests.engines.pools import FIVE, Patterned, board, result, summary
from tests.engines.uniform_model import UniformModel


def test_a_failing_model_only_fails_its_own_searches() -> None:
    class Broken(UniformModel):
        failing = True

        def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
            if self.failing:
                raise RuntimeError("out of memory")
            return super().evaluate(planes, rows)

    model = Broken(FIVE)
    pool = EnginePool(models=[model], threads=1)
    try:
        pool.open("a", board())
        pool.open("b", board(7))
        job = pool.evaluate("a", limits=Limits(20))
        assert result(pool, "b").source == "native"
        with pytest.raises(RuntimeError, match="out of memory"):
            job.future.result(10)
        model.failing = False
        assert result(pool, "a").best_move
    finally:
        pool.stop()


class Watched(UniformModel):
    """Records the sizes of its batches; waits for a start signal."""

    def __init__(self) -> None:
        super().__init__(FIVE)
        self.ready = threading.Event()
        self.seen: list[int] = []

    def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
        self.ready.wait(10)
        self.seen.append(rows)
        return super().evaluate(planes, rows)


def test_a_batch_contains_leaves_of_many_searches() -> None:
    model = Watched()
    pool = EnginePool(models=[model], threads=1, batch_size=64, parallel=4)
    try:
        walls = [action for action in board().legal_actions() if action[0] in "^>"]
        for number in range(16):
            pool.open(str(number), board(5, walls[number]))
        jobs = [pool.evaluate(str(number), limits=Limits(200)) for number in range(16)]
        model.ready.set()
        for job in jobs:
            job.future.result(30)
    finally:
        pool.stop()
    assert 60 <= max(model.seen) <= 64, "sixteen searches with four leaves each fill a batch"


def test_equal_positions_are_evaluated_once(pool: EnginePool) -> None:
    for number in range(20):
        pool.open(str(number), board(5, "Cb4"))
    jobs = [pool.evaluate(str(number), limits=Limits(60)) for number in range(20)]
    for job in jobs:
        job.future.result(30)
    for evaluator in pool.statistics().evaluators:
        if evaluator.cache is not None:
            assert evaluator.rows == evaluator.cache.misses
            assert evaluator.cache.hits > 5 * evaluator.cache.misses
            assert evaluator.cache.size <= evaluator.cache.misses


@pytest.mark.parametrize("cache_size", [0, 3, 100_000])
def test_a_cache_changes_no_evaluation(cache_size: int) -> None:
    def play(size: int) -> list[object]:
        pool = EnginePool(models=[Patterned()], threads=1, cache_size=size)
        try:
            pool.open("a", board())
            found: list[object] = []
            for _ in range(4):
                evaluation = result(pool, "a", 120)
                found.append(summary(evaluation))
                pool.advance("a", evaluation.best_move)
            return found
        finally:
            pool.stop()

    assert play(cache_size) == play(1000)


def test_two_batches_are_in_flight() -> None:
    both = threading.Barrier(2, timeout=60)

    class Paired(Patterned):
        def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
            both.wait()
            return super().evaluate(planes, rows)

    pool = EnginePool(models=[Paired()], threads=1, parallel=1)
    try:
        for name, move in (("a", ">a1"), ("b", ">d5")):
            pool.open(name, board(5, move))
        jobs = [pool.evaluate(name, limits=Limits(200)) for name in "ab"]
        time.sleep(0.2)
        for job in jobs:
            job.future.cancel()
        both.abort()
        assert pool.statistics().simulations > 20, "two batches were evaluated at once"
    finally:
        pool.stop()


def test_nan_fails_only_its_own_evaluation() -> None:
    class Sick(UniformModel):
        sick = True

        def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
            priors, values = super().evaluate(planes, rows)
            return priors, values * np.float32("nan") if self.sick else values

    model = Sick(FIVE)
    pool = EnginePool(models=[model], threads=1)
    try:
        pool.open("a", board())
        with pytest.raises(ModelError, match="model uniform: priors or values are NaN or infinite"):
            result(pool, "a")
        model.sick = False
        assert result(pool, "a").best_move
    finally:
        pool.stop()
