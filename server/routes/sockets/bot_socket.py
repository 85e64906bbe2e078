"""``/ws/custom-bot``: clients of V3 bots."""

from fastapi import APIRouter
from starlette.websockets import WebSocket

from server.routes.services import TheServices
from server.routes.sockets.socket_connection import Socket
from server.services.bots.remote_analyst import RemoteAnalyst

router = APIRouter()


@router.websocket("/ws/custom-bot")
async def bot_socket(websocket: WebSocket, services: TheServices) -> None:
    """Attaches bots for as long as the connection lasts."""
    socket = await services.sockets.accept(websocket)
    if socket is None:
        return
    client = RemoteAnalyst(services.bot_terms, services.bot_clients, socket, socket.address)
    try:
        await services.sockets.serve(socket, _receive(socket, client))
    finally:
        client.disconnected()


async def _receive(socket: Socket, client: RemoteAnalyst) -> None:
    async for frame in socket.messages():
        if client.receive(frame):
            socket.give_back()
