"""Evaluations by workers: real child processes, and the servers' ends of the connections in this process."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from redis.asyncio import Redis

from engines.pool import Limits
from protocols.bgs.effects import RefusalError
from protocols.values import ClockReading
from server.analysts.pool_analyst import PoolAnalyst, SearchSettings
from server.analysts.worker_messages import WORKERS, presence_of, stream_of
from tests.server.worker_child import WorkerChild
from tests.server.worker_servers import MOVES, SHORT, cancelled, jobs, serving, setup, states, until
from tools.services.redis import RedisServer


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
    monkeypatch.setattr("server.analysts.worker_pool.MAX_MESSAGE_BYTES", 10)
    with WorkerChild(tmp_path, redis_server.url) as worker:
        await worker.joined()
        async with serving(redis_server) as server:
            session = await server.opened(of=setup())
            assert (await session.evaluate()).samples > 0
            assert (len(server.pool), server.workers.statistics().evaluations) == (1, 0)


async def test_searches_beyond_the_most_jobs_stay_here(
    redis_server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.analysts.worker_pool.MAX_JOBS", 1)
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
