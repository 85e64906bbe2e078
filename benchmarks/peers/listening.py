"""Serves an application as ``server.running`` does, and prints its address."""

import socket

import uvicorn
from starlette.applications import Starlette


def serve(app: Starlette) -> None:
    """Serves on a free port until a signal arrives."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http="httptools",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        log_level="error",
    )
    uvicorn.Server(config).run(sockets=[listener])
