"""``/ws/custom-bot``: clients of V3 bots. They are pinged as all WebSockets are (``server.running``)."""

from starlette.websockets import WebSocket

from server.routes.services import Services
from server.routes.sockets.socket_connection import Socket
from server.services.bots.attached_analyst import AttachedAnalyst


async def bot_socket(websocket: WebSocket, services: Services) -> None:
    """Attaches bots for as long as the connection lasts."""
    socket = await services.sockets.accept(websocket)
    if socket is None:
        return
    client = AttachedAnalyst(services.bot_terms, services.bot_clients, socket, socket.address)
    try:
        await services.sockets.serve(socket, _receive(socket, client))
    finally:
        client.disconnected()


async def _receive(socket: Socket, client: AttachedAnalyst) -> None:
    async for frame in socket.messages():
        if client.receive(frame):
            socket.give_back()
