"""``/ws/games/{id}``: players and spectators of one game. ``protocols.play.game_session`` defines the frames."""

import secrets
from contextlib import AbstractContextManager, closing

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
from server.services.games.chat_room import ChatParticipant
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
        if seat is None:
            services.work.check()
    except ApiError as refusal:
        await deny(websocket, refusal)
        return
    socket = await services.sockets.accept(websocket)
    if socket is None:
        return
    follower = _Follower(services, socket, game_id, with_extensions=query.get("ext") == "1")
    since = _number(query.get("since"))
    async with services.presence.present(game_id, seat):
        await (follower.watch(since) if seat is None else follower.play(seat, token, since))


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


class _Follower:
    """One socket, which follows the game from before its first update, so that it misses no change.

    The session ignores changes that the update already contains. What only the first frames need is not kept.
    """

    def __init__(self, services: Services, socket: Socket, game_id: str, *, with_extensions: bool) -> None:
        self._services = services
        self._socket = socket
        self._game_id = game_id
        self._with_extensions = with_extensions

    async def play(self, seat: int, token: str | None, since: int | None) -> None:
        """Follows the game as a player."""
        services = self._services
        session = GameSocket(seat, token, with_extensions=self._with_extensions)
        with closing(GameFeed(services.bus, self._game_id, session)) as feed:
            driver = await services.work.paid(self._begin_play(session, seat, feed, since))
            with feed.joined(self._socket), services.lags.known((self._game_id, seat), self._socket.lag_ms):
                try:
                    await services.sockets.serve(self._socket, driver.run())
                finally:
                    services.silent_players.forget(self._socket)

    async def _begin_play(self, session: GameSocket, seat: int, feed: GameFeed, since: int | None) -> Driver:
        state, opened = await self._opened(since)
        driver = self._driver(session, opened.socket_id)
        await driver.tell(opened)
        feed.claims = ClaimWatch(self._services.claims, state, seat)
        await driver.tell(feed.claims.after())
        return driver

    async def watch(self, since: int | None) -> None:
        """Follows the game as a spectator, who joins the others when up to date."""
        driver, joined = await self._services.work.paid(self._begin_watching(since))
        with joined:
            await self._services.sockets.serve(self._socket, driver.run())

    async def _begin_watching(self, since: int | None) -> tuple[Driver, AbstractContextManager[None]]:
        session = GameSocket(None, with_extensions=self._with_extensions)
        with closing(GameFeed(self._services.bus, self._game_id, session)) as feed:
            _, opened = await self._opened(since)
            await self._driver(session, opened.socket_id).tell(opened)
            with feed.joined(self._socket):
                asking = GameSocket(None, with_extensions=self._with_extensions)
                return self._driver(asking, opened.socket_id), self._services.spectators.joined(
                    self._game_id, opened, self._socket, with_extensions=self._with_extensions
                )

    def _driver(self, session: GameSocket, socket_id: str) -> Driver:
        services, address = self._services, self._socket.address
        participant = ChatParticipant(
            services.games,
            services.chat,
            services.bus,
            services.chat_rates,
            self._game_id,
            session.seat,
            socket_id,
            address or socket_id,
        )
        do = GameEffects(services, participant, self._game_id, session.seat, self._socket)
        return Driver(self._socket, session, do)

    async def _opened(self, since: int | None) -> tuple[GameState, ev.Opened]:
        services = self._services
        state = await services.games.latest(self._game_id)
        missed = [] if since is None else await services.games.events_after(state, since)
        update = ev.GameUpdate(table_of(state, services.games.now()), notices_of(missed)[-RESENT:])
        return state, ev.Opened(secrets.token_hex(8), update, services.presence.attendance(self._game_id))
