"""An HTTP connection of uvicorn that has to send its requests in time, and a limit on connections per client address.

Without them a client that opens connections and sends nothing keeps all file descriptors of the process. A WebSocket
begins as such a connection and counts until it is closed.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from server.domain.client_address import Network, client_address, is_within
from server.domain.errors import ApiError
from server.services.address_limits import AddressLimit

log = logging.getLogger(__name__)

HEADER_SECONDS = 10.0
"""How long a connection may take to send the headers of a request, from its opening or from their first byte."""

BODY_SECONDS = 60.0
"""How long the body may take after that."""

REFUSAL = (
    b"HTTP/1.1 429 Too Many Requests\r\n"
    b"content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s"
)


class ConnectionLimit:
    """Counts the open connections of each client address.

    Connections of trusted proxies are not limited, as each carries many clients, and neither are those of this machine.
    """

    def __init__(self, most: int, trusted: Sequence[Network] = ()) -> None:
        """``most`` per address; 0 for any number."""
        self._limit = AddressLimit(most, "connections")
        self._trusted = trusted
        self._reported: set[str] = set()
        """Addresses whose refusals are in the log, until they have no connection any more."""

    def open(self, peer: str | None) -> Callable[[], None]:
        """Counts one more connection; the result closes it. ApiError where the address has as many as it may."""
        address = None if is_within(peer, self._trusted) else client_address(peer, (), ())
        try:
            self._limit.take(address)
        except ApiError as refusal:
            if address is not None and address not in self._reported:
                self._reported.add(address)
                log.warning("connections of %s are refused: %s", address, refusal.text)
            raise

        def close() -> None:
            self._limit.give_back(address)
            if address is not None and not self._limit.has(address):
                self._reported.discard(address)

        return close


def _nothing() -> None:
    """For connections that were never counted, or no longer are."""


class HttpConnection(HttpToolsProtocol):
    """One connection."""

    def __init__(self, *args: Any, limit: ConnectionLimit, **settings: Any) -> None:  # noqa: ANN401 - uvicorn's
        super().__init__(*args, **settings)
        self._limit = limit
        self._release: Callable[[], None] = _nothing
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's own
        """Takes the connection, or refuses it at once."""
        super().connection_made(transport)
        try:
            self._release = self._limit.open(None if self.client is None else self.client[0])
        except ApiError as refusal:
            body = json.dumps(refusal.body()).encode()
            transport.write(REFUSAL % (len(body), body))
            transport.close()
            return
        self._expect_within(HEADER_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        self._expect_nothing()
        self._release()
        self._release = _nothing
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._expect_within(HEADER_SECONDS)

    def on_headers_complete(self) -> None:
        """Its headers are there."""
        self._expect_within(BODY_SECONDS)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """It is there as a whole."""
        self._expect_nothing()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """From now on the connection is a WebSocket, which counts in the place of this one."""
        self._expect_nothing()
        super().handle_websocket_upgrade()
        socket: Any = self.transport.get_protocol()
        socket.on_lost, self._release = self._release, _nothing

    def _expect_within(self, seconds: float) -> None:
        self._expect_nothing()
        self._deadline = self.loop.call_later(seconds, self._give_up)

    def _expect_nothing(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        log.info("a connection took too long to send a request and is closed")
        self.transport.abort()
