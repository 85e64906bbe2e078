"""A UHP connection: lines in, messages out. Implemented by ``routes.sockets.uhp_socket`` and ``web.uhp_tcp``."""

from collections.abc import AsyncIterator
from typing import Protocol

from protocols.uhp.remote.effects import LineLost

Received = str | LineLost
"""A line from the peer without its end, or a note about unreadable input."""

TOO_LONG = LineLost("line too long")
BINARY = LineLost("text only")


class Wire(Protocol):
    """A connection. Sending never blocks: a peer that reads too slowly is disconnected."""

    @property
    def address(self) -> str | None:
        """The client's address for limits; None if no limits apply to it."""
        ...

    @property
    def lines(self) -> AsyncIterator[Received]:
        """The peer's lines until it has gone: one iterator for the life of the connection.

        Lines arrive no faster than the client's limit allows.
        """
        ...

    def give_back(self) -> None:
        """Does not count the last line against the client's limit."""
        ...

    def send(self, text: str) -> None:
        """Sends an answer: one line, or several joined by LF."""
        ...

    def close(self, code: int, reason: str) -> None:
        """Closes the connection after sending all output; only some transports have code and reason."""
        ...

    def lag_ms(self) -> int:
        """Half the measured round-trip time; 0 if unknown."""
        ...
