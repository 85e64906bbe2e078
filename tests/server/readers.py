"""Clients that call the application like a web server, so that tests control what is read, and when."""

import asyncio
import json
from typing import Any

import httpx

from server.web.web_socket import TRANSPORT

Json = dict[str, Any]

SERVERS = ("ours", "plain ASGI")
"""Web servers with and without the extension for writing a frame immediately."""


class Reader:
    """One WebSocket. While ``reads`` is cleared, the client reads nothing, so nothing can be written to it."""

    def __init__(self, client: httpx.AsyncClient, address: str, server: str = "ours") -> None:
        self.reads = asyncio.Event()
        self.reads.set()
        self.texts: list[str] = []
        self.accepted = asyncio.Event()
        self.close_code: int | None = None
        self.ping_timeout: float | None = 20.0
        self._changed = asyncio.Event()
        self._told: asyncio.Queue[Json] = asyncio.Queue()
        self._told.put_nowait({"type": "websocket.connect"})
        path, _, query = address.partition("?")
        scope = {
            "type": "websocket",
            "path": path,
            "query_string": query.encode(),
            "headers": [],
            "extensions": {TRANSPORT: self} if server == "ours" else {},
        }
        app = client._transport.app  # type: ignore[attr-defined]  # that of the transport that calls it itself
        self._served = asyncio.ensure_future(app(scope, self._told.get, self._take))
        self._served.add_done_callback(lambda _: self._changed.set())

    def try_send(self, text: str) -> bool:
        """The extension's method for writing a frame immediately."""
        if self.reads.is_set():
            self._read(text)
        return self.reads.is_set()

    def is_gone(self) -> bool:
        """Always False."""
        return False

    def lag_ms(self) -> int:
        """Always 0."""
        return 0

    async def ping(self) -> None:
        """The extension's method for pings."""
        await self.reads.wait()

    async def _take(self, message: Any) -> None:
        await self.reads.wait()
        if message["type"] == "websocket.accept":
            self.accepted.set()
        if "text" in message:
            self._read(message["text"])
        self.close_code = message.get("code", self.close_code)

    def _read(self, text: str) -> None:
        self.texts.append(text)
        self._changed.set()

    def send(self, **message: Any) -> None:
        """Sends a frame to the application."""
        self._told.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    async def until(self, kind: str, count: int = 1) -> list[Json]:
        """Waits for a number of frames of a type and returns them."""
        async with asyncio.timeout(60):
            while len(found := self.of(kind)) < count and not self._served.done():
                self._changed.clear()
                await self._changed.wait()
        return found

    def of(self, kind: str) -> list[Json]:
        """Returns the frames of a type received so far."""
        return [frame for text in self.texts if (frame := json.loads(text))["type"] == kind]

    async def leave(self) -> None:
        """Disconnects; raises what the application raises."""
        self.reads.set()
        self._told.put_nowait({"type": "websocket.disconnect", "code": 1000})
        async with asyncio.timeout(60):
            await self._served
