"""``/uhp``: UHP over a WebSocket, one message a command or a whole answer; the handshake stands in the query."""

from collections.abc import AsyncIterator, Callable

from fastapi import APIRouter
from starlette.websockets import WebSocket

from protocols.session import is_oversize
from protocols.uhp.lines import LineTooLong, split_message
from server.routes.house import TheHouse
from server.routes.sockets import Socket
from server.services.uhp.wire import BINARY, TOO_LONG, Received

router = APIRouter()

UHP_PATH = "/uhp"

LAG = "plyhouse.lag_ms"
"""The extension of a WebSocket's scope by which the server that runs us tells how long the way to the peer is."""


class SocketWire:
    """One socket. Fits ``services.uhp.wire.Wire``."""

    def __init__(self, socket: Socket, lag: Callable[[], int] | None) -> None:
        self._socket = socket
        self._lag = lag
        self.lines: AsyncIterator[Received] = self._lines()

    def send(self, text: str) -> None:
        """Sends an answer as one message."""
        self._socket.send(text)

    def close(self, code: int, reason: str) -> None:
        """Closes after everything sent so far."""
        self._socket.close(code, reason)

    def lag_ms(self) -> int:
        """Half the round-trip time; 0 where the server does not tell."""
        return 0 if self._lag is None else self._lag()

    async def _lines(self) -> AsyncIterator[Received]:
        async for frame in self._socket.frames():
            if isinstance(frame, bytes):
                yield BINARY
            elif is_oversize(frame):
                yield TOO_LONG
            else:
                for line in split_message(frame):
                    yield TOO_LONG if isinstance(line, LineTooLong) else line


@router.websocket(UHP_PATH)
async def uhp_socket(websocket: WebSocket, house: TheHouse) -> None:
    """Serves one UHP connection."""
    socket = await house.sockets.accept(websocket)
    if socket is None:
        return
    wire = SocketWire(socket, websocket.scope.get("extensions", {}).get(LAG))
    pairs = websocket.query_params.multi_items()
    await house.sockets.serve(socket, house.uhp.receive_query(wire, pairs))
