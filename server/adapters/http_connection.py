"""An HTTP connection of uvicorn that has to send its requests in time, their headers within a size.

Without that a client that opens connections and sends nothing keeps all file descriptors of the process. A WebSocket
begins as such a connection and counts until it is closed.
"""

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from server.adapters.connection_limit import ConnectionLimit
from server.domain.errors import ApiError

log = logging.getLogger(__name__)

HEADER_SECONDS = 10.0
"""How long a connection may take to send the headers of a request, from its opening or from their first byte."""

BODY_SECONDS = 60.0
"""How long the body may take after that."""

MAX_HEADER_BYTES = 65_536
"""How long the headers of a request may be; the parser would keep any number of them."""

REFUSAL = (
    b"HTTP/1.1 429 Too Many Requests\r\n"
    b"content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s"
)


def _nothing() -> None:
    """For connections that were never counted, or no longer are."""


class HttpConnection(HttpToolsProtocol):
    """One connection."""

    def __init__(self, *args: Any, limit: ConnectionLimit, **settings: Any) -> None:  # noqa: ANN401 - uvicorn's
        super().__init__(*args, **settings)
        self._limit = limit
        self._release: Callable[[], None] = _nothing
        self._deadline: asyncio.TimerHandle | None = None
        self._is_reading_headers = True
        self._header_bytes = 0
        """Bytes of the headers that are being read, without the piece in which they began."""

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

    def data_received(self, data: bytes) -> None:
        """Takes bytes of the client, unless its headers are too long."""
        before = self._header_bytes + len(data) if self._is_reading_headers else 0
        super().data_received(data)
        self._header_bytes = before if self._is_reading_headers else 0
        if self._header_bytes > MAX_HEADER_BYTES:
            log.info("the headers of a request are too long and its connection is closed")
            self.transport.abort()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._is_reading_headers = True
        self._expect_within(HEADER_SECONDS)

    def on_headers_complete(self) -> None:
        """Its headers are there."""
        self._is_reading_headers = False
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
