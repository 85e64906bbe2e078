"""Drives a spectator's session."""

from contextlib import aclosing

from protocols.uhp.remote.effects import TableChanged
from protocols.uhp.remote.spectator import SpectatorSession
from server.services.game_follower import follow_tables
from server.services.uhp.context import UhpContext
from server.services.uhp.line_driver import LineDriver
from server.services.uhp.wire import Wire


async def watch(context: UhpContext, wire: Wire, session: SpectatorSession, game_id: str) -> None:
    """Shows a game until the connection ends."""
    driver = LineDriver(wire, session)

    async def show() -> None:
        async with aclosing(follow_tables(context.games, context.bus, game_id)) as tables:
            async for table in tables:
                await driver.tell(TableChanged(table))

    async with context.presence.present(game_id, None):
        driver.spawn(show())
        await driver.run([])
