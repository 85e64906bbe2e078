"""The table of roles: what a connection does after its handshake. A new role is a new row.

``prepare`` checks the handshake before ``ok`` is sent, raises ApiError to refuse it, and returns the function that
then serves the connection.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final

from protocols.session import Effect
from protocols.uhp.remote.handshake import Handshake, Role
from protocols.uhp.remote.seat import SeatSession
from protocols.uhp.remote.viewer_seat import ViewerSeatSession
from protocols.uhp.remote.watch import WatchSession
from server.ports.connection import Connection
from server.services.driver import Driver, Stream
from server.services.uhp.context import Run, UhpContext
from server.services.uhp.engine_role import prepare_engine
from server.services.uhp.main_role import prepare_main
from server.services.uhp.player_roles import PlayerEffects
from server.services.uhp.seat_access import find_game

Prepare = Callable[[UhpContext, Connection, Handshake], Awaitable[Run]]


async def _seat(context: UhpContext, connection: Connection, handshake: Handshake) -> Run:
    session = SeatSession(
        handshake.criteria, with_clock=handshake.has_clock, with_secret=handshake.has_secret
    )
    given = await context.seat(handshake)
    if given is None:
        context.matchmaking.check(handshake.criteria)
    do = PlayerEffects(context, connection, given)
    return partial(Driver(connection, session, do).run, session.start())


async def _viewer(context: UhpContext, connection: Connection, handshake: Handshake) -> Run:
    session = ViewerSeatSession(context.product, handshake.criteria)
    do = PlayerEffects(context, connection, await context.seat(handshake))
    return partial(Driver(connection, session, do).run, session.start())


async def _watch(context: UhpContext, connection: Connection, handshake: Handshake) -> Run:
    state = await find_game(context.games, handshake.game)
    session = WatchSession(with_clock=handshake.has_clock)

    async def do(_: Effect) -> Stream:
        return context.watch(state.id)

    return partial(Driver(connection, session, do).run, session.start())


ROLES: Final[Mapping[Role, Prepare]] = {
    Role.ENGINE: prepare_engine,
    Role.MAIN: prepare_main,
    Role.SEAT: _seat,
    Role.VIEWER: _viewer,
    Role.WATCH: _watch,
}
