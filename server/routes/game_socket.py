"""``/ws/games/{id}``: players and spectators of one game. The frames are ``protocols.play.game``'s."""

import secrets
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from typing import Any

from fastapi import APIRouter
from starlette.websockets import WebSocket

from protocols.play import events as ev
from protocols.play import wishes as w
from protocols.play.game import GameSocket
from protocols.session import Effect, Event
from server.domain.errors import ApiError, Code
from server.domain.events import OfferKind
from server.domain.game import GameState
from server.domain.public import table_of
from server.ports import OverrunError, Subscription
from server.routes.house import House, TheHouse
from server.routes.sockets import Pump, Socket, deny
from server.services.changes import Change, game_topic
from server.services.games import Games
from server.services.presence import PresenceChange

router = APIRouter()


@router.websocket("/ws/games/{game_id}")
async def game_socket(
    websocket: WebSocket, house: TheHouse, game_id: str, token: str | None = None, ext: str | None = None
) -> None:
    """Follows a game; with a seat's token, plays it."""
    try:
        seat = await _seat(house.games, game_id, token)
    except ApiError as refusal:
        await deny(websocket, refusal)
        return
    socket = await house.sockets.accept(websocket, house.origins)
    if socket is None:
        return
    async with house.presence.present(game_id, seat):
        await _follow(house, socket, game_id, GameSocket(seat, token, with_extensions=ext == "1"))


async def _seat(games: Games, game_id: str, token: str | None) -> int | None:
    if token is None:
        await games.get(game_id)
        return None
    seat = await games.seat_of(game_id, token)
    if seat is None:
        raise ApiError(Code.NO_TOKEN, "The token opens no seat of this game.")
    return seat


async def _follow(house: House, socket: Socket, game_id: str, session: GameSocket) -> None:
    """Subscribes before the first look, so that no change is missed.

    What is older than that is skipped later.
    """
    subscription = house.bus.subscribe(game_topic(game_id))
    try:
        state = await house.games.get(game_id)
        picture = ev.Picture(table_of(state, house.games.now()))
        opened = ev.Opened(secrets.token_hex(8), picture, house.presence.attendance(game_id))
        pump = Pump(socket, session, _Doing(house.games, game_id, session.seat))
        await pump.carry_out(session.notify(opened))
        await house.sockets.serve(socket, pump.receive_all(), _tell(pump, socket, subscription))
    finally:
        subscription.close()


async def _tell(pump: Pump, socket: Socket, subscription: Subscription) -> None:
    try:
        await pump.notify_all(_events(subscription))
    except OverrunError:
        socket.give_up()


async def _events(subscription: Subscription) -> AsyncIterator[Event]:
    async for message in subscription:
        if isinstance(message, Change):
            yield ev.Changed(message.picture)
        elif isinstance(message, PresenceChange):
            yield ev.PresenceChanged(message.attendance)


# ---- what a player wishes ------------------------------------------------------------------------


class _Doing:
    """Carries out the wishes of one seat; a refusal becomes an event of the session."""

    def __init__(self, games: Games, game_id: str, seat: int | None) -> None:
        self._games = games
        self._game_id = game_id
        self._seat = seat

    async def __call__(self, effect: Effect) -> Sequence[Event]:
        try:
            return await self._do(effect)
        except ApiError as refusal:
            return [ev.Refused(refusal.body())]

    async def _do(self, effect: Effect) -> Sequence[Event]:
        match effect:
            case w.AskTime():
                return [ev.TimeTold(self._games.now())]
            case w.SubmitMove() if self._seat is not None:
                return [await self._move(effect, self._seat)]
            case w.HandleOffer() if self._seat is not None:
                await _STEPS[effect.step](self._games, self._game_id, self._seat, OfferKind(effect.kind))
            case w.Resign() if self._seat is not None:
                await self._games.resign(self._game_id, self._seat)
        return []

    async def _move(self, wish: w.SubmitMove, seat: int) -> Event:
        ack = await self._games.move(
            self._game_id,
            seat,
            wish.text,
            expected_ply=wish.expected_ply,
            client_msg_id=wish.message_id,
        )
        return ev.MoveTaken(ack.ply, wish.message_id, ack.pending)


_Step = Callable[[Games, str, int, OfferKind], Coroutine[Any, Any, GameState]]

_STEPS: Mapping[w.OfferStep, _Step] = {
    w.OfferStep.OFFER: Games.propose,
    w.OfferStep.ACCEPT: Games.accept,
    w.OfferStep.REJECT: Games.reject,
}
