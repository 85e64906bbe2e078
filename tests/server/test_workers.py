"""Workers: real child processes, a real Redis that fails, and the servers' ends of the connections in this process."""

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from redis.asyncio import Redis

from engines import Evaluation, Position
from engines.inference import Array, Signature
from engines.pool import EnginePool, Job, Limits
from protocols.bgs.config import EvaluationLimits, Setup
from protocols.bgs.effects import RefusalError
from protocols.values import ClockReading
from server.adapters.pool_analyst import PoolAnalyst, SearchSettings
from server.adapters.worker import SearchWorker
from server.adapters.worker_analyst import WorkerAnalyst, WorkerSession
from server.adapters.worker_messages import WORKERS, WorkerState, presence_of, read_message, stream_of
from server.adapters.worker_pool import WorkerPool
from tests.engines.uniform_model import UniformModel
from tests.server.bot_peers import a_viewer, challenge, http
from tests.server.serving import Served
from tests.server.worker_child import WorkerChild
from tools.services.redis import RedisServer

LONG = 600.0
"""A lease that no test outlasts."""

SHORT = 2.0

MOVES = ("wG1", "bG1 wG1-")


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    with RedisServer() as child:
        yield child


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
        own = PoolAnalyst(self.pool, SearchSettings(Limits(samples=300), lines=lines), analyst_id="house")
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


# ---- evaluations ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["hive", "wallwars"])
async def test_a_worker_evaluates_as_the_pool_in_this_process(
    redis_server: RedisServer, tmp_path: Path, game: str
) -> None:
    with WorkerChild(tmp_path, redis_server.url) as worker:
        await worker.joined()
        async with serving(redis_server) as server:
            await server.has(1)
            there = await server.opened(of=setup(game))
            own = PoolAnalyst(server.pool, SearchSettings(Limits(samples=300), lines=2), analyst_id="own")
            here = own.session("g", "", setup(game))
            await here.open()
            evaluations = []
            async with asyncio.timeout(60):
                for _ in range(4):
                    evaluations.append(await there.evaluate())
                    assert evaluations[-1] == await here.evaluate()
                    await there.advance(evaluations[-1].best_move)
                    await here.advance(evaluations[-1].best_move)
            assert all(len(one.lines) == 2 for one in evaluations)
            assert any(one.inherited > 0 for one in evaluations) is (game == "wallwars")
            assert server.workers.statistics().evaluations == len(evaluations)
            await here.close()
            assert len(server.pool) == 0


async def test_without_a_worker_a_server_searches_itself(redis_server: RedisServer) -> None:
    async with serving(redis_server) as server:
        session = await server.opened(of=setup())
        await session.advance(MOVES[0])
        assert (await session.evaluate()).samples > 0
        assert len(server.pool) == 1
        with pytest.raises(RefusalError, match="Failed to apply move"):
            await session.advance("wG1")
        await session.advance(MOVES[1])
        assert (await session.evaluate()).samples > 0
        await session.close()
        assert len(server.pool) == 0


async def test_a_clock_limits_the_time_of_an_evaluation(redis_server: RedisServer, tmp_path: Path) -> None:
    with WorkerChild(tmp_path, redis_server.url) as worker:
        await worker.joined()
        async with serving(redis_server) as server:
            await server.has(1)
            session = await server.opened()
            async with asyncio.timeout(60):
                found = await session.evaluate(ClockReading(1000))
            assert 0 < found.samples < 1_000_000_000
            assert server.workers.statistics().evaluations == 1


async def test_an_invalid_game_is_refused(redis_server: RedisServer) -> None:
    async with serving(redis_server) as server:
        session = server.session(of=replace(setup(), variant="no such variant"))
        with pytest.raises(RefusalError):
            await session.open()


async def test_sessions_are_shared_by_two_workers_and_the_rest_stays_here(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    url = redis_server.url
    with (
        WorkerChild(tmp_path / "a", url, "--sessions", "2") as one,
        WorkerChild(tmp_path / "b", url, "--sessions", "2") as other,
    ):
        await one.joined()
        await other.joined()
        async with serving(redis_server) as server:
            await server.has(2)
            assert server.workers.statistics().sessions == 4
            sessions = [await server.opened(f"g{index}", setup(samples=10**9 + index)) for index in range(5)]
            tasks = [asyncio.ensure_future(session.evaluate()) for session in sessions]
            await jobs(redis_server, 2, 2)
            await until(lambda: len(server.pool) == 1)
            for task in tasks:
                await cancelled(task)
            await jobs(redis_server, 0, 0)
            for session in sessions:
                await session.close()
            await until(lambda: server.workers.statistics().free == 4)


async def test_a_job_that_is_too_large_stays_here(
    redis_server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.adapters.worker_pool.MAX_MESSAGE_BYTES", 10)
    with WorkerChild(tmp_path, redis_server.url) as worker:
        await worker.joined()
        async with serving(redis_server) as server:
            session = await server.opened(of=setup())
            assert (await session.evaluate()).samples > 0
            assert (len(server.pool), server.workers.statistics().evaluations) == (1, 0)


async def test_searches_beyond_the_most_jobs_stay_here(
    redis_server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.adapters.worker_pool.MAX_JOBS", 1)
    with WorkerChild(tmp_path, redis_server.url) as worker:
        await worker.joined()
        async with serving(redis_server) as server:
            await server.has(1)
            task = asyncio.ensure_future((await server.opened("endless")).evaluate())
            await jobs(redis_server, 1)
            assert (await (await server.opened("short", setup())).evaluate()).samples > 0
            assert (len(server.pool), server.workers.statistics().evaluations) == (1, 0)
            await cancelled(task)


async def test_a_worker_of_another_version_is_logged_once(
    redis_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    async with Redis.from_url(redis_server.url) as redis:
        await redis.set(presence_of("older"), b'{"type": "unknown"}')
        await redis.sadd(WORKERS, "older")
        async with serving(redis_server, SHORT) as server:
            await until(lambda: "worker older is ignored" in caplog.text)
            await redis.set(presence_of("last"), b"{}")
            await redis.sadd(WORKERS, "last")
            await until(lambda: "worker last is ignored" in caplog.text)
            assert server.workers.statistics().workers == 0
    assert caplog.text.count("worker older is ignored") == 1


async def test_messages_that_are_none_are_ignored(redis_server: RedisServer, tmp_path: Path) -> None:
    with WorkerChild(tmp_path, redis_server.url) as worker:
        await worker.joined()
        (name,) = await states(redis_server)
        async with serving(redis_server) as server, Redis.from_url(redis_server.url) as redis:
            await server.has(1)
            await redis.xadd(stream_of(name), {b"m": b"{}"})
            await redis.xadd(stream_of(name), {b"other": b""})
            session = await server.opened(of=setup())
            assert (await session.evaluate()).samples > 0
            assert server.workers.statistics().evaluations == 1
            assert await redis.xlen(stream_of(name)) == 0
        assert worker.output.count("cannot be read") == 2


# ---- the same search -----------------------------------------------------------------------------

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


async def test_a_search_that_two_servers_ask_for_runs_once(redis_server: RedisServer) -> None:
    model = GatedModel(EIGHT)
    pool = CountingPool(models=[model], threads=1)
    async with (
        working(redis_server, pool),
        serving(redis_server) as one,
        serving(redis_server) as other,
    ):
        found = []
        for index, server in enumerate((one, other)):
            await server.has(1)
            session = await server.opened(of=setup("wallwars", samples=50))
            found.append(asyncio.ensure_future(session.evaluate()))
            await jobs(redis_server, index + 1)
        model.gate.set()
        async with asyncio.timeout(60):
            assert await found[0] == await found[1]
        assert len(pool.started) == 1


async def test_a_search_stops_when_nobody_waits_for_it(redis_server: RedisServer) -> None:
    pool = CountingPool(threads=1)
    async with (
        working(redis_server, pool),
        serving(redis_server) as one,
        serving(redis_server) as other,
    ):
        await one.has(1)
        await other.has(1)
        sessions = [await server.opened() for server in (one, other)]
        tasks = []
        for index, session in enumerate(sessions):
            tasks.append(asyncio.ensure_future(session.evaluate()))
            await jobs(redis_server, index + 1)
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
    async with (
        working(redis_server, pool),
        serving(redis_server) as one,
        serving(redis_server) as other,
    ):
        await one.has(1)
        await other.has(1)
        session, rival = await one.opened(), await other.opened()
        tasks = []
        for index, asked in enumerate((session, rival)):
            tasks.append(asyncio.ensure_future(asked.evaluate()))
            await jobs(redis_server, index + 1)
        await cancelled(tasks[0])
        await session.advance(MOVES[0])
        again = asyncio.ensure_future(session.evaluate())
        await jobs(redis_server, 2)
        assert [job.future.done() for job in pool.started] == [False, False]
        await cancelled(again)
        await cancelled(tasks[1])
        await until(lambda: all(job.future.cancelled() for job in pool.started))


# ---- failures ------------------------------------------------------------------------------------


async def test_another_worker_takes_over_from_one_that_is_killed(
    redis_server: RedisServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    with WorkerChild(tmp_path / "a", redis_server.url, lease=SHORT) as first:
        await first.joined()
        async with serving(redis_server) as server:
            await server.has(1)
            session = await server.opened()
            await session.advance(MOVES[0])
            task = asyncio.ensure_future(session.evaluate())
            await jobs(redis_server, 1)
            (dead,) = await states(redis_server)
            with WorkerChild(tmp_path / "b", redis_server.url) as second:
                await second.joined()
                await server.has(2)
                first.stop(signal.SIGKILL)
                await server.has(1)
                await jobs(redis_server, 1)
                assert dead not in await states(redis_server)
                assert len(server.pool) == 0
                await cancelled(task)
                await jobs(redis_server, 0)
            assert caplog.text.count(f"worker {dead}: ") == 1
            assert caplog.text.count(f"worker {dead} is gone") == 1


async def test_a_frozen_worker_loses_its_jobs_and_joins_again(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    with WorkerChild(tmp_path, redis_server.url, lease=SHORT) as worker:
        await worker.joined()
        async with serving(redis_server) as server:
            await server.has(1)
            session = await server.opened(of=setup())
            worker.send(signal.SIGSTOP)
            async with asyncio.timeout(60):
                assert (await session.evaluate()).samples > 0
            assert (len(server.pool), server.workers.statistics().failures) == (1, 1)
            worker.send(signal.SIGCONT)
            await worker.joined(2)
            await server.has(1)
            await session.advance(MOVES[0])
            async with asyncio.timeout(60):
                assert (await session.evaluate()).samples > 0
            assert (len(server.pool), server.workers.statistics().evaluations) == (0, 1)


async def test_a_worker_that_stops_says_so(redis_server: RedisServer, tmp_path: Path) -> None:
    with WorkerChild(tmp_path, redis_server.url) as worker:
        await worker.joined()
        async with serving(redis_server) as server:
            await server.has(1)
            assert worker.stop(signal.SIGTERM) == 0
            await server.has(0)


async def test_the_searches_of_a_worker_that_stops_go_on_here(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    with WorkerChild(tmp_path, redis_server.url) as worker:
        await worker.joined()
        async with serving(redis_server) as server:
            await server.has(1)
            task = asyncio.ensure_future((await server.opened()).evaluate())
            await jobs(redis_server, 1)
            assert worker.stop(signal.SIGTERM) == 0
            await until(lambda: len(server.pool) == 1)
            await cancelled(task)


async def test_a_worker_stops_the_searches_of_a_server_that_is_killed(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    environment = {"PLYHOUSE_SAMPLES": "1000000000", "PLYHOUSE_WORKER_LEASE_SECONDS": str(SHORT)}
    with WorkerChild(tmp_path / "worker", redis_server.url) as worker:
        await worker.joined()
        with Served(tmp_path, "--redis", redis_server.url, **environment) as served:
            async with http(served) as client:
                await until_workers(client, 1)
                game = await challenge(client, "plyhouse:easy")
                async with a_viewer(served, game["gameId"]) as viewer:
                    await viewer.shake(game["gameId"])
                    await jobs(redis_server, 1)
                    served.stop(signal.SIGKILL)
        await jobs(redis_server, 0)


async def until_workers(client: httpx.AsyncClient, count: int) -> None:
    async with asyncio.timeout(60):
        while f"plyhouse_workers {count}.0" not in (await client.get("/metrics")).text:  # noqa: ASYNC110 - polls
            await asyncio.sleep(0.05)


async def test_a_killed_servers_sessions_are_closed(redis_server: RedisServer, tmp_path: Path) -> None:
    with WorkerChild(tmp_path, redis_server.url, "--sessions", "3") as worker:
        await worker.joined()
        async with serving(redis_server) as watching, serving(redis_server) as server:
            await server.has(1)
            session = await server.opened()
            task = asyncio.ensure_future(session.evaluate())
            await jobs(redis_server, 1)
            await until(lambda: watching.workers.statistics().free == 2)
            async with Redis.from_url(redis_server.url) as redis:
                name = server.workers.name
                await redis.delete(presence_of(name))
            await until(lambda: watching.workers.statistics().free == 3)
            await cancelled(task)


@pytest.mark.parametrize("failure", ["flushed", "killed"])
async def test_no_evaluation_is_lost_when_redis_fails(
    redis_server: RedisServer, tmp_path: Path, failure: str, caplog: pytest.LogCaptureFixture
) -> None:
    with WorkerChild(tmp_path, redis_server.url) as worker:
        await worker.joined()
        async with serving(redis_server) as server:
            await server.has(1)
            session = await server.opened()
            task = asyncio.ensure_future(session.evaluate())
            await jobs(redis_server, 1)
            if failure == "flushed":
                with redis_server.client() as client:
                    client.flushall()
            else:
                redis_server.kill()
            await until(lambda: len(server.pool) == 1)
            assert not task.done()
            if failure == "killed":
                redis_server.start()
            await worker.joined(2)
            await server.has(1)
            await jobs(redis_server, 0)
            await cancelled(task)
            await session.advance(MOVES[0])
            task = asyncio.ensure_future(session.evaluate())
            await jobs(redis_server, 1)
            await cancelled(task)
        for text in (caplog.text, worker.output):
            assert text.count("servers and workers are disconnected") == 1


async def test_a_job_that_a_worker_never_gets_is_run_elsewhere(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    with WorkerChild(tmp_path, redis_server.url) as worker:
        await worker.joined()
        async with serving(redis_server, lease=SHORT) as server:
            await server.has(1)
            worker.send(signal.SIGSTOP)
            session = await server.opened(of=setup())
            async with asyncio.timeout(60):
                assert (await session.evaluate()).samples > 0
            assert len(server.pool) == 1
            await server.has(1)
