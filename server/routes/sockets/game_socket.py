"""``/ws/games/{id}``: players and spectators of one game. ``protocols.play.game_session`` defines the frames."""

import secrets
from contextlib import closing

from starlette.websockets import WebSocket

from protocols.play import events as ev
from protocols.play.game_session import GameSocket
from server.domain.errors import ApiError, Code
from server.domain.game import GameState
from server.domain.public_table import table_of
from server.routes.services import Services
from server.routes.sockets.game_effects import GameEffects
from server.routes.sockets.socket_connection import Socket, deny
from server.services.cluster.changes import notices_of
from server.services.driver import Driver
from server.services.games.chat import ChatParticipant
from server.services.games.claims import ClaimWatch
from server.services.games.game_feeds import GameFeed
from server.services.games.games import Games

RESENT = 100
"""The maximum number of missed notices that are sent again, the latest ones; no real game has more."""


async def game_socket(websocket: WebSocket, services: Services) -> None:
    """Follows a game, and plays it if ``?token=`` is a seat's. ``since``: the last ``seq`` that the client has seen."""
    game_id: str = websocket.path_params["game_id"]
    query = websocket.query_params
    token = query.get("token")
    try:
        seat = await _seat(services.games, game_id, token)
    except ApiError as refusal:
        await deny(websocket, refusal)
        return
    socket = await services.sockets.accept(websocket)
    if socket is None:
        return
    session = GameSocket(seat, token, with_extensions=query.get("ext") == "1")
    async with services.presence.present(game_id, seat):
        await _follow(services, socket, game_id, session, _number(query.get("since")))


async def _seat(games: Games, game_id: str, token: str | None) -> int | None:
    if token is None:
        await games.get(game_id)
        return None
    seat = await games.seat_of(game_id, token)
    if seat is None:
        raise ApiError(Code.NO_TOKEN, "The token opens no seat of this game.")
    return seat


def _number(since: str | None) -> int | None:
    """The sequence number in ``since``; None, meaning that nothing was missed, if it is not a valid one."""
    return int(since) if since is not None and since.isdecimal() and len(since) < 10 else None


async def _follow(
    services: Services, socket: Socket, game_id: str, session: GameSocket, since: int | None
) -> None:
    """Follows the game from before the first update, so that no change is missed.

    The session ignores changes that the update already contains. A spectator who is up to date joins the others.
    """
    with closing(GameFeed(services.bus, game_id, session)) as feed:
        state = await services.games.latest(game_id)
        update = await _first_update(services.games, state, since)
        opened = ev.Opened(secrets.token_hex(8), update, services.presence.attendance(game_id))
        who = socket.address or opened.socket_id
        participant = ChatParticipant(
            services.games,
            services.chat,
            services.bus,
            services.chat_rates,
            game_id,
            session.seat,
            opened.socket_id,
            who,
        )
        do = GameEffects(services, participant, game_id, session.seat, socket)
        driver = Driver(socket, session, do)
        await driver.tell(opened)
        if session.seat is not None:
            feed.claims = ClaimWatch(services.claims, state, session.seat)
            await driver.tell(feed.claims.after())
        with feed.joined(socket):
            if session.seat is not None:
                with services.lags.known((game_id, session.seat), socket.lag_ms):
                    try:
                        await services.sockets.serve(socket, driver.run())
                    finally:
                        services.silent_players.forget(socket)
                return
    with services.spectators.joined(game_id, opened, socket, with_extensions=session.with_extensions):
        await services.sockets.serve(socket, driver.run())


async def _first_update(games: Games, state: GameState, since: int | None) -> ev.GameUpdate:
    missed = [] if since is None else await games.events_after(state, since)
    return ev.GameUpdate(table_of(state, games.now()), notices_of(missed)[-RESENT:])
