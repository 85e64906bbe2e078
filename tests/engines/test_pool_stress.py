"""The pool under many threads: every evaluation ends, and the pool stops."""

import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import suppress

import numpy as np
import pytest

from engines import Evaluation, Position
from engines.inference import Array, ModelError, Signature
from engines.pool import EnginePool, Job, Limits, PoolFull, Priority, SessionBusy, UnknownSession
from tests.engines.uniform_model import UniformModel

FIVE = Signature(planes=9, dim2=5, dim3=5, policy=58)
CALLERS = 6
STEPS = 500
PATIENCE = 60

REFUSALS = (UnknownSession, SessionBusy, PoolFull)
ENDS = (CancelledError, ModelError, MemoryError)


class Moody(UniformModel):
    """Sleeps, fails sometimes, and sometimes returns NaN."""

    workers = 2

    def __init__(self) -> None:
        super().__init__(FIVE)
        self._rng = random.Random(5)

    def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
        priors, values = super().evaluate(planes, rows)
        time.sleep(self._rng.choice((0.0, 0.0005, 0.002)))
        mood = self._rng.random()
        if mood < 0.01:
            raise MemoryError
        return priors, np.full_like(values, np.nan) if mood > 0.99 else values


class Caller:
    """Opens, evaluates, cancels, moves and closes at random, in sessions shared with other callers."""

    def __init__(self, pool: EnginePool, seed: int) -> None:
        self._pool = pool
        self._rng = random.Random(seed)
        self.jobs: list[Job] = []
        self.failure: BaseException | None = None
        self.steps: list[Callable[[str], None]] = [
            self._open,
            *[self._evaluate] * 3,
            self._cancel,
            lambda session: pool.advance(session, "---"),
            pool.close,
            lambda _: time.sleep(0.002),
        ]

    def work(self) -> None:
        try:
            for _ in range(STEPS):
                self._try(self._rng.choice(self.steps), str(self._rng.randrange(8)))
        except BaseException as error:
            self.failure = error

    def _try(self, step: Callable[[str], None], session: str) -> None:
        with suppress(*REFUSALS):  # other callers use the session too
            step(session)

    def _open(self, session: str) -> None:
        size = self._rng.choice((5, 7))  # one for the network, one for the native evaluator
        board = Position("wallwars", "standard", {"boardWidth": size, "boardHeight": size})
        with suppress(ValueError):  # the id is taken
            self._pool.open(session, board)

    def _evaluate(self, session: str) -> None:
        limits = self._rng.choice((Limits(1), Limits(40), Limits(None, 5), Limits(100_000_000)))
        job = self._pool.evaluate(session, limits=limits, priority=self._rng.choice(list(Priority)[:4]))
        self.jobs.append(job)
        if limits.samples == 100_000_000:
            time.sleep(self._rng.random() * 0.005)
            job.future.cancel()

    def _cancel(self, _: str) -> None:
        if self.jobs:
            self._rng.choice(self.jobs).future.cancel()


@pytest.mark.parametrize("stopped", ["at the end", "in the middle"])
def test_every_evaluation_is_settled_and_the_pool_stops(stopped: str) -> None:
    pool = EnginePool(models=[Moody()], threads=2, sessions=7, batch_size=16, ponder=300)
    callers = [Caller(pool, seed) for seed in range(CALLERS)]
    threads = [threading.Thread(target=caller.work, daemon=True) for caller in callers]
    for thread in threads:
        thread.start()
    if stopped == "at the end":
        join(threads)
        settled = [settle(job) for caller in callers for job in caller.jobs]
        assert any(isinstance(end, Evaluation) for end in settled)
    stopping = threading.Thread(target=pool.stop, daemon=True)
    stopping.start()
    join([*threads, stopping])
    assert [caller.failure for caller in callers] == [None] * CALLERS
    assert all(job.future.done() for caller in callers for job in caller.jobs)


def test_callbacks_may_call_the_pool() -> None:
    """A job's callbacks run without locks that they might need, in this thread or another."""
    pool = EnginePool(threads=1)
    moved = threading.Event()
    looks: list[int] = []

    def look() -> None:
        other = threading.Thread(target=lambda: looks.append(pool.statistics().sessions), daemon=True)
        other.start()
        other.join(PATIENCE)

    def move() -> None:
        pool.advance("a", "---")
        moved.set()

    for name in "abc":
        pool.open(name, Position("wallwars"))
    pool.evaluate("a", limits=Limits(2000)).future.add_done_callback(lambda _: move())
    assert moved.wait(PATIENCE)
    for name in "abc":
        job = pool.evaluate(name, limits=Limits(100_000_000))
        job.future.add_done_callback(lambda _: look())
    stopping = threading.Thread(target=pool.stop, daemon=True)
    stopping.start()
    join([stopping])
    assert looks == [3, 3, 3]


def settle(job: Job) -> Evaluation | BaseException:
    """How an evaluation ended."""
    try:
        return job.future.result(PATIENCE)
    except ENDS as error:
        return error


def join(threads: list[threading.Thread]) -> None:
    """Waits until all threads have ended."""
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive(), "it hangs"
