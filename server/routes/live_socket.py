"""``/ws/live-games``: the games that are being played, as they change. The frames are ``protocols.play.lobby``'s."""

from collections.abc import Sequence

from fastapi import APIRouter
from starlette.websockets import WebSocket

from protocols.play.events import TimeTold
from protocols.play.lobby import LobbySocket
from protocols.play.wishes import AskTime
from protocols.session import Effect, Event
from server.routes.house import House, TheHouse
from server.routes.sockets import Pump

router = APIRouter()


@router.websocket("/ws/live-games")
async def live_socket(websocket: WebSocket, house: TheHouse, ext: str | None = None) -> None:
    """Shows the live games to whoever asks."""
    socket = await house.sockets.accept(websocket)
    if socket is None:
        return
    session = LobbySocket(with_extensions=ext == "1")
    pump = Pump(socket, session, _Doing(house).do)
    socket.outbox.picture = lambda: session.snapshot(house.lobby.gallery).text
    with house.lobby.followed_by(socket, with_extensions=session.with_extensions):
        pump.notify(house.lobby.gallery)
        await house.sockets.serve(socket, pump.receive_all())


class _Doing:
    """Carries out what the session asks for: it asks for the time."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def do(self, effect: Effect) -> Sequence[Event]:
        """Tells the time."""
        if not isinstance(effect, AskTime):
            raise TypeError(f"a follower of the live games asks for {type(effect).__name__}")
        return [TimeTold(self._house.games.now())]
