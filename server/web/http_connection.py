"""An HTTP connection of uvicorn with limits on the time for a request and on the size of its headers.

Without them, a client that opens connections and sends nothing could use up all file descriptors of the process. A
WebSocket starts as such a connection and counts until it is closed.
"""

import asyncio
import json
import logging
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from server.domain.errors import ApiError, Code
from server.domain.security_headers import HEADERS, NO_PAGE, RAW
from server.services.error_body import error_body
from server.web.connection_limit import ConnectionLimit, nothing
from server.web.joined_writes import JoinedWrites

log = logging.getLogger(__name__)

CUT: Final = "plyhouse.cut"
"""The extension of a request's scope with which the application ends the connection of a client that does not read."""

HEADER_SECONDS = 10.0
"""How long the headers of a request may take, from the opening of the connection or from their first byte."""

BODY_SECONDS = 60.0
"""How long the body may take after that at most."""

GRACE_SECONDS = 10.0
"""How long a body may take in any case."""

LEAST_RATE = 1000
"""How many bytes of a body must arrive in each second after that."""

MAX_SMALL_PARTS = 256
SMALL_PART = 64
"""Beyond the first ``MAX_SMALL_PARTS``, the parts of a body must have so many bytes on average."""

LINGER_SECONDS = 1.0
"""How long a client that keeps sending a body may take to read the answer that refused it."""

LINGER_BYTES = 1 << 20
"""The most bytes dropped for such a client; then reading stops, as even dropping takes time from others."""

MAX_HEADER_BYTES = 65_536
"""The largest size of the headers of a request, which the parser itself does not limit."""

HEALTH = b"/healthz"
"""The path that is answered on a proxy's connection even beyond the limit."""

RESPONSE = (
    b"HTTP/1.1 %d %s\r\n%scontent-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s"
)
"""An answer without a request: status, phrase, security headers, and the body with its length."""


async def _refuse(refusal: ApiError, scope: Scope, receive: Receive, send: Send) -> None:
    """The ASGI application of a refused connection."""
    body = json.dumps(error_body(refusal)).encode()
    headers = [
        *HEADERS,
        NO_PAGE,
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class _LingeringTransport(JoinedWrites):
    """The transport of an ``HttpConnection``, which may want to close later."""

    def close(self) -> None:
        """Closes it once everything has been sent, and has been read if the client is still sending a request."""
        connection = self.transport.get_protocol()
        if not (isinstance(connection, HttpConnection) and connection.linger()):
            super().close()


class HttpConnection(HttpToolsProtocol):
    """One connection.

    An answer that begins before the end of its request ends the connection, and says so: a client that does not know
    would send its next request on it, and could not tell whether that was carried out.
    """

    def __init__(self, *args: Any, limit: ConnectionLimit, **settings: Any) -> None:  # noqa: ANN401 - uvicorn's
        super().__init__(*args, **settings)
        self._limit = limit
        self._release: Callable[[], None] = nothing
        self._refusal: ApiError | None = None
        """The answer to all requests but health checks. A proxy on this machine looks like any other program."""
        self._application = self.app
        self._deadline: asyncio.TimerHandle | None = None
        self._is_reading_headers = True
        self._is_reading_body = False
        self._keeps_alive = False
        """Whether the connection outlasts the request being read, if it is answered after its end."""
        self._body_began = 0.0
        self._body_bytes = 0
        self._parts = 0
        """The parts of the body so far: the chunks, if it comes in chunks."""
        self._is_dropping = False
        """Whether the bytes that arrive are dropped, as the request has been answered already."""
        self._dropped_bytes = 0
        self._header_bytes = 0
        """The size so far of the headers being read, except for the chunk that they began in."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's own
        """Accepts the connection or refuses it: at once, or at its first request if it comes from a proxy."""
        super().connection_made(transport)
        self.transport: Any = _LingeringTransport(transport, self.loop)
        try:
            self._release = self._limit.open(self._peer)
        except ApiError as refusal:
            release = self._limit.open_for_checks(self._peer)
            if release is None:
                self._answer(refusal)
                return
            self._release, self._refusal = release, refusal
        self._expect_within(HEADER_SECONDS)

    @property
    def _peer(self) -> str | None:
        return None if self.client is None else self.client[0]

    def connection_lost(self, exc: Exception | None) -> None:
        """Handles the closing of the connection."""
        self._expect_nothing()
        self._release()
        self._release = nothing
        self.headers = []
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Handles bytes from the client, unless the headers of its request are too long."""
        if self._is_dropping:
            self._dropped_bytes += len(data)
            if self._dropped_bytes > LINGER_BYTES:
                self.transport.pause_reading()
            return
        before = self._header_bytes + len(data) if self._is_reading_headers else 0
        super().data_received(data)
        self._header_bytes = before if self._is_reading_headers else 0
        if self._header_bytes > MAX_HEADER_BYTES:
            log.info("closing a connection: the headers of its request are too long")
            self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        """Answers bytes that are not HTTP."""
        self._answer(ApiError(Code.MALFORMED, msg))

    def on_message_begin(self) -> None:
        """Handles the beginning of a request."""
        super().on_message_begin()
        extensions: dict[str, Any] = {CUT: self.transport.abort}  # One of its own methods would be a cycle.
        self.scope["extensions"] = extensions
        self._is_reading_headers = True
        self._expect_within(HEADER_SECONDS)

    def on_headers_complete(self) -> None:
        """Handles the end of a request's headers."""
        self._is_reading_headers = False
        self._is_reading_body = True
        self._parts = self._body_bytes = 0
        self._body_began = self.loop.time()
        self._expect_within(GRACE_SECONDS)
        if self._refusal is not None:
            is_check = self.url.partition(b"?")[0] == HEALTH
            self.app = self._application if is_check else partial(_refuse, self._refusal)
        super().on_headers_complete()
        if self.cycle is not None:
            self._keeps_alive, self.cycle.keep_alive = self.cycle.keep_alive, False

    def on_body(self, body: bytes) -> None:
        """Handles a part of a body. Tiny parts take far more time than the sender needs to send them."""
        self._parts += 1
        self._body_bytes += len(body)
        if self._parts > MAX_SMALL_PARTS + self._body_bytes // SMALL_PART:
            raise ValueError("too many parts")  # The parser stops, and calls send_400_response.
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Handles the end of a request."""
        self._is_reading_body = False
        self._expect_nothing()
        if self.cycle is not None:
            self.cycle.keep_alive = self._keeps_alive
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Handles the end of a response. Nothing follows on a connection that lingers."""
        if not self._is_dropping:
            super().on_response_complete()

    def shutdown(self) -> None:
        """Ends the connection after the request that is being answered or read, as the server stops."""
        self._keeps_alive = False
        super().shutdown()

    def linger(self) -> bool:
        """Closes the connection soon, if the client is still sending a request; returns whether.

        What still arrives is dropped while the client reads the answer, which closing at once would lose.
        """
        if not self._is_reading_body or self._is_dropping or self.transport.is_closing():
            return False
        self._expect_nothing()
        self._is_dropping = True
        self.transport.send()
        self.transport.write_eof()
        self.transport.resume_reading()
        self._deadline = self.loop.call_later(LINGER_SECONDS, self.transport.abort)
        return True

    def handle_websocket_upgrade(self) -> None:
        """Turns the connection into a WebSocket, which counts in its place, or refuses that."""
        forwarded_for = [
            value.decode("latin-1") for name, value in self.headers if name == b"x-forwarded-for"
        ]
        try:
            if self._refusal is not None:
                raise self._refusal
            release_socket = self._limit.open_socket(self._peer, forwarded_for)
        except ApiError as refusal:
            self._answer(refusal)
            return
        release_connection, self._release = self._release, nothing

        def release() -> None:
            release_socket()
            release_connection()

        self._expect_nothing()
        self.transport = self.transport.transport
        super().handle_websocket_upgrade()
        del self.parser  # Reference counting would not free the two, which refer to each other.
        socket: Any = self.transport.get_protocol()
        socket.on_lost = release

    def _answer(self, refusal: ApiError) -> None:
        """Sends an error and closes the connection."""
        body, phrase = json.dumps(error_body(refusal)).encode(), HTTPStatus(refusal.status).phrase.encode()
        self.transport.write(RESPONSE % (refusal.status, phrase, RAW, len(body), body))
        self.transport.close()

    def _expect_within(self, seconds: float) -> None:
        self._expect_nothing()
        self._deadline = self.loop.call_later(seconds, self._give_up)

    def _expect_nothing(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        """Closes the connection, unless a body is arriving fast enough."""
        spent = self.loop.time() - self._body_began
        if self._is_reading_body and spent < min(BODY_SECONDS, self._body_bytes / LEAST_RATE):
            self._expect_within(min(BODY_SECONDS, self._body_bytes / LEAST_RATE) - spent)
            return
        log.info("closing a connection: it took too long to send a request")
        self.transport.abort()
