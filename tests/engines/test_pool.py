"""The engine pool: admission, cancellation, limits, and independence of sessions."""

import gc
import threading
import time
import weakref
from collections.abc import Sequence
from concurrent.futures import CancelledError

import pytest

from engines import Position
from engines.inference import Array, Model, Signature
from engines.pool import EnginePool, Job, Limits, PoolFull, Priority, SessionBusy, UnknownSession
from tests.engines.pools import FIVE, board, result, summary
from tests.engines.uniform_model import UniformModel


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
    with pytest.raises(ValueError, match="built already"):
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
        kept = job.search.bytes
        assert result(pool, "s", samples=10).is_cut == (kept >= limit), (
            "what the last move keeps may fill it again"
        )
    finally:
        pool.stop()


def test_the_memory_of_an_evaluation_is_estimated(pool: EnginePool) -> None:
    small, large = pool.bytes_for(board(3)), pool.bytes_for(board(5))
    assert large(2000) > 1.5 * large(1000)
    assert large(1000) >= small(1000)


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


def test_a_panic_of_the_core_ends_the_search_but_no_worker() -> None:
    class Panicking:
        """A search that fails like a panicking core: with a BaseException."""

        visits = 0
        bytes = 0

        def unfocus(self) -> None:
            """Does nothing: no action is fixed."""

        def look_ahead(self, moves: Sequence[str]) -> bool:
            """Stays where it is."""
            return False

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
