"""A WebSocket connection of uvicorn that also does what ASGI has no message for. Fits ``ports.Transport``."""

import asyncio
import secrets
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from server.adapters.tcp_lag import lag_ms
from server.ports import TRANSPORT

SHARED_FRAMES = 16
"""Frames kept for the next connections that are sent the same text."""


class WebSocketConnection(WebSocketsSansIOProtocol):
    """One connection, without compression: frames of the same text are the same bytes for everybody."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Takes the connection."""
        self._pongs: dict[bytes, asyncio.Future[None]] = {}
        self.on_lost: Callable[[], None] | None = None
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        super().connection_lost(exc)
        if self.on_lost is not None:
            self.on_lost()

    def try_send(self, text: str) -> bool:
        """Writes a text frame if the connection takes it at once; whether it did."""
        if not self.writable.is_set() or self.conn.state is not State.OPEN or self.transport.is_closing():
            return False
        self.transport.write(_text_frame(text))
        return True

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
        """Takes a message of the application. An HTTP answer ends the handshake as well: uvicorn logs it as missing."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True


@lru_cache(maxsize=SHARED_FRAMES)
def _text_frame(text: str) -> bytes:
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)
