"""Drives a main viewer (role ``main``, model A), which leads the engines of a game.

A main viewer may open a game. Its banner gives the id (``game=<id>``), with which the engines connect. Or it names an
existing game by the token of the host, provided that the host opened both seats for itself. Any other token is valid
for one seat only, whose opponent has not agreed to be led.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Final

from protocols.session import Effect, Event
from protocols.uhp.game_string import COLORS
from protocols.uhp.remote import effects as ef
from protocols.uhp.remote.handshake import Handshake
from protocols.uhp.remote.main_session import MainSession
from protocols.values import LeaveReason, Seat, SeatKind
from server.domain.errors import ApiError
from server.domain.events import Created
from server.domain.events import Event as GameEvent
from server.domain.game import PRIVATE, GameState
from server.domain.public_table import table_of
from server.ports.connection import Connection
from server.services.driver import Driver, Stream
from server.services.uhp.context import Run, UhpContext
from server.services.uhp.engine_matches import EngineMatch
from server.services.uhp.matchmaking import abort_if_open, new_game
from server.services.uhp.seat_access import NoSeatError, find_game, seat_by_token

BEFORE_ITS_TURN: Final = 0
"""When a move was made that costs its engine nothing more: it was charged when it named it, even if it has left."""


class MainEffects:
    """Carries out the effects of one main viewer. ``is_own``: it has opened the game itself."""

    def __init__(self, context: UhpContext, state: GameState, *, is_own: bool) -> None:
        self._context = context
        self._state = state
        self._is_own = is_own
        self._match = EngineMatch()

    async def __call__(self, effect: Effect) -> Sequence[Event] | Stream:
        """Carries out an effect and returns the events that the session is notified of."""
        match effect:
            case ef.Lead():
                return self._lead()
            case ef.Follow():
                return self._context.watch(self._state.id)
            case ef.BeginMatch():
                self._match.begin()
            case ef.AskEngine(limit=limit, ply=ply):
                self._match.ask(limit, ply)
            case ef.PlayForEngine():
                return [await self._play(effect)]
            case ef.ForfeitForEngine():
                return await self._forfeit(effect)
            case _:
                raise TypeError(f"a main viewer's session asks for {type(effect).__name__}")
        return []

    async def _lead(self) -> Stream:
        """Leads until the connection ends; then the engines continue without a leader."""
        context, game_id, changed = self._context, self._state.id, asyncio.Event()
        with context.matches.at(game_id) as self._match:
            if self._match.is_led:
                yield ef.NotSeated("the game has a main viewer already")
                return
            try:
                with self._match.led(changed):
                    async with context.absences.hosting(game_id):
                        while True:
                            changed.clear()
                            yield ef.MatchChanged(self._match.named, self._match.ply)
                            await changed.wait()
            finally:
                if self._is_own:
                    await abort_if_open(context.games, game_id, self._state.host)

    async def _play(self, effect: ef.PlayForEngine) -> Event:
        play = partial(self._context.games.move, self._state.id, effect.seat, effect.move)
        try:
            return ef.TableChanged((await play(expected_moves=effect.after, made_at=BEFORE_ITS_TURN)).table)
        except ApiError as refusal:
            return ef.RefusedByGame(effect, refusal.code.value, refusal.text)

    async def _forfeit(self, effect: ef.ForfeitForEngine) -> Sequence[Event]:
        """Resigns; the change follows on the bus."""
        try:
            await self._context.games.forfeit(
                self._state.id, effect.seat, LeaveReason.RESIGNATION, effect.reason
            )
        except ApiError as refusal:
            return [ef.RefusedByGame(effect, refusal.code.value, refusal.text)]
        return []


async def prepare_main(context: UhpContext, connection: Connection, handshake: Handshake) -> Run:
    """Checks the handshake of a main viewer. Raises ApiError."""
    name, is_own = context.product.name, handshake.token is None
    if handshake.token is not None:
        state = await _opened_before(context, handshake.token, handshake.game)
    elif handshake.game is not None:
        raise NoSeatError("a main viewer needs the token of the game's host")
    else:
        state = await _open(context, handshake, connection.address)
        name = f"{name} game={state.id}"
    session = MainSession(name, table_of(state, state.updated_at), is_analysis=handshake.is_analysis)
    do = MainEffects(context, state, is_own=is_own)
    return partial(Driver(connection, session, do).run, session.start())


async def _opened_before(context: UhpContext, token: str, game_id: str | None) -> GameState:
    """The game, if the token's holder has all its seats. Raises ApiError."""
    seat_access = await seat_by_token(context.games, token, game_id)
    state = await find_game(context.games, seat_access.game_id)
    if seat_access.seat != state.host:
        raise NoSeatError("a main viewer needs the token of the game's host")
    first, *_ = await context.games.events_after(state, 0)
    if not _is_for_one(first.event):
        raise NoSeatError("this token plays one seat: to lead both, open a game with role=main")
    return state


def _is_for_one(first: GameEvent) -> bool:
    """Whether the game's creator got the tokens of all seats; in a rematch, players keep their own."""
    if not isinstance(first, Created) or first.rematch_of is not None:
        return False
    return all(seat.kind is SeatKind.HUMAN for seat in first.seats)


async def _open(context: UhpContext, handshake: Handshake, address: str | None) -> GameState:
    """Opens a game with two open seats that is not listed in the lobby: engines join it by its id. Raises ApiError."""
    seats = (Seat(SeatKind.OPEN, missed_by=context.games.leases.server),) * len(COLORS)
    return (await context.games.create(new_game(handshake.criteria, seats, PRIVATE), address)).state
