"""A minimal server for comparison: a socket of the same framework and web server that sends each text to all clients.

Each text received on ``/say`` is sent to all connections of ``/hear``, one after the other. Prints its address.

    python -m benchmarks.peers.bare
"""

from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from benchmarks.peers.listening import serve

HISTORY = '{"type":"eval-history","entries":[]}'

hearers: list[WebSocket] = []


async def hear(websocket: WebSocket) -> None:
    """A connection that receives every message."""
    await websocket.accept()
    await websocket.send_text(HISTORY)
    hearers.append(websocket)
    await websocket.receive()


async def say(websocket: WebSocket) -> None:
    """A connection whose messages are sent to all clients."""
    await websocket.accept()
    async for text in websocket.iter_text():
        for hearer in hearers:
            await hearer.send_text(text)


def main() -> None:
    """Serves until a signal arrives."""
    app = Starlette(routes=[WebSocketRoute("/hear", hear), WebSocketRoute("/say", say)])
    serve(app)


if __name__ == "__main__":
    main()
