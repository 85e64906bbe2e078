"""Runs the application under uvicorn. On shutdown every socket gets a close frame first."""

import logging
import resource
import socket
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

import uvicorn
from fastapi import FastAPI

from drivers.model_reload import ModelReload
from engines.inference import Model
from engines.pool.memory import return_big_blocks
from server.app import create_app
from server.engine_services import reload_models
from server.garbage import IdleCollection
from server.routes.services import Services
from server.settings import Settings
from server.web.connection_limit import ConnectionLimit, connections_within
from server.web.http_connection import HttpConnection
from server.web.web_socket import WebSocketConnection

log = logging.getLogger(__name__)

MAX_FRAME_BYTES = 1 << 20
"""The library's limit, against floods; sessions have their own, lower limits."""

STOP_SECONDS = 5

PING_SECONDS = 20.0
PONG_SECONDS = 20.0
"""The time limit for the answer to a ping."""

SWITCH_SECONDS = 0.0005
"""How long a busy thread may keep the event loop waiting; Python's default of 5 ms would slow down every response."""


class Server(uvicorn.Server):
    """Closes the sockets properly before uvicorn closes their connections, and reloads networks on SIGHUP."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, settings: Settings) -> None:
        super().__init__(config)
        self._app = app
        self._settings = settings
        self._model_reload: ModelReload | None = None
        self.collection = IdleCollection()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts the server."""
        await super().startup(sockets)
        self.collection.start()
        if self.started:
            services: Services = self._app.state.services
            load = partial(reload_models, self._settings)
            self._model_reload = ModelReload(services.pool, load, self._settings.provider, self._stop)
            self._model_reload.start()

    def _stop(self) -> None:
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Closes the sockets with 1001 and ends the streams of analyses, then shuts down."""
        for server in self.servers:
            server.close()
        self.collection.stop()
        if self._model_reload is not None:
            await self._model_reload.stop()
        services: Services = self._app.state.services
        await services.stop_sockets()
        await services.analyses.stop()
        await super().shutdown(sockets)


def _open_many_files() -> int:
    """Raises the limit on open files to the hard limit, since each connection needs one.

    Returns the resulting limit; negative: unlimited.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (OSError, ValueError):  # an unlimited hard limit may still exceed the system's
        log.warning("cannot raise the limit of %d open files", soft)
        return soft
    log.info("limit on open files: %d", hard)
    return hard


def run(
    settings: Settings,
    listener: socket.socket,
    models: Sequence[Model],
    uhp_listener: socket.socket | None = None,
) -> None:
    """Serves on ``listener``, and UHP on ``uhp_listener`` if given, until a signal arrives."""
    sys.setswitchinterval(SWITCH_SECONDS)
    return_big_blocks()
    open_files = _open_many_files()
    total = connections_within(open_files) if settings.connections is None else settings.connections
    limit = ConnectionLimit(
        settings.connections_per_address, settings.trust_proxy, total, settings.connections_per_second
    )
    app = create_app(settings, models, uhp_listener, limit)
    http: Any = partial(HttpConnection, limit=limit)

    class WebSockets(WebSocketConnection):
        limits = settings.pace

    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=http,  # typed as a class, but uvicorn only calls it
        ws=WebSockets,
        ws_max_size=MAX_FRAME_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PONG_SECONDS,
        timeout_graceful_shutdown=STOP_SECONDS,
        log_config=None,
        server_header=False,
        proxy_headers=False,
    )
    Server(config, app, settings).run(sockets=[listener])
