"""The ``plyhouse worker`` command, and a whole server that uses it."""

import signal
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.server.bot_peers import challenge, reached
from tests.server.program import ROOT
from tests.server.serving import Served
from tests.server.worker_child import COMMAND, WorkerChild
from tools.services.redis import RedisServer


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ([], "needs --redis URL"),
        (["--redis", "http://127.0.0.1"], "a Redis URL looks like"),
        (["--redis", "redis://127.0.0.1:1"], "Redis at 127.0.0.1:1 cannot be used"),
        (["--redis", "redis://127.0.0.1:1", "--sessions", "0"], "sessions: "),
    ],
)
def test_a_wrong_option_is_one_line(options: list[str], text: str) -> None:
    ended = subprocess.run([*COMMAND, *options], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"plyhouse worker: {text}")
    assert ended.stderr.count("\n") == 1


async def test_a_server_shows_its_worker_and_uses_it(redis_server: RedisServer, tmp_path: Path) -> None:
    with WorkerChild(tmp_path, redis_server.url, "--sessions", "7") as worker:
        await worker.joined()
        assert "7 sessions, evaluators native (core)" in worker.output
        with Served(tmp_path, "--redis", redis_server.url) as served:
            async with httpx.AsyncClient(base_url=served.url, timeout=60) as client:
                parts = (await client.get("/readyz")).json()["parts"]
                assert parts["workers"] == "1, with 7 of 7 sessions free"
                game = await challenge(client, "plyhouse:easy", is_first=False)
                await reached(client, game["gameId"], ply=1)
                figures = (await client.get("/metrics")).text
                assert "\nplyhouse_workers 1.0" in figures
                assert "\nplyhouse_worker_sessions_limit 7.0" in figures
                assert "\nplyhouse_worker_evaluations_total 0.0" not in figures
            served.stop(signal.SIGTERM)
            assert served.log.count("worker ") >= 1
