"""A minimal server for comparison: a socket of the same framework and web server that sends each text to all clients.

Each text received on ``/say`` is sent to all connections of ``/hear``, one after the other. Prints its address.

    python -m benchmarks.peers.bare
"""

import socket

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

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
    """Serves with the settings of ``server.running``."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    app = Starlette(routes=[WebSocketRoute("/hear", hear), WebSocketRoute("/say", say)])
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http="httptools",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        log_level="error",
    )
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
