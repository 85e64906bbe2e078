"""``/ws/eval/{gameId}``: the eval bar of one viewer. ``protocols.play.eval_session`` defines the frames."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial

from fastapi import APIRouter
from starlette.websockets import WebSocket

from protocols.play.eval_session import EvalViewer, EvalViewerGone, GameBoard, ViewRequested
from protocols.session import Effect, Event
from server.domain.errors import ApiError
from server.domain.game import GameState
from server.routes.services import Services, TheServices
from server.routes.sockets.socket_driver import SocketDriver

router = APIRouter()


@router.websocket("/ws/eval/{game_id}")
async def eval_socket(
    websocket: WebSocket, services: TheServices, game_id: str, token: str | None = None
) -> None:
    """Shows a game's evaluations to a client once its handshake is accepted.

    ``token`` is a player's; a player may be given another reason for a rejection than a spectator.
    """
    socket = await services.sockets.accept(websocket)
    if socket is None:
        return
    session = EvalViewer(game_id, await _board(services, game_id))
    seat, address = await _seat(services, game_id, token), services.clients.address(websocket)
    viewing = _Viewing(partial(services.evaluations.follow, game_id, socket, seat, address))
    driver = SocketDriver(socket, session, viewing.do)
    try:
        await services.sockets.serve(socket, driver.receive_all(), driver.notify_all(viewing.events()))
    finally:
        session.notify(EvalViewerGone())


async def _board(services: Services, game_id: str) -> GameBoard | None:
    try:
        state = await services.games.get(game_id)
    except ApiError:
        return None
    return _board_of(state)


async def _seat(services: Services, game_id: str, token: str | None) -> int | None:
    """The seat of the token; None for spectators, and if there is no such game."""
    if token is None:
        return None
    try:
        return await services.games.seat_of(game_id, token)
    except ApiError:
        return None


def _board_of(state: GameState) -> GameBoard:
    return GameBoard(state.variant, state.config.get("boardWidth"), state.config.get("boardHeight"))


class _Viewing:
    """The stream of events that the session requests, from one handshake after the other."""

    def __init__(self, follow: Callable[[], AsyncIterator[Event]]) -> None:
        self._follow = follow
        self._requested = asyncio.Event()

    async def do(self, effect: Effect) -> Sequence[Event]:
        """Carries out an effect of the session."""
        if not isinstance(effect, ViewRequested):
            raise TypeError(f"an eval viewer asks for {type(effect).__name__}")
        self._requested.set()
        return []

    async def events(self) -> AsyncIterator[Event]:
        """The events for the session."""
        while True:
            await self._requested.wait()
            self._requested.clear()
            async for event in self._follow():
                yield event
