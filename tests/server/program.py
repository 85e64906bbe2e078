"""The ``plyhouse`` command as a child process: a program of its own, or forked from a process that has imported it.

Importing a command takes up to two seconds of processor time, almost all of its start. Tests that start hundreds of
commands therefore fork them, all from one process (``tests/conftest.py``).
"""

import atexit
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO

from tests.server import launch

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-c", "from commands.cli import app; app()"]
"""The command as a program of its own, to be followed by its arguments."""


VARIABLE = "FORK_SERVER"
"""The variable that names the socket of the fork server."""


def _start_server() -> str:
    """Starts a fork server that ends with this process; returns the path of its socket, which is open already."""
    folder = tempfile.mkdtemp(prefix="forks")
    path = f"{folder}/s"
    ends, end = os.pipe()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        files = (listener.fileno(), ends)
        code = "from tests.server.fork_server import main; main()"
        command = [sys.executable, "-c", code, *map(str, files)]
        server = subprocess.Popen(
            command, cwd=ROOT, pass_fds=files, stdin=subprocess.DEVNULL, process_group=0
        )
    os.close(ends)

    def stop() -> None:
        os.close(end)
        server.wait()
        shutil.rmtree(folder)

    atexit.register(stop)
    return path


SERVER = os.environ[VARIABLE] if VARIABLE in os.environ else _start_server()
PLYHOUSE = [sys.executable, "-IS", launch.__file__, SERVER]
"""The command as a forked process, to be followed by its arguments. Signals other than SIGSTOP reach the process."""


def run_command(
    *arguments: str, given: bytes = b"", folder: Path = ROOT, environment: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    """Runs a forked command in ``folder`` until it exits, with ``given`` as its standard input.

    ``environment`` is added to this process's variables.
    """
    with (
        tempfile.TemporaryFile() as stdin,
        tempfile.TemporaryFile("w+") as stdout,
        tempfile.TemporaryFile("w+") as stderr,
    ):
        stdin.write(given)
        stdin.seek(0)
        variables = {**os.environ, **(environment or {})}
        files = [file.fileno() for file in (stdin, stdout, stderr)]
        connection, _ = launch.launch(SERVER, arguments, str(folder), variables, files)
        with connection:
            status = launch.status(connection)
        # The process has written with the same files, and so has moved their positions.
        stdout.seek(0)
        stderr.seek(0)
        return subprocess.CompletedProcess(arguments, status, stdout.read(), stderr.read())


class ForkedCommand:
    """One running command. Its standard output can be read from ``stdout``, the rest goes to the log."""

    def __init__(self, arguments: Sequence[str], log: Path, environment: Mapping[str, str]) -> None:
        reader, writer = os.pipe()
        self.stdout: TextIO = os.fdopen(reader)
        self._status: int | None = None
        variables = {**os.environ, **environment}
        with Path(os.devnull).open() as nothing, log.open("a") as stderr:
            files = (nothing.fileno(), writer, stderr.fileno())
            self._connection, self._pid = launch.launch(SERVER, arguments, str(ROOT), variables, files)
        os.close(writer)

    def poll(self) -> int | None:
        """Returns the exit status, negative for a signal; None while the process runs."""
        return self._wait(0)

    def send_signal(self, which: signal.Signals) -> None:
        """Sends a signal, unless the process has exited."""
        if self.poll() is None:
            os.kill(self._pid, which)

    def stop(self, how: signal.Signals) -> int:
        """Sends a signal, waits for the process to exit, and returns its exit status."""
        self.send_signal(how)
        return self.wait()

    def wait(self) -> int:
        """Waits for the process to exit, and returns its exit status."""
        status = self._wait(60)
        assert status is not None, "the command does not stop"
        self.stdout.close()
        return status

    def _wait(self, seconds: float) -> int | None:
        """Returns the exit status, or None if the process still runs after this time."""
        if self._status is None:
            self._connection.settimeout(seconds)
            with contextlib.suppress(TimeoutError, BlockingIOError):
                self._status = launch.status(self._connection)
                self._connection.close()
        return self._status
