"""The addresses of all sockets.

Plain routes: the framework's own would keep several frames and dependencies for each open socket.
"""

from collections.abc import Awaitable, Callable

from starlette.routing import Router, WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from server.domain.errors import ApiError, Code
from server.routes.services import Services, services_of
from server.routes.sockets.bot_socket import bot_socket
from server.routes.sockets.eval_socket import eval_socket
from server.routes.sockets.game_socket import game_socket
from server.routes.sockets.live_socket import live_socket
from server.routes.sockets.socket_connection import deny
from server.routes.sockets.uhp_socket import uhp_socket

Serve = Callable[[WebSocket, Services], Awaitable[None]]

PATHS: dict[str, Serve] = {
    "/ws/games/{game_id}": game_socket,
    "/ws/live-games": live_socket,
    "/ws/custom-bot": bot_socket,
    "/ws/eval/{game_id}": eval_socket,
    "/uhp": uhp_socket,
}


def socket_router() -> Router:
    """Returns the application that serves every socket, and refuses those with other addresses."""
    return Router([WebSocketRoute(path, _Door(serve)) for path, serve in PATHS.items()], default=_refuse)


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    text = f"There is no socket at {scope['path']}."
    await deny(WebSocket(scope, receive, send), ApiError(Code.NOT_FOUND, text))


class _Door:
    """The ASGI application of one kind of socket."""

    def __init__(self, serve: Serve) -> None:
        self._serve = serve

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        websocket = WebSocket(scope, receive, send)
        return self._serve(websocket, services_of(websocket))
