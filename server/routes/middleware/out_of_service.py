"""Refuses requests while clients have to go to another server; ``services.cluster.out_of_service`` says when.

Not those for the page, which finds another server by itself, and for operators. ``/healthz`` tells proxies.
"""

from collections.abc import Awaitable
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from server.domain.errors import out_of_service
from server.routes.errors import answer
from server.routes.services import services_in

API: Final = "/api/"

HEALTH: Final = "/healthz"


class OutOfServiceCheck:
    """ASGI middleware; sockets are refused by ``OpenSockets``."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answers 503, or passes the request on."""
        if _is_refusable(scope) and services_in(scope).out_of_service.is_out:
            return answer(out_of_service())(scope, receive, send)
        return self._app(scope, receive, send)


def _is_refusable(scope: Scope) -> bool:
    path = str(scope["path"]) if scope["type"] == "http" else ""
    return path.startswith(API) or path == HEALTH
