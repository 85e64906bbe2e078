"""The table of roles: what a connection does after its handshake. A new role is a new row.

``prepare`` checks the handshake before ``ok`` is sent, raises ApiError to refuse it, and returns the function that
then serves the connection.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from protocols.uhp.remote.handshake import Handshake, Role
from protocols.uhp.remote.seat import SeatSession
from protocols.uhp.remote.viewer_seat import ViewerSeatSession
from server.services.uhp.context import Run, UhpContext
from server.services.uhp.engine_role import prepare_engine
from server.services.uhp.main_role import prepare_main
from server.services.uhp.player_roles import PlayerConnection
from server.services.uhp.watch_role import prepare_watch
from server.services.uhp.wire import Wire

Prepare = Callable[[UhpContext, Wire, Handshake], Awaitable[Run]]


async def _seat(context: UhpContext, wire: Wire, handshake: Handshake) -> Run:
    session = SeatSession(
        handshake.criteria, with_clock=handshake.has_clock, with_secret=handshake.has_secret
    )
    given = await context.seat(handshake)
    if given is None:
        context.matchmaking.check(handshake.criteria)
    connection = PlayerConnection(context, wire, session, given)
    return lambda: connection.driver.run(session.start())


async def _viewer(context: UhpContext, wire: Wire, handshake: Handshake) -> Run:
    session = ViewerSeatSession(context.product, handshake.criteria)
    connection = PlayerConnection(context, wire, session, await context.seat(handshake))
    return lambda: connection.driver.run(session.start())


ROLES: Final[Mapping[Role, Prepare]] = {
    Role.ENGINE: prepare_engine,
    Role.MAIN: prepare_main,
    Role.SEAT: _seat,
    Role.VIEWER: _viewer,
    Role.WATCH: prepare_watch,
}
