"""The engine pool: admission, priorities, cancellation, and independence of sessions."""

import gc
import threading
import time
import weakref
from collections.abc import Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest

from engines import Evaluation, Position, Search
from engines.inference import Array, Model, ModelError, Signature
from engines.pool import EnginePool, Job, Limits, PoolFull, Priority, SessionBusy, UnknownSession
from engines.pool.job import Pondering
from engines.pool.lanes import Inbox
from engines.pool.queue import AGING, JobQueue
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


@pytest.fixture(params=["native", "uniform", "patterned"])
def pool(request: pytest.FixtureRequest) -> Iterator[EnginePool]:
    choices: dict[str, list[Model]] = {
        "native": [],
        "uniform": [UniformModel(FIVE)],
        "patterned": [Patterned()],
    }
    pool = EnginePool(models=choices[request.param], threads=2, batch_size=32)
    yield pool
    pool.stop()


def test_exactly_256_sessions_at_once(pool: EnginePool) -> None:
    for number in range(256):
        pool.open(str(number), board())
    with pytest.raises(PoolFull, match=r"Maximum session limit reached \(256\)"):
        pool.open("256", board())
    jobs = [pool.evaluate(str(number), limits=Limits(20)) for number in range(256)]
    best = {job.future.result(60).best_move for job in jobs}
    assert len(best) == 1, "equal positions get equal moves"
    pool.close("7")
    pool.open("256", board())


def test_a_session_plays_the_same_with_other_sessions(pool: EnginePool) -> None:
    pool.open("alone", board(5, "Cb4"))
    alone = summary(result(pool, "alone"))
    for number in range(20):
        pool.open(str(number), board(5, "Cb4"))
    jobs = [pool.evaluate(str(number), limits=Limits(60), lines=3) for number in range(20)]
    assert {str(summary(job.future.result(30))) for job in jobs} == {str(alone)}


def test_evaluations_do_not_depend_on_what_is_hidden() -> None:
    position = Position("carcassonne", "standard", {"seed": 3})
    pool = EnginePool()
    evaluations = []
    for deal in range(3):
        position.redeal(0, deal)
        pool.open("g", position)
        evaluations.append(summary(result(pool, "g")))
        pool.close("g")
    pool.stop()
    assert evaluations[0] == evaluations[1] == evaluations[2]


def test_the_tree_is_kept_between_moves_and_evaluations(pool: EnginePool) -> None:
    pool.open("a", board())
    first = result(pool, "a")
    assert first.inherited <= 1
    assert first.samples >= 60
    second = result(pool, "a")
    assert second.inherited == first.samples
    pool.advance("a", second.best_move)
    third = result(pool, "a")
    assert 0 < third.inherited < second.samples
    assert third.samples >= third.inherited + 60
    with pytest.raises(ValueError, match="occupied"):
        pool.advance("a", ">a1.>a1")
    assert result(pool, "a").inherited == third.samples, "a refused move changes nothing"


def test_the_value_of_a_finished_game_is_its_result(pool: EnginePool) -> None:
    position = Position("wallwars", "standard", {"boardWidth": 3, "boardHeight": 3})
    position.play("Cb2", "---", "Cc1")
    pool.open("over", position)
    over = result(pool, "over")
    assert (over.best_move, over.values) == ("", (1.0, -1.0))


def test_cancelling_stops_soon_and_keeps_the_session_usable(pool: EnginePool) -> None:
    pool.open("a", board())
    job = pool.evaluate("a", limits=Limits(100_000_000))
    with pytest.raises(SessionBusy):
        pool.evaluate("a")
    with pytest.raises(SessionBusy):
        pool.advance("a", "Cb4")
    assert job.future.cancel()
    with pytest.raises(CancelledError):
        job.future.result()
    pool.advance("a", "Cb4")
    assert result(pool, "a").best_move


def test_closing_a_session_cancels_its_work(pool: EnginePool) -> None:
    pool.open("a", board())
    job = pool.evaluate("a", limits=Limits(100_000_000))
    pool.close("a")
    assert job.future.cancelled()
    with pytest.raises(UnknownSession):
        pool.evaluate("a")


def test_a_time_limit_alone_ends_an_evaluation(pool: EnginePool) -> None:
    pool.open("a", board())
    evaluation = pool.evaluate("a", limits=Limits(None, 30)).future.result(10)
    assert evaluation.best_move
    assert evaluation.samples > 1


def test_the_most_time_ends_an_evaluation_with_other_limits(pool: EnginePool) -> None:
    pool.open("a", board())
    assert pool.evaluate("a", limits=Limits(100_000_000), most_ms=30).future.result(60).best_move
    assert Limits(5, 20).within(30) == Limits(5, 20)
    assert Limits(5, 40).within(30) == Limits(5).within(30) == Limits(5, 30)
    assert Limits(5).within(None) == Limits(5)


@pytest.mark.parametrize("models", [[], [UniformModel(FIVE)]])
def test_a_search_ends_when_its_memory_is_used_up(models: list[Model]) -> None:
    limit = 2 << 20
    pool = EnginePool(models=models, threads=2, session_bytes=limit)
    try:
        pool.open("s", board(5))
        for _ in range(3):
            job = pool.evaluate("s", limits=Limits(10_000_000))
            evaluation = job.future.result(60)
            assert evaluation.is_cut
            assert 100 < evaluation.samples < 100_000
            assert job.search.bytes < 1.5 * limit
            pool.advance("s", evaluation.best_move)
        assert not result(pool, "s", samples=10).is_cut
    finally:
        pool.stop()


def test_the_memory_of_an_evaluation_is_estimated(pool: EnginePool) -> None:
    assert pool.bytes_for(board(5), 2000) > 1.5 * pool.bytes_for(board(5), 1000)
    assert pool.bytes_for(board(5), 1000) > pool.bytes_for(board(3), 1000)


def test_stopping_cancels_remaining_jobs() -> None:
    pool = EnginePool(threads=1)
    pool.open("a", board())
    pool.open("b", board())
    jobs = [pool.evaluate(name, limits=Limits(100_000_000)) for name in "ab"]
    pool.stop()
    assert all(job.future.cancelled() for job in jobs)


def test_the_smallest_model_that_fits_is_used_and_named() -> None:
    eight = UniformModel(Signature(planes=9, dim2=8, dim3=8, policy=136))
    eight.name = "eight"
    pool = EnginePool(models=[eight, UniformModel(FIVE)], threads=1)
    try:
        for size, source in ((4, "uniform"), (5, "uniform"), (6, "eight"), (8, "eight"), (9, "native")):
            pool.open(str(size), board(size))
            assert result(pool, str(size), 10).source == source
    finally:
        pool.stop()


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


def test_a_panic_of_the_core_ends_the_search_but_no_worker() -> None:
    class Panicking:
        """A search that fails like a panicking core: with a BaseException."""

        visits = 0
        bytes = 0

        def unfocus(self) -> None:
            """Does nothing: no action is fixed."""

        def run(self, simulations: int, milliseconds: int) -> int:
            raise BaseException("panicked")

    pool = EnginePool(threads=1)
    try:
        pool.open("a", board())
        lane = pool._native  # there is no public access to the lane
        broken = Job(Panicking(), Limits(5), Priority.BOT_MOVE, "native")  # type: ignore[arg-type] # a made-up search
        lane.submit(broken)
        with pytest.raises(BaseException, match="panicked"):
            broken.future.result(10)
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


def test_statistics_count_finished_work(pool: EnginePool) -> None:
    assert pool.statistics().simulations == 0
    for name in "ab":
        pool.open(name, board())
    results = [result(pool, name, 50) for name in "ab"]
    seen = pool.statistics()
    assert (seen.sessions, seen.capacity, seen.evaluations) == (2, 256, 2)
    assert seen.simulations >= sum(each.samples - each.inherited for each in results) >= 100
    assert set(seen.waiting) == set(Priority)
    assert not any(seen.waiting.values())
    busy = next(each for each in seen.evaluators if each.name == results[0].source)
    assert busy.evaluations == 2
    assert busy.batches > 0
    assert busy.rows > 0


def test_statistics_count_waiting_jobs() -> None:
    release = threading.Event()

    class Slow(UniformModel):
        def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
            release.wait(10)
            return super().evaluate(planes, rows)

    pool = EnginePool(models=[Slow(FIVE)], threads=1, batch_size=4, parallel=4)
    try:
        for name in "abc":
            pool.open(name, board())
        jobs = [
            pool.evaluate("a", priority=Priority.BOT_MOVE),
            pool.evaluate("b", priority=Priority.BATCH),
            pool.evaluate("c", priority=Priority.BATCH),
        ]
        waiting = pool.statistics().waiting
        assert waiting[Priority.BATCH] >= 1
        for job in jobs:
            job.future.cancel()
        release.set()
    finally:
        pool.stop()


def test_a_thread_that_leaves_jobs_wakes_another_thread() -> None:
    inbox = Inbox(threads=2)
    jobs = [Job(Search(board()), Limits(1), Priority.BATCH, "native") for _ in range(2)]
    with ThreadPoolExecutor(1) as executor:
        other = executor.submit(inbox.take, 1)
        time.sleep(0.05)  # until it waits
        mine = inbox.exchange(0, jobs, 1)
        try:
            assert {*mine, *other.result(10)} == set(jobs)
        finally:
            inbox.stop()


def test_a_thread_keeps_its_jobs_while_no_others_wait() -> None:
    inbox = Inbox(threads=2)
    jobs = [Job(Search(board()), Limits(1), Priority.BATCH, "native") for _ in range(4)]
    a, b, c, d = jobs
    inbox.put(a)
    assert inbox.take(8) == [a]
    assert inbox.exchange(1, [a], 8) == [a]
    inbox.put(b)
    assert inbox.exchange(1, [a], 8) == [b], "others come first"
    assert inbox.take(8) == [a]
    a.future.cancel()
    assert inbox.exchange(1, [a], 8) == []
    for job in (c, d):
        inbox.put(job)
    assert inbox.exchange(1, [b], 8) == [c, d], "half of the jobs"
    inbox.stop()
    assert inbox.exchange(2, [c, d], 8) == []
    assert c.future.cancelled()
    assert d.future.cancelled()


def test_urgent_work_comes_first_and_nothing_starves() -> None:
    queue = JobQueue()
    search = Search(board())
    patient = Job(search, Limits(1), Priority.BATCH, "native")
    queue.push(patient)
    taken = []
    for _ in range(2 * AGING):
        queue.push(Job(search, Limits(1), Priority.BOT_MOVE, "native"))
        taken += queue.take(1)
    assert taken[0] is not patient
    assert patient in taken


def test_jobs_taken_together_have_one_shape_and_each_shape_gets_its_turn() -> None:
    queue = JobQueue()
    search = Search(board())
    eight = Signature(planes=9, dim2=8, dim3=8, policy=136)
    shapes = [FIVE, FIVE, eight, FIVE]
    for shape, priority in product(shapes, (Priority.BOT_MOVE, Priority.BATCH)):
        queue.push(Job(search, Limits(1), priority, "net", shape))
    taken = [queue.take(4) for _ in range(3)]
    assert [{job.shape for job in jobs} for jobs in taken] == [{FIVE}, {eight}, {FIVE}]
    assert [len(jobs) for jobs in taken] == [4, 2, 2]
    assert [job.priority for job in taken[0]] == [Priority.BOT_MOVE] * 3 + [Priority.BATCH]
    assert len(queue) == 0
    for _ in range(AGING):
        queue.push(Job(search, Limits(1), Priority.BOT_MOVE, "net", FIVE))
    queue.push(Job(search, Limits(1), Priority.BATCH, "net", eight))
    turns = []
    for _ in range(2 * AGING):
        turns.append(queue.take(1)[0])
        queue.push(Job(search, Limits(1), Priority.BOT_MOVE, "net", FIVE))
    assert eight in {job.shape for job in turns}, "no shape starves"


def test_pondering_waits_for_all_other_jobs() -> None:
    queue = JobQueue()
    search = Search(board())
    idle = [Pondering(search, Limits(1), Priority.PONDER, "native") for _ in range(2)]
    for job in idle:
        queue.push(job)
    batch = Job(search, Limits(1), Priority.BATCH, "native")
    queue.push(batch)
    for _ in range(2 * AGING):
        assert queue.take(3) == [batch]
        queue.push(batch)
    assert queue.take(1) == [batch]
    assert queue.take(3) == idle
    assert queue.take(3) == []


@pytest.mark.parametrize("limits", [(None, None), (0, None), (None, 0)])
def test_limits_are_checked(limits: tuple[int | None, float | None]) -> None:
    with pytest.raises(ValueError, match=r"limit|at least|more than"):
        Limits(*limits)


def test_an_ended_session_leaves_no_garbage() -> None:
    gc.disable()
    pool = EnginePool(threads=1, limits=Limits(10), ponder=10)
    try:
        pool.open("a", board())
        job = pool.evaluate("a")
        job.future.result(5)
        held = weakref.ref(job)
        del job
        pool.close("a")
        until = time.monotonic() + 60
        while held() is not None:
            assert time.monotonic() < until, "the job and its tree are still alive"
            time.sleep(0.005)
    finally:
        gc.enable()
        pool.stop()
