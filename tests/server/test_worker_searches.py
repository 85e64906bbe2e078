"""Several servers that ask workers for the same search."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from engines import Evaluation
from engines.inference import Array, Signature
from engines.pool import EnginePool, Job
from server.analysts.worker import SearchWorker
from server.analysts.worker_analyst import WorkerSession
from tests.engines.uniform_model import UniformModel
from tests.server.worker_servers import LONG, MOVES, Server, cancelled, jobs, serving, setup, until
from tools.services.redis import RedisServer

EIGHT = Signature(9, 8, 8, 136)
"""The tensors of Wallwars on its usual board."""


class CountingPool(EnginePool):
    """Records the searches it was asked for."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.started: list[Job] = []

    def evaluate(self, session_id: str, **options: Any) -> Job:
        job = super().evaluate(session_id, **options)
        self.started.append(job)
        return job


class GatedModel(UniformModel):
    """Evaluates nothing until the gate is open."""

    def __init__(self, signature: Signature) -> None:
        super().__init__(signature)
        self.gate = threading.Event()

    def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
        assert self.gate.wait(60)
        return super().evaluate(planes, rows)


@asynccontextmanager
async def working(redis_server: RedisServer, pool: EnginePool) -> AsyncIterator[None]:
    """A worker in this process."""
    task = asyncio.ensure_future(SearchWorker(redis_server.url, pool, lambda: ["native (core)"], LONG).run())
    try:
        await jobs(redis_server, 0)
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])
        pool.stop()


@asynccontextmanager
async def two_servers(redis_server: RedisServer, pool: EnginePool) -> AsyncIterator[tuple[Server, Server]]:
    """Two servers that know a worker in this process."""
    async with (
        working(redis_server, pool),
        serving(redis_server) as one,
        serving(redis_server) as other,
    ):
        for server in (one, other):
            await server.has(1)
        yield one, other


async def asked(redis_server: RedisServer, *sessions: WorkerSession) -> list[asyncio.Task[Evaluation]]:
    """Starts an evaluation in each session, once the worker has the one before; returns when it has them all."""
    tasks = []
    for session in sessions:
        tasks.append(asyncio.ensure_future(session.evaluate()))
        await jobs(redis_server, len(tasks))
    return tasks


async def test_a_search_that_two_servers_ask_for_runs_once(redis_server: RedisServer) -> None:
    model = GatedModel(EIGHT)
    pool = CountingPool(models=[model], threads=1)
    async with two_servers(redis_server, pool) as servers:
        sessions = [await server.opened(of=setup("wallwars", samples=50)) for server in servers]
        found = await asked(redis_server, *sessions)
        model.gate.set()
        async with asyncio.timeout(60):
            assert await found[0] == await found[1]
        assert len(pool.started) == 1


async def test_a_search_stops_when_nobody_waits_for_it(redis_server: RedisServer) -> None:
    pool = CountingPool(threads=1)
    async with two_servers(redis_server, pool) as servers:
        sessions = [await server.opened() for server in servers]
        tasks = await asked(redis_server, *sessions)
        await cancelled(tasks[0])
        await jobs(redis_server, 1)
        (job,) = pool.started
        assert not job.future.done()
        await sessions[0].close()
        await cancelled(tasks[1])
        await until(job.future.cancelled)
        await until(lambda: len(pool) == 0)


async def test_a_session_goes_on_while_another_server_waits_for_its_search(
    redis_server: RedisServer,
) -> None:
    pool = CountingPool(threads=1)
    async with two_servers(redis_server, pool) as (one, other):
        session, rival = await one.opened(), await other.opened()
        tasks = await asked(redis_server, session, rival)
        await cancelled(tasks[0])
        await session.advance(MOVES[0])
        again = asyncio.ensure_future(session.evaluate())
        await until(lambda: len(pool.started) == 2)
        assert not any(job.future.done() for job in pool.started)
        await cancelled(again)
        await cancelled(tasks[1])
        await until(lambda: all(job.future.cancelled() for job in pool.started))
