"""``/ws/eval/{gameId}``: the eval bar of one viewer. The frames are ``protocols.play.eval``'s."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial

from fastapi import APIRouter
from starlette.websockets import WebSocket

from protocols.play.eval import EvalViewer, GameBoard, ViewerGone, ViewRequested
from protocols.session import Effect, Event
from server.domain.errors import ApiError
from server.domain.game import GameState
from server.routes.house import House, TheHouse
from server.routes.sockets import Pump

router = APIRouter()


@router.websocket("/ws/eval/{game_id}")
async def eval_socket(websocket: WebSocket, house: TheHouse, game_id: str, token: str | None = None) -> None:
    """Shows a game's evaluations to whoever asks for them by a handshake.

    ``token``: a player's, who may be told another reason for a rejection than spectators are.
    """
    socket = await house.sockets.accept(websocket)
    if socket is None:
        return
    session = EvalViewer(game_id, await _board(house, game_id))
    seat, address = await _seat(house, game_id, token), house.clients.address(websocket)
    viewing = _Viewing(partial(house.evaluations.follow, game_id, socket, seat, address))
    pump = Pump(socket, session, viewing.do)
    try:
        await house.sockets.serve(socket, pump.receive_all(), pump.notify_all(viewing.events()))
    finally:
        session.notify(ViewerGone())


async def _board(house: House, game_id: str) -> GameBoard | None:
    try:
        state = await house.games.get(game_id)
    except ApiError:
        return None
    return _board_of(state)


async def _seat(house: House, game_id: str, token: str | None) -> int | None:
    """The seat of the token; None for spectators, and where there is no such game."""
    if token is None:
        return None
    try:
        return await house.games.seat_of(game_id, token)
    except ApiError:
        return None


def _board_of(state: GameState) -> GameBoard:
    return GameBoard(state.variant, state.config.get("boardWidth"), state.config.get("boardHeight"))


class _Viewing:
    """What the session asks for becomes a stream of events, one handshake after the other."""

    def __init__(self, follow: Callable[[], AsyncIterator[Event]]) -> None:
        self._follow = follow
        self._requested = asyncio.Event()

    async def do(self, effect: Effect) -> Sequence[Event]:
        """Carries out what the session asks for."""
        if not isinstance(effect, ViewRequested):
            raise TypeError(f"an eval viewer asks for {type(effect).__name__}")
        self._requested.set()
        return []

    async def events(self) -> AsyncIterator[Event]:
        """What the viewer is to be told."""
        while True:
            await self._requested.wait()
            self._requested.clear()
            async for event in self._follow():
                yield event
