"""One connection as UHP sees it: lines in, messages out. Made by ``routes.uhp_socket`` and ``adapters.uhp_tcp``."""

from collections.abc import AsyncIterator
from typing import Protocol

from protocols.uhp.remote.words import LineLost

Received = str | LineLost
"""A line of the peer without its end, or what came in its place."""

TOO_LONG = LineLost("line too long")
BINARY = LineLost("text only")


class Wire(Protocol):
    """A connection. Whoever reads too slowly loses it; nobody waits for that."""

    @property
    def address(self) -> str | None:
        """The client's address as limits count it; None for one that no limit applies to."""
        ...

    @property
    def lines(self) -> AsyncIterator[Received]:
        """The peer's lines until it is gone: one iterator for the life of the connection.

        They come no faster than clients may send them.
        """
        ...

    def give_back(self) -> None:
        """The last line does not count among those that the client may send."""
        ...

    def send(self, text: str) -> None:
        """Sends an answer: one line, or several joined by LF."""
        ...

    def close(self, code: int, reason: str) -> None:
        """Closes after everything sent so far; code and reason are for those transports that have them."""
        ...

    def lag_ms(self) -> int:
        """Half the time of a way to the peer and back, as measured; 0 where nobody knows."""
        ...
