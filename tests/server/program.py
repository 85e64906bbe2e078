"""The ``plyhouse`` command as a child process: started as a user would, or forked from a process that has imported it.

Importing the server takes two seconds of processor time, almost all of a command's start. Tests that start hundreds of
commands therefore fork them.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).parents[2]
PLYHOUSE = [sys.executable, "-c", "from server.cli import app; app()"]
"""The command as a program of its own, to be followed by its arguments."""

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["server.commands.serve", "server.running", "uvloop"])


class ForkedCommand:
    """One running command. Its standard output can be read from ``stdout``, the rest goes to the log."""

    def __init__(self, arguments: list[str], log: Path, environment: Mapping[str, str]) -> None:
        self._reader, writer = FORKS.Pipe(duplex=False)
        self._process = FORKS.Process(
            target=_run, args=(arguments, writer, log, {**os.environ, **environment}), daemon=True
        )
        self._process.start()
        writer.close()
        self.stdout: TextIO = os.fdopen(os.dup(self._reader.fileno()))

    def poll(self) -> int | None:
        """Returns the exit status, negative for a signal; None while the process runs."""
        return self._process.exitcode

    def send_signal(self, which: signal.Signals) -> None:
        """Sends a signal, unless the process has exited."""
        if self.poll() is None:
            assert self._process.pid is not None
            os.kill(self._process.pid, which)

    def stop(self, how: signal.Signals) -> int:
        """Sends a signal, waits for the process to exit, and returns its exit status."""
        self.send_signal(how)
        self._process.join(60)
        status = self._process.exitcode
        assert status is not None, "the command does not stop"
        self.stdout.close()
        return status


def _run(arguments: list[str], stdout: Connection, log: Path, environment: dict[str, str]) -> None:
    from server.cli import app

    with log.open("a") as file:
        os.dup2(stdout.fileno(), 1)
        os.dup2(file.fileno(), 2)
    stdout.close()
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w", buffering=1)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(ROOT)
    sys.argv = ["plyhouse", *arguments]
    app()
