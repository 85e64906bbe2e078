"""Workers, servers and a real Redis that stop, freeze or fail."""

import asyncio
import signal
from pathlib import Path

import httpx
import pytest
from redis.asyncio import Redis

from server.analysts.worker_messages import presence_of
from tests.server.bot_peers import a_viewer, challenge, http
from tests.server.serving import Served
from tests.server.worker_child import WorkerChild
from tests.server.worker_servers import MOVES, SHORT, cancelled, jobs, serving, setup, states, until
from tools.services.redis import RedisServer


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
