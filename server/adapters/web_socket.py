"""A WebSocket connection of uvicorn that also does what ASGI has no message for. Fits ``ports.Transport``.

The peer's bytes are parsed frame by frame, and none while the application has a message to take. The application counts
the messages. Frames that it never sees (pings, pieces of messages, whatever follows the close) are counted here, so
that a flood of them does not keep the server busy.
"""

import asyncio
import secrets
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from protocols.session import POLICY_VIOLATION
from server.adapters.tcp_lag import lag_ms
from server.domain.pace import PaceLimits, Throttle
from server.ports import TRANSPORT

SHARED_FRAMES = 16
"""Frames kept for the next connections that are sent the same text."""

FRAMES_AT_ONCE = 16
"""Frames that are parsed before other connections have their turn."""

AFTER_CLOSE = PaceLimits(per_second=1.0, burst=64)
"""Of frames that may still be on their way when the server closes; what follows is not parsed."""

LINGER_SECONDS = 1.0
"""How long a peer that does not stop sending may take to read the close; a connection cut sooner loses it."""

LINGER_BYTES = 1 << 20
"""What is dropped of it at most; then nothing more is read, as dropping takes time from everybody else."""

CONTROL = (Opcode.PING, Opcode.PONG, Opcode.CLOSE)

INVALID_DATA: Final = 1007
LENGTH_BYTES = {126: 2, 127: 8}
"""Lengths in a frame's second byte that stand for one in so many further bytes (RFC 6455, 5.2)."""
MASK_BYTES = 4


class WebSocketConnection(WebSocketsSansIOProtocol):
    """One connection, without compression: frames of the same text are the same bytes for everybody."""

    limits = PaceLimits()
    """Of frames that the application never sees."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Takes the connection."""
        self._pongs: dict[bytes, asyncio.Future[None]] = {}
        self.on_lost: Callable[[], None] | None = None
        self._unparsed = bytearray()
        self._missing = 0
        """Bytes of the frame that is being parsed that have not been parsed yet."""
        self._throttle = Throttle(self.limits, self.loop.time())
        self._next_turn: asyncio.Handle | None = None
        """When the next frames are parsed; nothing is read until then."""
        self._is_discarding = False
        """Whether bytes of the peer are dropped, while it may still read why the connection is closed."""
        self._discarded_bytes = 0
        super().connection_made(transport)

    # ---- what the application asks ---------------------------------------------------------------

    def try_send(self, text: str) -> bool:
        """Writes a text frame if the connection takes it at once; whether it did."""
        if not self.writable.is_set() or self.conn.state is not State.OPEN or self.transport.is_closing():
            return False
        self.transport.write(_text_frame(text))
        return True

    def is_gone(self) -> bool:
        """Whether the connection is being taken down."""
        return self.transport.is_closing()

    def lag_ms(self) -> int:
        """Half the round-trip time to the peer in milliseconds; 0 where it is not known."""
        return lag_ms(self.transport.get_extra_info("socket"))

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

    def handle_pong(self, event: Frame) -> None:
        """Takes the answer to a ping of ours, or to one of uvicorn's own."""
        pong = self._pongs.get(bytes(event.data))
        if pong is None:
            super().handle_pong(event)
        elif not pong.done():
            pong.set_result(None)

    async def run_asgi(self) -> None:
        """Serves the connection, to which it offers itself."""
        extensions: dict[str, Any] = {**self.scope["extensions"], TRANSPORT: self}
        self.scope["extensions"] = extensions
        await super().run_asgi()

    async def send(self, message: ASGISendEvent) -> None:
        """Takes a message of the application. An HTTP answer ends the handshake as well: uvicorn logs it as missing.

        ClientDisconnected once the connection is being taken down, for which uvicorn blames the application.
        """
        if self.transport.is_closing():
            raise ClientDisconnected
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True
        if message["type"] == "websocket.close":
            self._throttle = Throttle(AFTER_CLOSE, self.loop.time())
            if self._next_turn is None:
                self._parse()

    async def receive(self) -> ASGIReceiveEvent:
        """The next message. Only when the application has taken it the frames behind it are parsed."""
        message = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            self._parse()
        return message

    # ---- what the peer sends ---------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Takes bytes of the peer."""
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
        """Parses frames until the application has a message, or others have their turn."""
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
        """Parses the next frame, or as much of it as has come; whether anything has."""
        if self._missing == 0:
            self._missing = _frame_bytes(self._unparsed)
        piece = bytes(self._unparsed[: self._missing])
        del self._unparsed[: self._missing]
        self._missing -= len(piece)
        if piece:
            super().data_received(piece)
        return bool(piece)

    def handle_events(self) -> None:
        """Handles the frame that has been parsed."""
        unseen = any(isinstance(event, Frame) and self._is_unseen(event) for event in self.conn.events)
        super().handle_events()
        if unseen:
            self._count()

    def _is_unseen(self, frame: Frame) -> bool:
        return self.close_sent or not frame.fin or frame.opcode in CONTROL

    def _count(self) -> None:
        """Counts a frame that the application does not see. To a peer that sends too many of them nobody listens."""
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
        """Hands a whole message on, unless it is no text: uvicorn would log a traceback for that."""
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self._close(INVALID_DATA, "text is UTF-8")
                return
        super().send_receive_event_to_app()

    # ---- the end ---------------------------------------------------------------------------------

    def _close(self, code: int, reason: str) -> None:
        """Closes by itself: the application is told that the peer is gone."""
        self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = self.disconnected = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)

    def keepalive_timeout(self) -> None:
        """A pong is missing. It may stand behind frames that have to wait; then so does the peer's end."""
        if self.read_paused or self._next_turn is not None:
            self.pong_timer = self.loop.call_later(self.ping_timeout or 0, self.keepalive_timeout)
        else:
            super().keepalive_timeout()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        if self._next_turn is not None:
            self._next_turn.cancel()
        super().connection_lost(exc)
        if self.on_lost is not None:
            self.on_lost()


def _frame_bytes(data: bytearray) -> int:
    """How long the frame is that begins ``data``, its header included; 0 where that is not known yet."""
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
