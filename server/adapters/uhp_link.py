"""The two ways to a UHP engine: as a child process, and over a TCP socket. Bytes only; knows no protocol.

Opened by ``uhp_command``, read and written by ``uhp_engine``: one thread reads, another does everything else.
"""

import os
import signal
import socket
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import BinaryIO, Protocol

CHUNK_BYTES = 65_536
CONNECT_SECONDS = 10.0

LEAVE_SECONDS = 1.0
"""How long a process may take to end by itself before it is killed."""

POLL_SECONDS = 0.01

FAREWELL = b"exit\n"


class Link(Protocol):
    """A way to one engine."""

    def read(self) -> bytes:
        """What has come, at least one byte; b"" for good once the engine has closed its end."""

    def write(self, data: bytes) -> None:
        """Sends all of it. OSError when the engine is gone."""

    def interrupt(self) -> None:
        """Asks the engine to end its search now, where there is a way to. From any thread."""

    def ending(self) -> str:
        """What is known about how the engine ended; empty while it runs."""

    def end(self) -> None:
        """Says farewell and leaves nothing of the engine behind; ``read`` comes to its end."""

    def close(self) -> None:
        """Releases the resources once the reader has closed its end."""


class ChildLink:
    """A child process in a process group of its own, so that signals for us do not reach it, and ours all of it."""

    def __init__(self, words: Sequence[str], log: Callable[[str], None]) -> None:
        """Starts it; ``log`` gets every line of its stderr. OSError."""
        self._process = subprocess.Popen(  # noqa: S603  the operator names the engine
            words,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        if self._process.stdin is None or self._process.stdout is None or self._process.stderr is None:
            raise OSError("a child process without pipes")
        self._input, self._output = self._process.stdin, self._process.stdout
        self._last_words: deque[str] = deque(maxlen=1)
        self._drain = threading.Thread(
            target=self._read_stderr, args=(self._process.stderr, log), name="uhp-stderr", daemon=True
        )
        self._drain.start()

    def read(self) -> bytes:
        """What the process has written."""
        with suppress(OSError, ValueError):
            return os.read(self._output.fileno(), CHUNK_BYTES)
        return b""

    def write(self, data: bytes) -> None:
        """Writes to its stdin. A line fits into the pipe, because the one before it was answered."""
        self._input.write(data)

    def interrupt(self) -> None:
        """SIGINT, on which engines answer with the best move so far. A wrapper around one gets it as well."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGINT)

    def ending(self) -> str:
        """The exit status and the last line of stderr."""
        ended = self._await_end()
        if ended is None:
            return "it has closed its output"
        self._drain.join(LEAVE_SECONDS)
        how = "exit status" if ended.si_code == os.CLD_EXITED else "signal"
        return ": ".join((f"{how} {ended.si_status}", *self._last_words))

    def end(self) -> None:
        """Asks it to leave, then kills whatever is left of the group."""
        with suppress(OSError):
            self._input.write(FAREWELL)
        with suppress(OSError):
            self._input.close()
        self._await_end()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        """Closes our end of the pipe."""
        self._output.close()

    def _await_end(self) -> os.waitid_result | None:
        """How the process ended, if it does so soon. It is not reaped: until then its group keeps its number."""
        deadline = time.monotonic() + LEAVE_SECONDS
        while True:
            ended = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is not None or time.monotonic() > deadline:
                return ended
            time.sleep(POLL_SECONDS)

    def _read_stderr(self, stderr: BinaryIO, log: Callable[[str], None]) -> None:
        with stderr:
            for line in stderr:
                text = line.decode(errors="replace").rstrip()[:CHUNK_BYTES]
                if text:
                    self._last_words.append(text)
                    log(text)


class SocketLink:
    """An engine that listens on a TCP port."""

    def __init__(self, host: str, port: int) -> None:
        """Connects. OSError."""
        self._socket = socket.create_connection((host, port), CONNECT_SECONDS)
        self._socket.settimeout(None)

    def read(self) -> bytes:
        """What the engine has sent."""
        with suppress(OSError):
            return self._socket.recv(CHUNK_BYTES)
        return b""

    def write(self, data: bytes) -> None:
        """Sends it."""
        self._socket.sendall(data)

    def interrupt(self) -> None:
        """Does nothing: sockets carry no signals and the protocol has no interrupt, so the search continues."""

    def ending(self) -> str:
        """Nothing more is known."""
        return "the connection is closed"

    def end(self) -> None:
        """Asks it to leave and hangs up."""
        with suppress(OSError):
            self._socket.sendall(FAREWELL)
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Closes the socket."""
        self._socket.close()
