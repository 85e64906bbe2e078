"""Has the fork server run a ``plyhouse`` command. As a program, it stands for that command and its process.

    python launch.py SOCKET ARGUMENT...

The program imports little, since tests start it hundreds of times.
"""

import contextlib
import marshal
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence

FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def launch(
    server: str, arguments: Sequence[str], folder: str, variables: Mapping[str, str], files: Sequence[int]
) -> tuple[socket.socket, int]:
    """Starts a command with these standard files; returns a connection and the process id.

    ``status`` reads the exit status from the connection. When the connection is closed, the process is killed.
    """
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(server)
    request = marshal.dumps((list(arguments), folder, dict(variables)))
    socket.send_fds(connection, [len(request).to_bytes(4, "big")], files)
    connection.sendall(request)
    return connection, int.from_bytes(connection.recv(4), "big")


def status(connection: socket.socket) -> int:
    """Waits for the process to exit; returns its exit status, negative for a signal. OSError if that fails."""
    answer = connection.recv(4)
    if not answer:
        raise ConnectionError("the fork server has ended")
    return int.from_bytes(answer, "big", signed=True)


def main() -> None:
    """Runs the command with the standard files of this process, forwards signals, and exits as it does."""
    signal.pthread_sigmask(signal.SIG_BLOCK, FORWARDED)
    server, *arguments = sys.argv[1:]
    connection, pid = launch(server, arguments, os.getcwd(), os.environ, (0, 1, 2))
    os.closerange(0, 3)  # Their other ends see when the command closes them.

    def forward(which: int, _: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, which)

    for which in FORWARDED:
        signal.signal(which, forward)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, FORWARDED)
    ended = status(connection)
    if ended < 0:
        signal.signal(-ended, signal.SIG_DFL)
        os.kill(os.getpid(), -ended)
    os._exit(ended)


if __name__ == "__main__":
    main()
