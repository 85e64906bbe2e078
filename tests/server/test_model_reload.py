"""SIGHUP reloads the networks of a server and of a worker, unless it says that the terminal was closed."""

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.program import PROGRAM
from tests.server.serving import Served
from tests.server.worker_servers import SECRET, a_worker
from tools.networks import size_agnostic

PATIENCE = 60

CONTROLLED = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
"""Makes stdin the controlling terminal, then becomes the given program."""


def until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.02)


def source(client: httpx.Client, samples: int) -> str:
    """The evaluator of a new session. Equal analyses run once, so calls need different numbers of samples."""
    body: dict[str, Any] = {
        "game": "wallwars",
        "config": {"boardWidth": 5, "boardHeight": 5},
        "moves": ["---"],
    }
    answer = client.post("/api/analysis?wait=1", json={**body, "samples": samples}).json()
    return str(answer["positions"][0]["source"])


def test_a_server_reloads_its_networks_and_keeps_them_if_one_is_unusable(tmp_path: Path) -> None:
    folder = tmp_path / "networks"
    folder.mkdir()
    one, two = folder / "one.onnx", folder / "two.onnx"
    size_agnostic(one)
    with Served(tmp_path, "--models", str(folder)) as served, httpx.Client(base_url=served.url) as client:
        client.timeout = httpx.Timeout(PATIENCE)
        assert source(client, 21) == "one"
        two.write_bytes(one.read_bytes()[:-500])
        served.send(signal.SIGHUP)
        until(lambda: "networks not reloaded" in served.log)
        assert f"networks not reloaded: {two}: it cannot be read as an ONNX network" in served.log
        assert source(client, 22) == "one"
        one.unlink()
        size_agnostic(two)
        served.send(signal.SIGHUP)
        until(lambda: "networks reloaded: 1" in served.log)
        assert "network two on cpu: wallwars standard" in served.log
        assert source(client, 23) == "two"
        assert "two (cpu)" in client.get("/readyz").text


def test_a_worker_reloads_its_networks(tmp_path: Path) -> None:
    folder = tmp_path / "networks"
    folder.mkdir()
    one, two = folder / "one.onnx", folder / "two.onnx"
    size_agnostic(one)
    with (
        Served(tmp_path, OFFICIAL_BOT_TOKEN=SECRET) as served,
        httpx.Client(base_url=served.url, timeout=PATIENCE) as client,
        a_worker(tmp_path / "worker.txt", served.url, options=("--models", str(folder))) as worker,
    ):
        until(lambda: "plyhouse_workers 1.0" in client.get("/metrics").text)
        assert source(client, 21) == "one"
        one.rename(two)
        worker.send(signal.SIGHUP)
        until(lambda: "networks reloaded: 1" in worker.output)
        assert source(client, 22) == "two"
        assert worker.stop(signal.SIGTERM) == 0


@pytest.mark.slow
def test_a_closed_terminal_ends_the_server(tmp_path: Path) -> None:
    terminal, its_end = pty.openpty()
    database = f"sqlite:///{tmp_path}/p.db"
    command = [sys.executable, "-c", CONTROLLED, *PROGRAM, "serve", "--port", "0", "--database", database]
    with (tmp_path / "log.txt").open("wb") as log:
        child = subprocess.Popen(command, stdin=its_end, stdout=log, stderr=log, start_new_session=True)
    os.close(its_end)
    try:
        until(lambda: "startup complete" in (tmp_path / "log.txt").read_text())
        # Once it answers, it also listens to the signal, which would have ended it before.
        address = (tmp_path / "log.txt").read_text().split()[3]
        assert httpx.get(f"{address}healthz", timeout=PATIENCE).status_code == 200
        child.send_signal(signal.SIGHUP)
        until(lambda: "networks reloaded: 0" in (tmp_path / "log.txt").read_text())
        assert child.poll() is None, "the terminal is still there"
        os.close(terminal)
        assert child.wait(PATIENCE) == 0
    finally:
        child.kill()
        child.wait()
