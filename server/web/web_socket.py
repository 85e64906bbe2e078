"""A WebSocket connection of uvicorn with operations for which ASGI has no message.

Bytes are parsed frame by frame, and not while the application has a message to handle. The application counts messages.
Frames that it never sees (pings, fragments of messages, frames after the close) are counted here, so that a flood of
them cannot keep the server busy.
"""

import asyncio
import logging
import random
import secrets
from collections.abc import Callable
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final

import uvicorn
from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from protocols.session import POLICY_VIOLATION
from server.domain.security_headers import HEADERS, NO_PAGE
from server.domain.token_bucket import MessageLimits, TokenBucket
from server.services.reader_queue import ReaderQueue
from server.web.gate import Gate
from server.web.tcp_lag import lag_ms

_FAULTS: Final = logging.getLogger("uvicorn.websockets")
"""Logs only what is wrong: the application logs the opening and the end of a socket."""
_FAULTS.setLevel(logging.WARNING)

TRANSPORT: Final = "plyhouse.transport"
"""The extension of a WebSocket's scope in which this web server provides its connection."""

SHARED_FRAMES = 16
"""How many encoded frames are cached, for other connections that are sent the same text."""

FRAMES_AT_ONCE = 16
"""How many frames are parsed before other connections get their turn."""

AFTER_CLOSE = MessageLimits(per_second=1.0, burst=64)
"""The limits for frames that may still arrive after the server's close; the rest is not parsed."""

LINGER_SECONDS = 1.0
"""How long a peer that keeps sending may take to read the close frame, which an earlier cut would lose."""

LINGER_BYTES = 1 << 20
"""The most bytes dropped for such a peer; then reading stops, as even dropping takes time from others."""

FIRST_PING_SECONDS: Final = 1.0
"""The time from the handshake to the first ping."""

CONTROL = (Opcode.PING, Opcode.PONG, Opcode.CLOSE)

INVALID_DATA: Final = 1007
LENGTH_BYTES = {126: 2, 127: 8}
"""Values of a frame's second byte that announce a length of so many further bytes (RFC 6455, 5.2)."""
MASK_BYTES = 4


class _Handshake(ServerProtocol):
    """The library's protocol with security headers in its answers to refused handshakes."""

    def send_response(self, response: Response) -> None:
        """Sends the answer to a handshake, whether from the library or the application."""
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            for name, value in (*HEADERS, NO_PAGE):
                response.headers.setdefault(name.decode(), value.decode())
        super().send_response(response)


class WebSocketConnection(WebSocketsSansIOProtocol):
    """One connection, without compression: frames with the same text are the same bytes for everyone."""

    limits = MessageLimits()
    """The limits for frames that the application never sees."""

    def __init__(self, config: uvicorn.Config, *args: Any, **more: Any) -> None:  # noqa: ANN401 - uvicorn's
        super().__init__(config, *args, **more)
        self.logger = _FAULTS
        self.conn = _Handshake(max_size=config.ws_max_size, logger=_FAULTS)
        self.queue: Any = ReaderQueue[ASGIReceiveEvent]()
        self.writable: Any = Gate()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Handles the opening of the connection."""
        self._pongs: dict[bytes, asyncio.Future[None]] = {}
        self._pings_regularly = False
        self.on_lost: Callable[[], None] | None = None
        self._unparsed = bytearray()
        self._missing = 0
        """How many bytes of the current frame have not been parsed yet."""
        self._throttle = TokenBucket(self.limits, self.loop.time())
        self._next_turn: asyncio.Handle | None = None
        """The callback that parses the next frames; nothing is read until then."""
        self._is_discarding = False
        """Whether the peer's bytes are dropped, while it may still read why the connection is closed."""
        self._discarded_bytes = 0
        super().connection_made(transport)

    # ---- called by the application ---------------------------------------------------------------

    def try_send(self, text: str) -> bool:
        """Writes a text frame if the connection accepts it at once; returns whether it did."""
        if not self.writable.is_set() or self.conn.state is not State.OPEN or self.transport.is_closing():
            return False
        self.transport.write(_text_frame(text))
        return True

    def is_gone(self) -> bool:
        """Whether the connection is closing."""
        return self.transport.is_closing()

    def abort(self) -> None:
        """Ends the connection without sending what is left."""
        self.transport.abort()

    def lag_ms(self) -> int:
        """Half the round-trip time to the peer in milliseconds; 0 if unknown.

        Behind a proxy, only the pings know of the client's own line.
        """
        return max(lag_ms(self.transport.get_extra_info("socket")), round(self.last_ping_rtt * 500))

    async def ping(self) -> None:
        """Pings the peer and returns when it has answered."""
        payload = secrets.token_bytes(8)
        pong: asyncio.Future[None] = self.loop.create_future()
        self._pongs[payload] = pong
        try:
            if not self.transport.is_closing():
                self.conn.send_ping(payload)
                self.transport.write(b"".join(self.conn.data_to_send()))
            await pong
        finally:
            del self._pongs[payload]

    def start_keepalive(self) -> None:
        """Pings soon: until the first answer, the lag of a peer behind a proxy is not known."""
        if self.ping_interval:
            first = min(FIRST_PING_SECONDS, self.ping_interval)
            self.ping_timer = self.loop.call_later(first, self.send_keepalive_ping)

    def schedule_ping(self) -> None:
        """Pings regularly, but first at any time: sockets that were opened together are not pinged together."""
        if self._pings_regularly:
            super().schedule_ping()
        else:
            self._pings_regularly = True
            first = random.uniform(0.0, self.ping_interval or 0.0)  # noqa: S311 - no secret
            self.ping_timer = self.loop.call_later(first, self.send_keepalive_ping)

    def handle_pong(self, event: Frame) -> None:
        """Handles the answer to a ping of ours, or to one of uvicorn's own."""
        pong = self._pongs.get(bytes(event.data))
        if pong is None:
            super().handle_pong(event)
        elif not pong.done():
            pong.set_result(None)

    async def run_asgi(self) -> None:
        """Runs the application, which gets this object as an extension of its scope."""
        extensions: dict[str, Any] = {**self.scope["extensions"], TRANSPORT: self}
        self.scope["extensions"] = extensions
        await super().run_asgi()
        del extensions[TRANSPORT]  # Reference counting would not free the two, which refer to each other.

    async def send(self, message: ASGISendEvent) -> None:
        """Sends a message of the application. An HTTP answer also ends the handshake, which uvicorn overlooks.

        ClientDisconnected once the connection is closing: uvicorn would report it as the application's error.
        """
        if self.transport.is_closing():
            raise ClientDisconnected
        await super().send(message)
        if message["type"] == "websocket.accept":
            self.request.headers.clear()  # The parser keeps the request as long as the connection.
            del self.request, self.response
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True
        if message["type"] == "websocket.close":
            self._throttle = TokenBucket(AFTER_CLOSE, self.loop.time())
            if self._next_turn is None:
                self._parse()

    async def receive(self) -> ASGIReceiveEvent:
        """The next message. The frames after it are parsed only once the application has taken it."""
        message: ASGIReceiveEvent = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            self._parse()
        return message

    # ---- bytes of the peer -----------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Handles bytes from the peer."""
        if not self.handshake_initiated:
            super().data_received(data)
            return
        if self._is_discarding:
            self._discarded_bytes += len(data)
            if self._discarded_bytes > LINGER_BYTES:
                self.transport.pause_reading()
            return
        self._unparsed += data
        if self._next_turn is None and not self.read_paused:
            self._parse()

    def _parse(self) -> None:
        """Parses frames until the application has a message or other connections need the event loop."""
        self._next_turn, wait = None, 0.0
        for _ in range(FRAMES_AT_ONCE):
            if self.transport.is_closing():
                self._unparsed.clear()
                return
            if self.read_paused:
                return
            if not self._parse_piece():
                self.transport.resume_reading()
                return
            if self._is_discarding:
                self._unparsed.clear()
                self.transport.resume_reading()
                return
            wait = self._throttle.wait(self.loop.time())
            if wait > 0:
                break
        self.transport.pause_reading()
        self._next_turn = (
            self.loop.call_later(wait, self._parse) if wait else self.loop.call_soon(self._parse)
        )

    def _parse_piece(self) -> bool:
        """Parses the next frame, or as much of it as has arrived; returns whether anything has."""
        if self._missing == 0:
            self._missing = _frame_bytes(self._unparsed)
        piece = bytes(self._unparsed[: self._missing])
        del self._unparsed[: self._missing]
        self._missing -= len(piece)
        if piece:
            super().data_received(piece)
        return bool(piece)

    def handle_events(self) -> None:
        """Handles a parsed frame."""
        unseen = any(isinstance(event, Frame) and self._is_unseen(event) for event in self.conn.events)
        super().handle_events()
        if unseen:
            self._count()

    def _is_unseen(self, frame: Frame) -> bool:
        return self.close_sent or not frame.fin or frame.opcode in CONTROL

    def _count(self) -> None:
        """Counts a frame that the application does not see. If there are too many, the rest is dropped."""
        now = self.loop.time()
        if self._throttle.take(now) == 0 or self.transport.is_closing():
            return
        if not self.close_sent and not self._throttle.is_exhausted(now):
            return
        if not self.close_sent:
            self._close(POLICY_VIOLATION, "Too many frames")
        self._is_discarding = True
        if self.close_timer is not None:
            self.close_timer.cancel()
        self.close_timer = self.loop.call_later(LINGER_SECONDS, self.transport.close)

    def send_receive_event_to_app(self) -> None:
        """Passes on a whole message, unless it is invalid text, for which uvicorn would log a traceback."""
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self._close(INVALID_DATA, "text is UTF-8")
                return
        super().send_receive_event_to_app()

    # ---- closing ---------------------------------------------------------------------------------

    def _close(self, code: int, reason: str) -> None:
        """Closes the connection from this side, and reports a disconnected peer to the application."""
        self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = self.disconnected = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)

    def keepalive_timeout(self) -> None:
        """Handles a missing pong. It may be behind frames that have to wait; then the connection stays open."""
        if self.read_paused or self._next_turn is not None:
            self.pong_timer = self.loop.call_later(self.ping_timeout or 0, self.keepalive_timeout)
        else:
            super().keepalive_timeout()

    def connection_lost(self, exc: Exception | None) -> None:
        """Handles the closing of the connection."""
        if self._next_turn is not None:
            self._next_turn.cancel()
        super().connection_lost(exc)
        if self.on_lost is not None:
            self.on_lost()


def _frame_bytes(data: bytearray) -> int:
    """The length of the frame that ``data`` begins with, including its header; 0 if not known yet."""
    if len(data) < 2:
        return 0
    is_masked, length = data[1] & 0x80, data[1] & 0x7F
    header = 2 + LENGTH_BYTES.get(length, 0)
    if len(data) < header:
        return 0
    if header > 2:
        length = int.from_bytes(data[2:header])
    return header + (MASK_BYTES if is_masked else 0) + length


@lru_cache(maxsize=SHARED_FRAMES)
def _text_frame(text: str) -> bytes:
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)
