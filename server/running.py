"""Runs the application under uvicorn, and stops it so that nobody is cut off without a word."""

import gc
import logging
import resource
import socket
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

import uvicorn
from fastapi import FastAPI

from engines.inference import Model
from engines.pool.memory import return_big_blocks
from server.adapters.connection_limit import ConnectionLimit
from server.adapters.http_connection import HttpConnection
from server.adapters.web_socket import WebSocketConnection
from server.app import create_app
from server.logs import configuration
from server.routes.house import House
from server.settings import Settings

log = logging.getLogger(__name__)

MAX_FRAME_BYTES = 1 << 20
"""Only a flood is cut off by the library; sessions judge long messages themselves."""

STOP_SECONDS = 5

PING_SECONDS = 20.0
PONG_SECONDS = 20.0
"""How soon a peer must answer a ping."""

SWITCH_SECONDS = 0.0005
"""How soon a busy thread lets the event loop go on; Python's own 5 ms would be felt in every answer."""

GC_THRESHOLDS = (20_000, 20, 20)
"""New objects before the youngest are looked through for cycles, and how often that is done before older ones are."""


class Server(uvicorn.Server):
    """Tells the sockets before their connections are taken down."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self._app = app

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """What is there when everything has started stays for good: the garbage collector need not look at it.

        Otherwise a full collection holds the event loop up for a tenth of a second. Of what comes later nearly
        everything is freed when its last use ends, so collections are rare.
        """
        await super().startup(sockets)
        gc.freeze()
        gc.set_threshold(*GC_THRESHOLDS)
        gc.enable()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Closes the sockets with 1001 and ends the streams of analyses, then everything."""
        for server in self.servers:
            server.close()
        house: House = self._app.state.house
        await house.stop_sockets()
        await house.analyses.stop()
        await super().shutdown(sockets)


def _open_many_files() -> None:
    """Raises the limit on open files, each connection being one, as far as the system lets this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (OSError, ValueError):  # where no limit at all is given, the system may still have one
        log.warning("the limit of %d open files and connections cannot be raised", soft)
    else:
        log.info("up to %d files and connections can be open", hard)


def run(
    settings: Settings,
    listener: socket.socket,
    models: Sequence[Model],
    uhp_listener: socket.socket | None = None,
) -> None:
    """Serves on ``listener`` until a signal, with these networks; and UHP on a port of its own, if it has one."""
    sys.setswitchinterval(SWITCH_SECONDS)
    return_big_blocks()
    limit = ConnectionLimit(settings.connections_per_address, settings.trust_proxy)
    app = create_app(settings, models, uhp_listener, limit)
    http: Any = partial(HttpConnection, limit=limit)

    class WebSockets(WebSocketConnection):
        limits = settings.pace

    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=http,  # uvicorn only calls it
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
    _open_many_files()
    Server(config, app).run(sockets=[listener])
