"""``/uhp``: UHP over a WebSocket. A message is a command or a whole answer; the handshake is in the query."""

from collections.abc import AsyncIterator

from starlette.websockets import WebSocket

from protocols.session import FrameLost, is_oversize
from protocols.uhp.lines import frame_of, iterate_lines
from server.domain.token_bucket import MessageLimits
from server.routes.services import Services
from server.routes.sockets.socket_connection import Socket

PONG_SECONDS = 40.0
"""How soon a peer must answer a ping, so that a silent peer is dropped within a minute."""


class LineSocket(Socket):
    """A socket whose messages are one or more lines. The peer is never closed for sending too many, only delayed."""

    def __init__(self, websocket: WebSocket, limits: MessageLimits, address: str | None) -> None:
        super().__init__(websocket, limits.without_end(), address)
        if self._transport is not None:
            self._transport.ping_timeout = PONG_SECONDS

    async def _frames(self) -> AsyncIterator[str | FrameLost]:
        async for message in self.messages():
            if isinstance(message, bytes):
                yield FrameLost("text only")
            elif is_oversize(message):
                yield FrameLost("line too long")
            else:
                for number, line in enumerate(iterate_lines(message)):
                    if number > 0:
                        await self._pace.keep()
                    if self._transport is not None and self._transport.is_gone():
                        return
                    yield frame_of(line)


async def uhp_socket(websocket: WebSocket, services: Services) -> None:
    """Serves one UHP connection."""
    socket = await services.sockets.accept(websocket, LineSocket)
    if socket is not None:
        pairs = websocket.query_params.multi_items()
        await services.sockets.serve(socket, services.uhp.receive(socket, pairs))
