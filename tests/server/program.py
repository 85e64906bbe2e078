"""The ``plyhouse`` command as a child process: started as a user would, or forked from a process that has imported it.

Importing a command takes one to two seconds of processor time, almost all of its start. Tests that start hundreds of
commands therefore fork them.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryDirectory
from typing import TextIO

ROOT = Path(__file__).parents[2]
PLYHOUSE = [sys.executable, "-c", "from commands.cli import app; app()"]
"""The command as a program of its own, to be followed by its arguments."""

FORKS = multiprocessing.get_context("forkserver")
COMMANDS = [f"commands.{name}" for name in ("serve", "arena", "analyze", "bot", "engine", "worker")]
FORKS.set_forkserver_preload([*COMMANDS, "server.running", "uvloop"])


def run_command(
    *arguments: str, given: bytes = b"", folder: Path = ROOT, environment: Mapping[str, str] | None = None
) -> "CompletedProcess[str]":
    """Runs a forked command in ``folder`` until it exits, with ``given`` as its standard input.

    ``environment`` is added to this process's variables.
    """
    with TemporaryDirectory() as place:
        stdin, stderr = Path(place, "stdin"), Path(place, "stderr")
        stdin.write_bytes(given)
        command = ForkedCommand(arguments, stderr, environment or {}, stdin, folder)
        stdout = command.stdout.read()
        status = command.wait()
        return CompletedProcess(arguments, status, stdout, stderr.read_text())


class ForkedCommand:
    """One running command. Its standard output can be read from ``stdout``, the rest goes to the log."""

    def __init__(
        self,
        arguments: Sequence[str],
        log: Path,
        environment: Mapping[str, str],
        stdin: Path = Path(os.devnull),
        folder: Path = ROOT,
    ) -> None:
        self._reader, writer = FORKS.Pipe(duplex=False)
        variables = {**os.environ, **environment}
        self._process = FORKS.Process(
            target=_run, args=(arguments, stdin, writer, log, folder, variables), daemon=True
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
        return self.wait()

    def wait(self) -> int:
        """Waits for the process to exit, and returns its exit status."""
        self._process.join(60)
        status = self._process.exitcode
        assert status is not None, "the command does not stop"
        self.stdout.close()
        return status


def _run(
    arguments: Sequence[str],
    stdin: Path,
    stdout: Connection,
    log: Path,
    folder: Path,
    environment: Mapping[str, str],
) -> None:
    from commands.cli import app

    with stdin.open() as given, log.open("a") as file:
        os.dup2(given.fileno(), 0)
        os.dup2(stdout.fileno(), 1)
        os.dup2(file.fileno(), 2)
    stdout.close()
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w", buffering=1)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["plyhouse", *arguments]
    app()
