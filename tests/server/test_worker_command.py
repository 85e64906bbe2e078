"""The ``plyhouse worker`` command, and a whole server that uses it."""

import asyncio
from pathlib import Path

import pytest

from tests.server.bot_peers import challenge, http, reached
from tests.server.run_here import run_here
from tests.server.serving import Served
from tests.server.worker_servers import SECRET, a_worker

ELSEWHERE = ("--server", "http://127.0.0.1:1", "--official-token", "no")


@pytest.mark.parametrize(
    ("options", "status", "text"),
    [
        ((), 1, "needs --server URL"),
        (ELSEWHERE[:2], 1, "needs --official-token TOKEN"),
        (("--server", "ftp://host", *ELSEWHERE[2:]), 1, "'ftp://host' is not a server address"),
        ((*ELSEWHERE, "--sessions", "0"), 2, "--sessions: "),
    ],
)
def test_a_wrong_option_is_one_line(options: tuple[str, ...], status: int, text: str) -> None:
    ended = run_here("worker", *options)
    assert ended.returncode == status
    assert ended.stderr.startswith(f"plyhouse worker: {text}")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("token", [None, SECRET])
def test_a_worker_that_a_server_refuses_says_why(tmp_path: Path, token: str | None) -> None:
    environment = {} if token is None else {"OFFICIAL_BOT_TOKEN": token}
    with Served(tmp_path, **environment) as served:
        ended = run_here("worker", "--server", served.url, "--official-token", "no", "--threads", "1")
    assert ended.returncode == 1
    assert "plyhouse worker: the server refuses the bots: officialToken of bot" in ended.stderr


async def test_a_server_shows_its_worker_and_uses_it(tmp_path: Path) -> None:
    with (
        Served(tmp_path, OFFICIAL_BOT_TOKEN=SECRET) as served,
        a_worker(tmp_path / "worker.txt", served.url, options=("--sessions", "7")) as worker,
    ):
        assert worker.first_line() == "Plyhouse worker: 7 sessions, evaluators native (core)\n"
        async with http(served) as client:
            async with asyncio.timeout(60):
                while "plyhouse_workers 1.0" not in (await client.get("/metrics")).text:  # noqa: ASYNC110 - polls
                    await asyncio.sleep(0.05)
            parts = (await client.get("/readyz")).json()["parts"]
            assert parts["workers"] == "1, with 7 of 7 sessions free"
            game = await challenge(client, "plyhouse:easy", is_first=False)
            await reached(client, game["gameId"], ply=1)
            figures = (await client.get("/metrics")).text
            assert "\nplyhouse_worker_sessions_limit 7.0" in figures
            assert "\nplyhouse_worker_evaluations_total 0.0" not in figures
        assert "session house/" in worker.output
        assert "worker worker-" in served.log
