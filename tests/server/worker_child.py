"""``plyhouse worker`` as a child process that tests can start, freeze and kill."""

import asyncio
import os
import signal
import subprocess
from pathlib import Path
from types import TracebackType

from tests.server.program import PLYHOUSE, ROOT

COMMAND = [*PLYHOUSE, "worker"]


class WorkerChild:
    """One worker. Its lease is longer than any test unless the test sets another."""

    def __init__(self, folder: Path, redis_url: str, *options: str, lease: float = 600) -> None:
        folder.mkdir(exist_ok=True)
        self._log = folder / "worker.txt"
        environment = {**os.environ, "PLYHOUSE_WORKER_LEASE_SECONDS": str(lease)}
        with self._log.open("w") as log:
            self._child = subprocess.Popen(
                [*COMMAND, "--redis", redis_url, "--threads", "1", *options],
                cwd=ROOT,
                env=environment,
                stdout=log,
                stderr=log,
            )

    def __enter__(self) -> "WorkerChild":
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.stop(signal.SIGKILL)

    @property
    def output(self) -> str:
        """Everything printed so far."""
        return self._log.read_text()

    async def joined(self, times: int = 1) -> None:
        """Returns once it has joined so many times."""
        async with asyncio.timeout(60):
            while self.output.count("has joined") < times:
                assert self._child.poll() is None, self.output
                await asyncio.sleep(0.05)

    def send(self, how: signal.Signals) -> None:
        """Sends it a signal."""
        self._child.send_signal(how)

    def stop(self, how: signal.Signals) -> int:
        """Sends a signal and waits until the process has ended. Returns its exit status."""
        self._child.send_signal(how)
        return self._child.wait(timeout=60)
