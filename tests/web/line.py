"""A network line between a browser and a server that a test can cut, as a tunnel cuts that of a phone.

A cut line closes nothing: what is sent disappears, and connections from before never come back to life.
"""

import selectors
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PIECE = 65536


class Line:
    """A TCP proxy in a thread of its own."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ, None)
        self._is_cut = False
        self._is_closed = False
        self._ends: set[socket.socket] = set()
        self._lost: set[socket.socket] = set()
        """The sockets of connections that the line has lost."""
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def cut(self) -> None:
        """Lets nothing through any more."""
        self._is_cut = True
        self._lost |= self._ends

    def restore(self) -> None:
        """Lets new connections through."""
        self._is_cut = False

    def close(self) -> None:
        """Closes everything."""
        self._is_closed = True
        self._thread.join()
        self._selector.close()
        for end in (self._listener, *self._ends):
            end.close()

    def _run(self) -> None:
        while not self._is_closed:
            for key, _ in self._selector.select(timeout=0.05):
                assert isinstance(key.fileobj, socket.socket)
                if key.data is None:
                    self._accept()
                else:
                    self._pass_on(key.fileobj, key.data)

    def _accept(self) -> None:
        near, _ = self._listener.accept()
        self._ends.add(near)
        if self._is_cut:
            return
        far = socket.create_connection(("127.0.0.1", self._target))
        self._ends.add(far)
        self._selector.register(near, selectors.EVENT_READ, far)
        self._selector.register(far, selectors.EVENT_READ, near)

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        try:
            piece = source.recv(PIECE)
            if piece and source not in self._lost:
                sink.sendall(piece)
        except OSError:
            piece = b""
        if not piece:
            self._selector.unregister(source)
            if source not in self._lost:
                with suppress(OSError):
                    sink.shutdown(socket.SHUT_WR)


@contextmanager
def line_to(port: int) -> Iterator[Line]:
    """A line to the server at ``port``."""
    line = Line(port)
    try:
        yield line
    finally:
        line.close()
