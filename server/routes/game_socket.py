"""``/ws/games/{id}``: players and spectators of one game. The frames are those of ``protocols.play.game``."""

import secrets
from contextlib import closing

from fastapi import APIRouter
from starlette.websockets import WebSocket

from protocols.play import events as ev
from protocols.play.game import GameSocket
from server.domain.errors import ApiError, Code
from server.domain.public import table_of
from server.routes.game_wishes import Wishes
from server.routes.house import House, TheHouse
from server.routes.sockets import Pump, Socket, deny
from server.services.changes import notices_of
from server.services.chat import Voice
from server.services.game_feeds import GameFeed
from server.services.games import Games

RESENT = 100
"""How many missed notices a client is sent again at most, the latest ones: more than wait in any real game."""

router = APIRouter()


@router.websocket("/ws/games/{game_id}")
async def game_socket(
    websocket: WebSocket,
    house: TheHouse,
    game_id: str,
    token: str | None = None,
    ext: str | None = None,
    since: str | None = None,
) -> None:
    """Follows a game; with a seat's token, plays it. ``since``: the last number that the client has seen."""
    try:
        seat = await _seat(house.games, game_id, token)
    except ApiError as refusal:
        await deny(websocket, refusal)
        return
    socket = await house.sockets.accept(websocket)
    if socket is None:
        return
    session = GameSocket(seat, token, with_extensions=ext == "1")
    async with house.presence.present(game_id, seat):
        address = house.clients.address(websocket)
        await _follow(house, socket, game_id, session, _number(since), address)


async def _seat(games: Games, game_id: str, token: str | None) -> int | None:
    if token is None:
        await games.get(game_id)
        return None
    seat = await games.seat_of(game_id, token)
    if seat is None:
        raise ApiError(Code.NO_TOKEN, "The token opens no seat of this game.")
    return seat


def _number(since: str | None) -> int | None:
    """A number that the game cannot have, or none at all, means that nothing was missed."""
    return int(since) if since is not None and since.isdecimal() and len(since) < 10 else None


async def _follow(
    house: House, socket: Socket, game_id: str, session: GameSocket, since: int | None, address: str | None
) -> None:
    """Follows the game from before the first picture on, so that no change is missed.

    What is older than the picture is skipped by the session. A spectator who is up to date joins the others.
    """
    with closing(GameFeed(house.bus, game_id, session)) as feed:
        picture = await _first_picture(house.games, game_id, since)
        opened = ev.Opened(secrets.token_hex(8), picture, house.presence.attendance(game_id))
        voice = Voice(house.games, house.bus, game_id, session.seat, opened.socket_id)
        pump = Pump(socket, session, Wishes(house.games, voice, game_id, session.seat, address))
        pump.notify(opened)
        with feed.joined(socket):
            if session.seat is not None:
                await house.sockets.serve(socket, pump.receive_all())
                return
    with house.spectators.joined(game_id, opened, socket, with_extensions=session.with_extensions):
        await house.sockets.serve(socket, pump.receive_all())


async def _first_picture(games: Games, game_id: str, since: int | None) -> ev.Picture:
    state = await games.get(game_id)
    missed = [] if since is None else await games.events_after(state, since)
    return ev.Picture(table_of(state, games.now()), notices_of(missed)[-RESENT:])
