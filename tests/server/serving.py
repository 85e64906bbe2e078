"""``plyhouse serve`` as a child process that tests can start, kill and restart; by default on a temporary database."""

import signal
from pathlib import Path
from types import TracebackType
from typing import Protocol

from tests.server.databases import provide
from tests.server.program import ForkedCommand


class Address(Protocol):
    """Where clients reach a server: directly or through a proxy."""

    @property
    def url(self) -> str:
        """The base address of its requests."""
        ...

    @property
    def socket_url(self) -> str:
        """The base address of its sockets."""
        ...


class Served:
    """One server; ``url`` is known once it listens."""

    def __init__(self, folder: Path, *options: str, **environment: str) -> None:
        self._folder = folder
        self._options = options
        self._environment = environment
        self._child: ForkedCommand | None = None
        self.url = ""
        self.uhp = ("", 0)
        """The host and port of UHP over TCP, if the options enable it."""

    def __enter__(self) -> "Served":
        self.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.stop(signal.SIGKILL)

    @property
    def log(self) -> str:
        """The log so far."""
        return (self._folder / "log.txt").read_text()

    @property
    def socket_url(self) -> str:
        """The base address of its sockets."""
        return self.url.replace("http", "ws", 1)

    def start(self) -> None:
        """Starts it and waits until it listens."""
        options = ["--port", "0", *self._options]
        if "--database" not in self._options:
            database = self._folder / "plyhouse.sqlite3"
            provide(database)
            options += ["--database", f"sqlite:///{database}"]
        environment = {
            "PLYHOUSE_UNLISTED_GAMES": "true",
            "PLYHOUSE_BOT_SEED": "1",
            **self._environment,
        }
        self._child = ForkedCommand(["serve", *options], self._folder / "log.txt", environment)
        line = self._child.stdout.readline()
        if "http://" not in line:
            self.stop(signal.SIGKILL)
            raise AssertionError(self.log)
        self.url = "http" + line.split("http", 1)[1].strip().rstrip("/")
        if "--uhp-port" in self._options:
            host, _, port = self._child.stdout.readline().removeprefix("UHP is at ").strip().rpartition(":")
            self.uhp = (host, int(port))

    @property
    def is_running(self) -> bool:
        """Whether it was started and not stopped."""
        return self._child is not None

    def send(self, which: signal.Signals) -> None:
        """Sends a signal to the running process."""
        assert self._child is not None
        self._child.send_signal(which)

    def stop(self, how: signal.Signals) -> int:
        """Sends a signal, waits for the process to exit, and returns its exit status."""
        child, self._child = self._child, None
        if child is None:
            return 0
        return child.stop(how)
