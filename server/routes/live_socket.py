"""``/ws/live-games``: the games that are being played, as they change. The frames are ``protocols.play.lobby``'s."""

from collections.abc import AsyncIterator, Sequence

from fastapi import APIRouter
from starlette.websockets import WebSocket

from protocols.play.events import TimeTold
from protocols.play.lobby import LobbySocket
from protocols.play.wishes import AskTime
from protocols.session import Effect, Event
from server.routes.house import House, TheHouse
from server.routes.sockets import PatientPump
from server.services.live_list import Follower

router = APIRouter()


@router.websocket("/ws/live-games")
async def live_socket(websocket: WebSocket, house: TheHouse, ext: str | None = None) -> None:
    """Shows the live games to whoever asks."""
    socket = await house.sockets.accept(websocket)
    if socket is None:
        return
    pump = PatientPump(socket, LobbySocket(with_extensions=ext == "1"), _Doing(house).do)
    follower = house.lobby.follow()
    try:
        await house.sockets.serve(socket, pump.receive_all(), pump.notify_all(_news(follower)))
    finally:
        house.lobby.leave(follower)


async def _news(follower: Follower) -> AsyncIterator[Event]:
    """The pump asks for more when the last has been sent: until then it waits as news, of which the latest counts."""
    while True:
        for event in await follower.next():
            yield event


class _Doing:
    """Carries out what the session asks for: it asks for the time."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def do(self, effect: Effect) -> Sequence[Event]:
        """Tells the time."""
        if not isinstance(effect, AskTime):
            raise TypeError(f"a follower of the live games asks for {type(effect).__name__}")
        return [TimeTold(self._house.games.now())]
