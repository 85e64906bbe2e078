"""Refuses addresses with a NUL character, which no name or id contains and not every database can compare."""

from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from server.domain.errors import ApiError, Code
from server.routes.errors import answer
from server.routes.sockets.socket_connection import deny

REFUSAL = ApiError(Code.MALFORMED, "An address contains no NUL character.")


class AddressCheck:
    """ASGI middleware: answers 400 ``malformed`` to requests whose path or query contains a NUL character."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuses the request or passes it on."""
        if scope["type"] == "lifespan" or not has_nul(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await deny(WebSocket(scope, receive, send), REFUSAL)
        else:
            await answer(REFUSAL)(scope, receive, send)


def has_nul(scope: Scope) -> bool:
    """Whether the path or the query of a request contains a NUL character."""
    return "\0" in scope["path"] or b"%00" in scope["query_string"]
