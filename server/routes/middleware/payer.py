"""Notes for whom a request or a socket works, who then pays for the heavy work that it causes."""

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from server.routes.client_origin import Clients
from server.services.payer import payer


class Payer:
    """ASGI middleware that sets ``payer`` to the address of the client."""

    def __init__(self, app: ASGIApp, clients: Clients) -> None:
        self._app = app
        self._clients = clients

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on."""
        if scope["type"] in ("http", "websocket"):
            payer.set(self._clients.address(HTTPConnection(scope)))
        await self._app(scope, receive, send)
