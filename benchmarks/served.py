"""The server to measure: ``plyhouse serve`` as a child process with a free port, by default on a temporary database.

It plays with the native evaluators, so that figures do not depend on the networks that come with Plyhouse.
"""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

COMMAND = [sys.executable, "-c", "from commands.cli import app; app()", "serve", "--port", "0"]


@dataclass(frozen=True, slots=True)
class Child:
    """The server under test."""

    pid: int
    url: str
    uhp: str = ""
    """``HOST:PORT`` of UHP over TCP; empty without ``--uhp-port``."""

    def cpu_seconds(self) -> float:
        """Returns the CPU time used by all its threads (Linux)."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mib(self) -> float:
        """Returns the resident memory in MiB (Linux)."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


@contextmanager
def on_cores(cores: set[int]) -> Iterator[None]:
    """Programs started in the context run on these cores only (Linux)."""
    usual = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, usual)


@contextmanager
def served(
    *options: str, log: Path = Path(os.devnull), settings: Mapping[str, str] | None = None
) -> Iterator[Child]:
    """Runs a server with these options of ``plyhouse serve`` for the duration of the context; ``log`` gets its log.

    ``settings`` are further environment variables.
    """
    with log.open("ab") as output, tempfile.TemporaryDirectory() as folder:
        own = () if "--database" in options else ("--database", f"sqlite:///{folder}/plyhouse.sqlite3")
        command = [*COMMAND, *own, *options]
        environment = {"PLYHOUSE_MODELS": "none", **os.environ, **(settings or {})}
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=output, text=True, env=environment
        ) as server:
            try:
                line = server.stdout.readline() if server.stdout is not None else ""
                if "http" not in line:
                    raise SystemExit(f"the server did not start: {line}")
                uhp = server.stdout.readline() if server.stdout and "--uhp-port" in options else ""
                url = "http" + line.strip().rstrip("/").partition("http")[2]
                yield Child(server.pid, url, uhp.strip().rpartition(" ")[2])
            finally:
                server.send_signal(signal.SIGTERM)


@contextmanager
def peer(name: str, *arguments: str) -> Iterator[Child]:
    """Runs a peer of ``benchmarks.peers`` that is a server."""
    command = [sys.executable, "-m", f"benchmarks.peers.{name}", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield Child(server.pid, server.stdout.readline().strip() if server.stdout is not None else "")
        finally:
            server.terminate()
