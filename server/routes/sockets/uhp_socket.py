"""``/uhp``: UHP over a WebSocket. A message is a command or a whole answer; the handshake is in the query."""

from collections.abc import AsyncIterator

from fastapi import APIRouter
from starlette.websockets import WebSocket

from protocols.session import is_oversize
from protocols.uhp.lines import LineTooLong, iterate_lines
from server.routes.services import TheServices
from server.routes.sockets.socket_driver import Socket
from server.services.uhp.wire import BINARY, TOO_LONG, Received

router = APIRouter()

PONG_SECONDS = 40.0
"""How soon a peer must answer a ping, so that a silent peer is dropped within a minute."""


class SocketWire:
    """One socket. Implements ``services.uhp.wire.Wire``."""

    def __init__(self, socket: Socket, address: str | None) -> None:
        self._socket = socket
        self.address = address
        self.lines: AsyncIterator[Received] = self._lines()

    def send(self, text: str) -> None:
        """Sends an answer as one message."""
        self._socket.send(text)

    def close(self, code: int, reason: str) -> None:
        """Closes the connection after sending everything before."""
        self._socket.close(code, reason)

    def give_back(self) -> None:
        """Does not count the last line towards the rate limit."""
        self._socket.pace.give_back()

    def lag_ms(self) -> int:
        """Half the round-trip time in milliseconds; 0 if the server does not measure it."""
        return self._socket.lag_ms()

    async def _lines(self) -> AsyncIterator[Received]:
        async for frame in self._socket.frames():
            if isinstance(frame, bytes):
                yield BINARY
            elif is_oversize(frame):
                yield TOO_LONG
            else:
                for number, line in enumerate(iterate_lines(frame)):
                    if number > 0:
                        await self._socket.pace.keep()
                    if self._socket.is_gone():
                        return
                    yield TOO_LONG if isinstance(line, LineTooLong) else line


@router.websocket("/uhp")
async def uhp_socket(websocket: WebSocket, services: TheServices) -> None:
    """Serves one UHP connection."""
    socket = await services.sockets.accept(websocket, services.sockets.limits.without_end())
    if socket is None:
        return
    socket.set_ping_timeout(PONG_SECONDS)
    wire = SocketWire(socket, services.clients.address(websocket))
    pairs = websocket.query_params.multi_items()
    await services.sockets.serve(socket, services.uhp.receive(wire, pairs))
