"""Measures how long ``make serve`` takes to start: in a fresh clone with nothing built (cold), and again (warm).

Clones the committed HEAD into a temporary folder with empty home directories for the user and cargo, so that everything
is fetched and built. The Rust toolchain is the user's.

    python -m benchmarks.start
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import httpx

PATIENCE = 1500.0
"""Seconds after which a start counts as failed."""


def main() -> None:
    """Clones the repository, starts the server twice and prints the times."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder, "plyhouse")
        git = shutil.which("git") or "git"
        subprocess.run([git, "clone", "--quiet", str(Path(__file__).parent.parent), str(clone)], check=True)
        environment = _empty_home(Path(folder))
        cold = seconds_to_answer(clone, environment)
        warm = seconds_to_answer(clone, environment)
    print(f"make serve: {cold:.0f} s from a fresh clone to the first answer, {warm:.1f} s the second time")


def seconds_to_answer(clone: Path, environment: dict[str, str]) -> float:
    """Runs ``make serve`` until it answers, and returns how many seconds that took."""
    port = _free_port()
    began = time.monotonic()
    with subprocess.Popen(
        [shutil.which("make") or "make", "serve", f"PORT={port}"],
        cwd=clone,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as server:
        try:
            while not _answers(port):
                if server.poll() is not None or time.monotonic() - began > PATIENCE:
                    raise SystemExit("make serve did not start")
                time.sleep(0.1)
            return time.monotonic() - began
        finally:
            os.killpg(server.pid, signal.SIGTERM)


def _answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/healthz").is_success
    except httpx.HTTPError:
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _empty_home(folder: Path) -> dict[str, str]:
    rustup = os.environ.get("RUSTUP_HOME") or str(Path.home() / ".rustup")
    (folder / "home").mkdir()
    kept = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    return {
        **kept,
        "HOME": str(folder / "home"),
        "CARGO_HOME": str(folder / "cargo"),
        "RUSTUP_HOME": rustup,
        "MAKEFLAGS": "",
    }


if __name__ == "__main__":
    main()
