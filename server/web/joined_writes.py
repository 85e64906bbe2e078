"""A transport that sends what is written in one step of the event loop together.

The web server writes the head and the body of a response one after the other, and each write would be a system call
that wakes the client.
"""

import asyncio
from typing import Any

MOST_BYTES = 65_536
"""More than that is sent at once."""


class JoinedWrites:
    """Delays writes to ``transport`` until the event loop's next step. Everything else is the transport's."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self.transport = transport
        self._loop = loop
        self._unsent: list[bytes] = []
        self._size = 0

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any member of a transport
        return getattr(self.transport, name)

    def write(self, data: bytes) -> None:
        """Writes bytes soon."""
        if not self._unsent:
            self._loop.call_soon(self.send)
        self._unsent.append(data)
        self._size += len(data)
        if self._size > MOST_BYTES:
            self.send()

    def send(self) -> None:
        """Writes now what has not been sent yet."""
        if self._unsent and not self.transport.is_closing():
            data, self._unsent, self._size = b"".join(self._unsent), [], 0
            self.transport.write(data)

    def close(self) -> None:
        """Closes the transport once everything has been sent."""
        self.send()
        self.transport.close()
