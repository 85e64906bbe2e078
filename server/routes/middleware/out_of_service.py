"""Refuses clients while they have to go to another server; ``services.cluster.out_of_service`` says when.

``/healthz`` is refused as well, so that proxies choose another server.
"""

from collections.abc import Awaitable
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from server.domain.errors import ApiError, Code
from server.routes.direct import respond
from server.routes.errors import answer
from server.routes.middleware.fast_path import ADDED
from server.routes.services import services_in
from server.routes.sockets.socket_connection import deny

FOR_OPERATORS: Final = frozenset({"/readyz", "/metrics"})

REFUSAL: Final = ApiError(
    Code.UNAVAILABLE,
    "This server cannot reach its database, but another one can: connect to that one.",
    retry_after_ms=1000,
)


class OutOfServiceCheck:
    """ASGI middleware outside all that answers clients."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Passes the request or socket on, or refuses it."""
        if scope["type"] == "lifespan" or scope["path"] in FOR_OPERATORS:
            return self._app(scope, receive, send)
        if not services_in(scope).out_of_service.is_out:
            return self._app(scope, receive, send)
        if scope["type"] == "websocket":
            return deny(WebSocket(scope, receive, send), REFUSAL)
        return respond(answer(REFUSAL), send, ADDED)
