"""Networks replaced while sessions are open, and networks that fail for some searches only."""

import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

from engines import Position
from engines.inference import Array, ModelError, Signature
from engines.pool import EnginePool, EvaluatorStatistics, Limits
from tests.engines.uniform_model import UniformModel

FIVE = Signature(planes=9, dim2=5, dim3=5, policy=58)


class Named(UniformModel):
    """A model that counts its calls."""

    def __init__(self, name: str) -> None:
        super().__init__(FIVE)
        self.name = name
        self.calls = 0

    def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
        self.calls += 1
        return super().evaluate(planes, rows)


def board(*moves: str) -> Position:
    position = Position("wallwars", "standard", {"boardWidth": 5, "boardHeight": 5})
    position.play(*moves)
    return position


def source(pool: EnginePool, session: str) -> str:
    return pool.evaluate(session, limits=Limits(20)).future.result(30).source


def eventually(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.005)


def test_open_sessions_keep_their_model_and_new_ones_get_the_new_one() -> None:
    before = threading.active_count()
    old, new = Named("old"), Named("new")
    pool = EnginePool(models=[old], threads=1)
    running = threading.active_count()
    try:
        pool.open("a", board())
        long = pool.evaluate("a", limits=Limits(100_000_000))
        pool.replace_models([new])
        pool.open("b", board())
        assert source(pool, "b") == "new"
        assert not long.future.done()
        long.future.cancel()
        assert source(pool, "a") == "old"
        assert [each.name for each in pool.statistics().evaluators] == ["native", "new", "old"]
        pool.close("a")
        assert [each.name for each in pool.statistics().evaluators] == ["native", "new"]
        eventually(lambda: threading.active_count() == running)
        calls = old.calls
        assert source(pool, "b") == "new"
        assert old.calls == calls
    finally:
        pool.stop()
    assert threading.active_count() == before


def test_counts_of_a_replaced_file_never_decrease() -> None:
    pool = EnginePool(models=[Named("net")], threads=1)

    def counts() -> EvaluatorStatistics:
        (found,) = [each for each in pool.statistics().evaluators if each.name == "net"]
        return found

    try:
        rows = 0
        for number in range(3):
            pool.open("a", board())
            assert source(pool, "a") == "net"
            pool.replace_models([Named("net")])
            pool.close("a")
            found = counts()
            assert found.rows > rows
            assert found.evaluations == number + 1
            assert found.cache is not None
            assert (found.cache.size, found.cache.capacity) == (0, 100_000)
            rows = found.rows
    finally:
        pool.stop()


def test_the_native_evaluator_replaces_removed_networks() -> None:
    pool = EnginePool(models=[Named("net")], threads=1)
    try:
        pool.replace_models([])
        pool.open("a", board())
        assert source(pool, "a") == "native"
    finally:
        pool.stop()


class Picky(UniformModel):
    """Fails for boards with the walls >a5 and ^c3: the rows are NaN, or the whole batch fails."""

    failing = True

    def __init__(self, fails: Callable[[], Array]) -> None:
        super().__init__(FIVE)
        self._fails = fails
        self.ready = threading.Event()
        self.most_rows = 0

    def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
        self.ready.wait(30)
        self.most_rows = max(self.most_rows, rows)
        priors, values = super().evaluate(planes, rows)
        bad = (planes[:rows, 4, 0, 0] == 1) & (planes[:rows, 5, 2, 1] == 1)
        return priors, np.where(bad[:, None], self._fails(), values) if self.failing and bad.any() else values


def nan() -> Array:
    return np.full((1, 1), np.nan, np.float32)


def lost_device() -> Array:
    raise ModelError("model uniform: CUDA failure 46: all CUDA-capable devices are busy or unavailable")


@pytest.mark.parametrize(("fails", "says"), [(nan, "NaN or infinite"), (lost_device, "CUDA failure 46")])
def test_only_the_searches_that_cannot_be_evaluated_fail(fails: Callable[[], Array], says: str) -> None:
    def ask(model: UniformModel, *moves: str) -> list[object]:
        pool = EnginePool(models=[model], threads=1, cache_size=0)
        try:
            for move in moves:
                pool.open(move, board(move))
            jobs = [pool.evaluate(move, limits=Limits(12)) for move in moves]
            if isinstance(model, Picky):
                model.ready.set()
            errors = [job.future.exception(30) for job in jobs]
            if isinstance(model, Picky):
                model.failing = False
                assert source(pool, ">a5.^c3") == "uniform", "the session is still usable"
            return [error or job.future.result().values for job, error in zip(jobs, errors, strict=True)]
        finally:
            pool.stop()

    model = Picky(fails)
    good, bad = [">b1.>d1", ">c2.>d1", ">d3.>d1"], ">a5.^c3"
    results = ask(model, *good, bad)
    assert model.most_rows > 4, "the searches were in one batch"
    assert isinstance(results[-1], ModelError)
    assert says in str(results[-1])
    assert results[:-1] == ask(UniformModel(FIVE), *good)
