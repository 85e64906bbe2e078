"""``/ws/live-games``: the live games, as they change. ``protocols.play.lobby`` defines the frames."""

from collections.abc import Sequence

from starlette.websockets import WebSocket

from protocols.play.client_frames import AskTime
from protocols.play.events import ServerTime
from protocols.play.lobby import LobbySocket
from protocols.session import Effect, Event
from server.routes.services import Services
from server.services.driver import Driver


async def live_socket(websocket: WebSocket, services: Services) -> None:
    """Shows the live games to a client."""
    socket = await services.sockets.accept(websocket)
    if socket is None:
        return
    session = LobbySocket(with_extensions=websocket.query_params.get("ext") == "1")

    async def do(effect: Effect) -> Sequence[Event]:
        if not isinstance(effect, AskTime):
            raise TypeError(f"a follower of the live games asks for {type(effect).__name__}")
        return [ServerTime(services.games.now())]

    driver = Driver(socket, session, do)
    socket.outbox.snapshot = lambda: session.snapshot(services.lobby.contents).text
    with services.lobby.followed_by(socket, with_extensions=session.with_extensions):
        await driver.tell(services.lobby.contents)
        await services.sockets.serve(socket, driver.run())
