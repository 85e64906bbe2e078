"""A real Caddy with the project's Caddyfile as a child process, in front of servers on this machine."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from urllib.parse import urlsplit

from tools.services.programs import program

CADDYFILE = Path(__file__).parents[2] / "Caddyfile"


class Caddy:
    """A proxy on a free port, for the servers at these URLs, in this order."""

    def __init__(self, servers: Sequence[str]) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="caddy"))
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port: int = free.getsockname()[1]
        self._servers = " ".join(urlsplit(url).netloc for url in servers)
        self._child: subprocess.Popen[bytes] | None = None
        self.url = f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> "Caddy":
        self.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.wait(timeout=60)
        shutil.rmtree(self._folder)

    @property
    def socket_url(self) -> str:
        """The base address of the servers' sockets."""
        return self.url.replace("http", "ws", 1)

    def start(self) -> None:
        """Starts it and waits until it accepts connections."""
        site = {"PLYHOUSE_SITE": f":{self._port}", "PLYHOUSE_SERVERS": self._servers}
        # Caddy stores its state in these folders; it is not needed afterwards.
        folders = {name: str(self._folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
        log = self._folder / "log.txt"
        command = [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(CADDYFILE)]
        with log.open("wb") as output:
            self._child = subprocess.Popen(command, env={**os.environ, **site, **folders}, stderr=output)
        deadline = time.monotonic() + 60
        while not self._accepts():
            if self._child.poll() is not None or time.monotonic() > deadline:
                raise ChildProcessError(f"caddy does not run: {log.read_text()}")
            time.sleep(0.01)

    def _accepts(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self._port)).close()
        except ConnectionRefusedError:
            return False
        return True
