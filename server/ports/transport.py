"""The interface of a WebSocket's connection, for what ASGI has no message."""

from typing import Final, Protocol

TRANSPORT: Final = "plyhouse.transport"
"""The extension of a WebSocket's scope in which Plyhouse's own web server provides its ``Transport``."""


class Transport(Protocol):
    """The connection of a WebSocket: operations for which ASGI has no message."""

    ping_timeout: float | None
    """Seconds within which the peer must answer a ping."""

    def try_send(self, text: str) -> bool:
        """Writes a text frame if that is possible without waiting, and returns whether it was written."""
        ...

    def is_gone(self) -> bool:
        """Whether the peer is known to have disconnected."""
        ...

    def lag_ms(self) -> int:
        """Half the round-trip time to the peer in milliseconds; 0 if unknown."""
        ...

    async def ping(self) -> None:
        """Pings the peer and returns when it has answered, or immediately if no ping can be sent."""
        ...
