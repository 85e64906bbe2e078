"""The servers' ends of the connections to workers, in the process of the test."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from redis.asyncio import Redis

from engines import Evaluation, Position
from engines.pool import EnginePool, Limits
from protocols.bgs.config import EvaluationLimits, Setup
from server.analysts.pool_analyst import PoolAnalyst, SearchSettings
from server.analysts.worker_analyst import WorkerAnalyst, WorkerSession
from server.analysts.worker_messages import WORKERS, WorkerState, presence_of, read_message
from server.analysts.worker_pool import WorkerPool
from tools.services.redis import RedisServer

LONG = 600.0
"""A lease that no test outlasts."""

SHORT = 2.0

MOVES = ("wG1", "bG1 wG1-")


def setup(game: str = "hive", samples: int | None = None) -> Setup:
    start = Position(game)
    return Setup(game, start.variant, start.config, EvaluationLimits(samples=samples))


ENDLESS = setup(samples=1_000_000_000)


class Server:
    """The parts of a server that evaluate."""

    def __init__(self, workers: WorkerPool, pool: EnginePool) -> None:
        self.workers = workers
        self.pool = pool

    def session(self, name: str = "g", of: Setup = ENDLESS, lines: int = 2) -> WorkerSession:
        own = PoolAnalyst(self.pool, SearchSettings(Limits(samples=300), lines=lines), analyst_id="own")
        return WorkerAnalyst(self.workers, own).session(name, "", of)

    async def opened(self, name: str = "g", of: Setup = ENDLESS) -> WorkerSession:
        session = self.session(name, of)
        await session.open()
        return session

    async def has(self, workers: int) -> None:
        """Returns once the server knows so many workers."""
        await until(lambda: self.workers.statistics().workers == workers)


@asynccontextmanager
async def serving(redis_server: RedisServer, lease: float = LONG) -> AsyncIterator[Server]:
    workers, pool = WorkerPool(redis_server.url, lease), EnginePool(threads=1)
    await workers.start()
    try:
        yield Server(workers, pool)
    finally:
        await workers.stop()
        pool.stop()


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not is_so():  # noqa: ASYNC110 - polls
            await asyncio.sleep(0.02)


async def states(redis_server: RedisServer) -> Mapping[str, WorkerState]:
    """What the workers announce at the moment."""
    found: dict[str, WorkerState] = {}
    async with Redis.from_url(redis_server.url) as redis:
        names: Any = await redis.smembers(WORKERS)
        for name in names:
            text: Any = await redis.get(presence_of(name.decode()))
            state = None if text is None else read_message(text)
            if isinstance(state, WorkerState):
                found[name.decode()] = state
    return found


async def jobs(redis_server: RedisServer, *wanted: int) -> None:
    """Returns once the workers announce these numbers of jobs, in any order."""
    async with asyncio.timeout(60):
        while sorted(len(one.jobs) for one in (await states(redis_server)).values()) != sorted(wanted):  # noqa: ASYNC110 - polls
            await asyncio.sleep(0.05)


async def cancelled(task: asyncio.Task[Evaluation]) -> None:
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
