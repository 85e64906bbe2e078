"""A server of our own to measure: ``plyhouse serve`` as a child process on a free port and a temporary database."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

COMMAND = [sys.executable, "-c", "from server.cli import app; app()", "serve", "--port", "0"]


@dataclass(frozen=True, slots=True)
class Child:
    """The server under test."""

    pid: int
    url: str

    def cpu_seconds(self) -> float:
        """Processor time that it has used, in all its threads (Linux)."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def served(*options: str) -> Iterator[Child]:
    """A running server, started with these options of ``plyhouse serve``; stopped afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*COMMAND, "--database", f"sqlite:///{folder}/plyhouse.sqlite3", *options]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as server:
            try:
                said = server.stdout.readline() if server.stdout is not None else ""
                if "http" not in said:
                    raise SystemExit(f"the server did not start: {said}")
                yield Child(server.pid, "http" + said.strip().rstrip("/").partition("http")[2])
            finally:
                server.send_signal(signal.SIGTERM)
