"""A real PgBouncer as a child process on a Unix socket, between tests and a Postgres."""

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from urllib.parse import parse_qs, urlsplit

from tools.services.programs import program

PORT = 6432
"""The number in the name of the socket."""


class PgBouncer:
    """A pooler for the database at ``url``, with a ``pool_mode`` and a number of sessions."""

    def __init__(self, url: str, mode: str, sessions: int = 20) -> None:
        target = urlsplit(url)
        self._folder = Path(tempfile.mkdtemp(prefix="bouncer"))
        name = target.path.removeprefix("/")
        host = parse_qs(target.query)["host"][0]
        (self._folder / "users").write_text(f'"{target.username}" ""\n')
        is_root = os.getuid() == 0  # As whom it refuses to run.
        (self._folder / "settings.ini").write_text(
            f"[databases]\n{name} = host={host} dbname={name}\n[pgbouncer]\npool_mode = {mode}\n"
            f"default_pool_size = {sessions}\nauth_type = trust\nauth_file = {self._folder}/users\n"
            f"unix_socket_dir = {self._folder}\nlisten_addr =\nlisten_port = {PORT}\n"
            + ("user = nobody\n" if is_root else "")
        )
        if is_root:
            shutil.chown(self._folder, "nobody")
        self._child: subprocess.Popen[bytes] | None = None
        self.url = f"postgresql://{target.username}@/{name}?host={self._folder}&port={PORT}"

    def __enter__(self) -> "PgBouncer":
        bouncer = program("pgbouncer", *filter(shutil.which, ["/usr/sbin/pgbouncer"]))
        self._child = subprocess.Popen(
            [bouncer, "--quiet", self._folder / "settings.ini"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.wait(timeout=60)
        shutil.rmtree(self._folder)

    def is_listening(self) -> bool:
        """Whether clients can connect."""
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect_ex(str(self._folder / f".s.PGSQL.{PORT}")) == 0
