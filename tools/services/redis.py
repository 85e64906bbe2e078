"""A real Redis as a child process on a Unix socket, which tests and benchmarks can start, stop, freeze and kill."""

import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType

import redis

from tools.services.programs import program


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
        options = ["--port", "0", "--unixsocket", str(self._path), "--save", "", "--dir", str(self._folder)]
        self._child = subprocess.Popen([program("redis-server"), *options], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        with self.client() as client:
            while True:
                try:
                    client.ping()
                    return
                except redis.ConnectionError:
                    if time.monotonic() > deadline:
                        raise ChildProcessError("redis-server does not answer") from None
                    time.sleep(0.01)

    def client(self) -> redis.Redis:
        """A new client of it."""
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
        if self._child is not None:
            self._child.send_signal(what)
