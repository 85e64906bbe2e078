"""Runs the application under uvicorn, and stops it so that nobody is cut off without a word."""

import asyncio
import gc
import secrets
import socket
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from engines.inference import Model
from engines.pool.memory import return_big_blocks
from server.adapters.tcp_lag import lag_ms
from server.app import create_app
from server.logs import configuration
from server.routes.house import House
from server.routes.sockets import PING
from server.routes.uhp_socket import LAG, UHP_PATH
from server.settings import Settings

MAX_FRAME_BYTES = 1 << 20
"""Only a flood is cut off by the library; sessions judge long messages themselves."""

STOP_SECONDS = 5

PING_SECONDS = 20.0
PONG_SECONDS = 20.0
"""How soon a peer must answer a ping."""

UHP_PONG_SECONDS = 40.0
"""The same for UHP, where a peer is gone when it has been silent for a minute."""

SWITCH_SECONDS = 0.0005
"""How soon a busy thread lets the event loop go on; Python's own 5 ms would be felt in every answer."""


class WebSockets(WebSocketsSansIOProtocol):
    """Tells every socket how long the way to its peer is: moves that come through it are not charged for that.

    Looks longer for peers that speak UHP. A socket can ping its peer.
    """

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Takes the connection."""
        self._pongs: dict[bytes, asyncio.Future[None]] = {}
        super().connection_made(transport)

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
        """Serves the socket."""
        connection = self.transport.get_extra_info("socket")
        extensions: dict[str, Any] = {
            **self.scope["extensions"],
            LAG: partial(lag_ms, connection),
            PING: self.ping,
        }
        self.scope["extensions"] = extensions
        if self.scope["path"] == UHP_PATH:
            self.ping_timeout = UHP_PONG_SECONDS
        await super().run_asgi()


class Server(uvicorn.Server):
    """Tells the sockets before their connections are taken down."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self._app = app

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """What is there when everything has started stays for good: the garbage collector need not look at it.

        Otherwise a full collection holds the event loop up for a tenth of a second.
        """
        await super().startup(sockets)
        gc.freeze()
        gc.enable()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Closes the sockets with 1001 and ends the streams of analyses, then everything."""
        for server in self.servers:
            server.close()
        house: House = self._app.state.house
        await house.stop_sockets()
        await house.analyses.stop()
        await super().shutdown(sockets)


def run(
    settings: Settings,
    listener: socket.socket,
    models: Sequence[Model],
    uhp_listener: socket.socket | None = None,
) -> None:
    """Serves on ``listener`` until a signal, with these networks; and UHP on a port of its own, if it has one."""
    sys.setswitchinterval(SWITCH_SECONDS)
    return_big_blocks()
    app = create_app(settings, models, uhp_listener)
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http="httptools",
        ws=WebSockets,
        ws_max_size=MAX_FRAME_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PONG_SECONDS,
        timeout_graceful_shutdown=STOP_SECONDS,
        log_config=configuration(),
        server_header=False,
        proxy_headers=False,
    )
    Server(config, app).run(sockets=[listener])
