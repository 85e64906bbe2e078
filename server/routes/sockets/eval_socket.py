"""``/ws/eval/{gameId}``: the eval bar of one viewer. ``protocols.play.eval_session`` defines the frames."""

from contextlib import AsyncExitStack, suppress

from starlette.websockets import WebSocket

from protocols.play.eval_session import Accepted, EvalViewer, EvalViewerGone, GameBoard, ViewRequested
from protocols.session import Effect
from server.domain.errors import ApiError
from server.routes.services import Services
from server.services.driver import Driver, Stream


async def eval_socket(websocket: WebSocket, services: Services) -> None:
    """Shows a game's evaluations to a client once its handshake is accepted.

    ``?token=`` is a player's; a player may be given another reason for a rejection than a spectator.
    """
    game_id: str = websocket.path_params["game_id"]
    socket = await services.sockets.accept(websocket)
    if socket is None:
        return
    session = EvalViewer(game_id, await _board(services, game_id))
    seat = await _seat(services, game_id, websocket.query_params.get("token"))

    async def do(effect: Effect) -> Stream:
        if not isinstance(effect, ViewRequested):
            raise TypeError(f"an eval viewer asks for {type(effect).__name__}")
        return events()

    async def events() -> Stream:
        async with AsyncExitStack() as shown:
            async for event in services.evaluations.follow(game_id, socket, seat, socket.address):
                if seat is not None and isinstance(event, Accepted):
                    await shown.enter_async_context(services.presence.evaluating(game_id, seat))
                yield event
                await socket.drain()

    try:
        await services.sockets.serve(socket, Driver(socket, session, do).run())
    finally:
        session.notify(EvalViewerGone())


async def _board(services: Services, game_id: str) -> GameBoard | None:
    """The board of the game; None if there is no such game."""
    with suppress(ApiError):
        state = await services.games.get(game_id)
        return GameBoard(state.variant, state.config.get("boardWidth"), state.config.get("boardHeight"))
    return None


async def _seat(services: Services, game_id: str, token: str | None) -> int | None:
    """The seat of the token; None for spectators, and if there is no such game."""
    with suppress(ApiError):
        return None if token is None else await services.games.seat_of(game_id, token)
    return None
