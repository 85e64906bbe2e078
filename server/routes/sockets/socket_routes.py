"""The addresses of all sockets.

The framework's own router and dependencies would keep several frames for each open socket.
"""

from collections.abc import Awaitable, Callable

from starlette.routing import Match, WebSocketRoute
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


class SocketRoutes:
    """The application that serves every socket, and refuses those with other addresses."""

    def __init__(self) -> None:
        self._routes = [WebSocketRoute(path, _Door(serve)) for path, serve in PATHS.items()]

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Serves a socket."""
        for route in self._routes:
            match, found = route.matches(scope)
            if match is Match.FULL:
                scope.update(found, route=route)
                return route.app(scope, receive, send)
        text = f"There is no socket at {scope['path']}."
        return deny(WebSocket(scope, receive, send), ApiError(Code.NOT_FOUND, text))


class _Door:
    """The ASGI application of one kind of socket."""

    def __init__(self, serve: Serve) -> None:
        self._serve = serve

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        websocket = WebSocket(scope, receive, send)
        return self._serve(websocket, services_of(websocket))
