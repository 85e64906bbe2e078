"""A real Postgres as a child process on a Unix socket, which tests and benchmarks can start, stop and kill."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from types import TracebackType

import psycopg

from tools.services.programs import program

USER = "plyhouse"
OPTIONS = {"listen_addresses": "''", "max_connections": "200", "shared_buffers": "32MB"}


class PostgresServer:
    """A Postgres in a folder of its own, with these options. By default its commits are durable, as in operation."""

    def __init__(self, **options: str) -> None:
        self._options = {**OPTIONS, **options}
        self._folder = Path(tempfile.mkdtemp(prefix="pg"))
        self._databases = count()
        self._child: subprocess.Popen[bytes] | None = None
        shutil.chown(self._folder, *_owner())
        encoding = ["--encoding=UTF8", "--no-locale"]
        try:
            _run([_program("initdb"), "-D", self._data, "-A", "trust", "-U", USER, "--no-sync", *encoding])
        except ChildProcessError:
            shutil.rmtree(self._folder)
            raise

    def __enter__(self) -> "PostgresServer":
        self.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.kill()
        shutil.rmtree(self._folder)

    def start(self) -> None:
        """Starts it with the data that it had, and waits until it answers."""
        settings = [
            f"--{name.replace('_', '-')}={value.strip(chr(39))}" for name, value in self._options.items()
        ]
        command = [_program("postgres"), "-D", self._data, "-k", str(self._folder), *settings]
        self._child = subprocess.Popen(
            _as_owner(command), cwd=self._folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        ready = [_program("pg_isready"), "-q", "-h", str(self._folder), "-t", "60"]
        while subprocess.run(ready, check=False).returncode != 0:
            if self._child.poll() is not None:
                raise ChildProcessError("postgres has ended")

    def new_database(self, template: str = "template1") -> str:
        """Creates a database, as a copy of another one; returns its URL."""
        name = f"test{next(self._databases)}"
        with psycopg.connect(host=str(self._folder), user=USER, dbname="postgres", autocommit=True) as admin:
            admin.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
        return f"postgresql://{USER}@/{name}?host={self._folder}"

    def kill(self) -> None:
        """Kills the server and its processes, as a loss of power would."""
        child, self._child = self._child, None
        if child is not None:
            child.send_signal(signal.SIGQUIT)
            child.wait(timeout=60)

    @property
    def _data(self) -> str:
        return str(self._folder / "data")


def _program(name: str) -> str:
    """The path of a program of Postgres, which Debian installs in a folder of its version."""
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    return program(name, *(str(path) for path in installed))


def _owner() -> tuple[int, int]:
    """The user and the group of the server's processes: Postgres refuses to run as root."""
    return (65534, 65534) if os.getuid() == 0 else (os.getuid(), os.getgid())


def _as_owner(command: Sequence[str]) -> list[str]:
    if os.getuid() != 0:
        return list(command)
    user, group = _owner()
    return ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", *command]


def _run(command: Sequence[str]) -> None:
    """Runs a program of Postgres. ChildProcessError with what it printed, if it fails."""
    result = subprocess.run(
        _as_owner(command), check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd="/"
    )
    if result.returncode != 0:
        raise ChildProcessError(f"{' '.join(command)} has failed:\n{result.stdout}")
