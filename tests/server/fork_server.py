"""A process that has imported all commands of Plyhouse and run a server, and forks one for each client (``launch.py``).

Its two arguments are open files: the socket that clients connect to, and a pipe that is closed when all should end.
"""

import asyncio
import atexit
import contextlib
import gc
import marshal
import os
import pkgutil
import selectors
import signal
import socket
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

PACKAGES = ("commands", "programs", "protocols")
"""All their modules are imported at the start."""

MODULES = (
    *("server.engine_services", "server.routes.analysis", "server.running", "server.store.sql_migrate"),
    *("psycopg", "sqlalchemy.dialects.postgresql.psycopg"),
    *("rich.console", "rich.progress", "rich.table", "typer.rich_utils", "uvloop"),
)
"""What commands import from elsewhere, some of them only when they use it."""


class Request(NamedTuple):
    """A command that a forked process is to run."""

    arguments: list[str]
    folder: str
    variables: dict[str, str]
    files: list[int]

    def prepare(self) -> None:
        """Gives this process the files, folder, variables, paths and arguments of the command."""
        for number, file in enumerate(self.files):
            os.dup2(file, number)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w", buffering=1)
        os.chdir(self.folder)
        os.environ.clear()
        os.environ.update(self.variables)
        sys.path[:0] = [path for path in self.variables.get("PYTHONPATH", "").split(os.pathsep) if path]
        sys.argv = ["plyhouse", *self.arguments]


def receive(connection: socket.socket) -> Request:
    """Reads the request of a client. Raises ConnectionError if the client has gone."""
    size, files, _, _ = socket.recv_fds(connection, 4, 3)
    request = b""
    while len(request) < int.from_bytes(size, "big"):
        part = connection.recv(1 << 20)
        if not part:
            raise ConnectionError
        request += part
    arguments, folder, variables = marshal.loads(request)  # noqa: S302 - the tests have written it
    return Request(arguments, folder, variables, files)


def serve(listener: socket.socket, parent: int) -> Request:
    """Serves clients until the pipe ``parent`` is closed. Returns in each forked process only."""
    events = selectors.DefaultSelector()
    events.register(listener, selectors.EVENT_READ)
    events.register(parent, selectors.EVENT_READ)
    running: dict[int, socket.socket] = {}
    while True:
        # Only one at a time: handling an event can close the file of another one.
        (ready, _), *_ = events.select()
        if ready.fileobj is listener:
            connection, _ = listener.accept()
            with contextlib.suppress(ConnectionError):
                request = receive(connection)
                pid = os.fork()
                if pid == 0:
                    # Deleted later, it would close files of the command that have the same numbers by then.
                    events.close()
                    return request
                for file in request.files:
                    os.close(file)
                running[pid] = connection
                events.register(connection, selectors.EVENT_READ, pid)
                events.register(os.pidfd_open(pid), selectors.EVENT_READ, pid)
                connection.sendall(pid.to_bytes(4, "big"))
        elif ready.fileobj == parent:
            for pid in running:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            sys.exit()
        elif isinstance(ready.fileobj, socket.socket):
            os.kill(ready.data, signal.SIGKILL)
            events.unregister(ready.fileobj)
        else:
            _, status = os.waitpid(ready.data, 0)
            events.unregister(ready.fileobj)
            os.close(ready.fd)
            connection = running.pop(ready.data)
            with contextlib.suppress(ConnectionError):
                connection.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, "big", signed=True))
            with contextlib.suppress(KeyError):
                events.unregister(connection)
            connection.close()


def main() -> None:
    """Imports everything, runs a server once, and serves; a forked process runs its command."""
    for package in PACKAGES:
        for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
            import_module(module.name)
    for name in MODULES:
        import_module(name)
    from commands.cli import app
    from tests.server.services import opened, settings

    async def run_server() -> None:
        """Computes what a server computes once."""
        with tempfile.TemporaryDirectory() as folder:
            async with opened(settings(Path(folder))) as client:
                await client.get("/readyz")

    asyncio.run(run_server())
    # A shell that runs tests in the background has them ignore it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.collect()
    gc.freeze()
    serve(socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2])).prepare()
    try:
        app()
    except SystemExit as ended:
        status = ended.code

        def leave() -> None:
            """Spares the process to delete all objects, which would copy the memory that it shares."""
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status if isinstance(status, int) else 1)

        atexit.register(leave)
        raise
