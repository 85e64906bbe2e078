"""The interface of a client's connection, a WebSocket or TCP, which ``routes.sockets`` and ``web`` implement."""

from collections.abc import AsyncIterator, Hashable
from typing import Protocol

from protocols.session import FrameLost


class Connection(Protocol):
    """A connection. Sending never blocks: a peer that reads too slowly is disconnected."""

    @property
    def address(self) -> str | None:
        """The client's address for limits; None if no limits apply to it."""
        ...

    @property
    def frames(self) -> AsyncIterator[str | FrameLost]:
        """The peer's frames or lines until it has gone: one iterator for the life of the connection.

        They arrive no faster than the client's limit allows.
        """
        ...

    def give_back(self) -> None:
        """Does not count the last frame against the client's limit."""
        ...

    def send(self, text: str, key: Hashable = None) -> None:
        """Sends a frame: of UHP, one line, or several joined by LF.

        One that still waits in a WebSocket's outbox is replaced by the next one with the same key.
        """
        ...

    def close(self, code: int, reason: str = "") -> None:
        """Closes the connection after sending everything before; TCP has no codes or reasons."""
        ...

    async def is_alive(self, seconds: float) -> bool:
        """Whether the peer answers a ping within ``seconds``; True if no ping can be sent."""
        ...

    def lag_ms(self) -> int:
        """Half the measured round-trip time in milliseconds; 0 if unknown."""
        ...
