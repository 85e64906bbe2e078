"""The table of roles: what a connection does after its handshake. A further role is a row here.

A row's ``prepare`` decides whether the handshake will do (NoSeat: it will not) before ``ok`` is sent, and gives what is
run after it.
"""

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Final

from protocols.uhp.remote.guest import GuestSession
from protocols.uhp.remote.handshake import Handshake, Role
from protocols.uhp.remote.seat import SeatSession
from protocols.uhp.remote.watch import WatchSession
from server.services.uhp.desk import Desk
from server.services.uhp.engine_role import prepare_engine
from server.services.uhp.main_role import prepare_main
from server.services.uhp.player import Player
from server.services.uhp.seating import find_game
from server.services.uhp.watcher import Watcher
from server.services.uhp.wire import Wire

Run = Callable[[], Coroutine[Any, Any, None]]
"""Serves the connection until it ends."""

Prepare = Callable[[Desk, Wire, Handshake], Awaitable[Run]]


async def _seat(desk: Desk, wire: Wire, handshake: Handshake) -> Run:
    session = SeatSession(handshake.wish, with_clock=handshake.has_clock, with_secret=handshake.has_secret)
    player = Player(desk, wire, session, await desk.seat(handshake))
    return lambda: player.run(session.start())


async def _viewer(desk: Desk, wire: Wire, handshake: Handshake) -> Run:
    session = GuestSession(desk.product, handshake.wish)
    player = Player(desk, wire, session, await desk.seat(handshake))
    return lambda: player.run(session.start())


async def _engine(desk: Desk, wire: Wire, handshake: Handshake) -> Run:
    return (await prepare_engine(desk, wire, handshake)).run


async def _main(desk: Desk, wire: Wire, handshake: Handshake) -> Run:
    return (await prepare_main(desk, wire, handshake)).run


async def _watch(desk: Desk, wire: Wire, handshake: Handshake) -> Run:
    state = await find_game(desk.games, handshake.game)
    return Watcher(desk, wire, WatchSession(with_clock=handshake.has_clock), state.id).run


ROLES: Final[Mapping[Role, Prepare]] = {
    Role.ENGINE: _engine,
    Role.MAIN: _main,
    Role.SEAT: _seat,
    Role.VIEWER: _viewer,
    Role.WATCH: _watch,
}
