"""A real Redis as a child process on a Unix socket, which tests can start, stop, freeze and kill."""

import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType

import pytest
import redis


class RedisServer:
    """A Redis without persistence. Its folder has a short name, since the path of a socket must be short."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="redis"))
        self._path = self._folder / "s"
        self.url = f"unix://{self._path}"
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "RedisServer":
        self.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.kill()
        shutil.rmtree(self._folder)

    def start(self) -> None:
        """Starts it, empty, and waits until it answers."""
        program = shutil.which("redis-server")
        if program is None:
            pytest.fail("these tests need redis-server: tools/system.sh tests", pytrace=False)
        options = ["--port", "0", "--unixsocket", str(self._path), "--save", "", "--dir", str(self._folder)]
        self._child = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        with self.client() as client:
            while True:
                try:
                    client.ping()
                    return
                except redis.ConnectionError:
                    assert time.monotonic() < deadline, "redis-server does not answer"
                    time.sleep(0.01)

    def client(self) -> redis.Redis:
        """A client for the test."""
        return redis.Redis.from_url(self.url)

    def freeze(self) -> None:
        """Suspends the process until ``thaw``."""
        self._tell(signal.SIGSTOP)

    def thaw(self) -> None:
        """Resumes the process."""
        self._tell(signal.SIGCONT)

    def kill(self) -> None:
        """Kills the process; its data is lost."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.wait(timeout=60)

    def _tell(self, what: signal.Signals) -> None:
        assert self._child is not None
        self._child.send_signal(what)
