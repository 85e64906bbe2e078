"""One accepted socket, with a peer that is gone."""

import asyncio
import gc
from types import SimpleNamespace
from typing import Any

from starlette.types import Message
from starlette.websockets import WebSocket

from server.domain.token_bucket import MessageLimits
from server.routes.sockets.socket_connection import Socket


class LostPeer:
    """Connects, and is gone."""

    def __init__(self) -> None:
        self._messages = ["websocket.connect", "websocket.disconnect"]

    async def receive(self) -> Message:
        return {"type": self._messages.pop(0)}

    async def send(self, message: Message) -> None:
        if message["type"] != "websocket.accept":
            raise OSError("the line is cut")


async def read(socket: Socket) -> None:
    async for _ in socket.messages():
        pass


async def test_what_is_sent_to_a_socket_that_has_ended_is_dropped_quietly() -> None:
    """A viewer is sent frames until the game knows that it has left."""
    logged: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: logged.append(context))
    peer = LostPeer()
    scope = {"type": "websocket", "route": SimpleNamespace(path="/ws")}
    websocket = WebSocket(scope, peer.receive, peer.send)
    await websocket.accept()
    socket = Socket(websocket, MessageLimits(), None)
    await socket.serve(read(socket))
    socket.send("too late")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    del socket
    gc.collect()
    assert logged == []
