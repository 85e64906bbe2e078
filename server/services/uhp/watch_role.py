"""Role ``watch``: sends a spectator the game's GameStrings and its end."""

from contextlib import aclosing

from protocols.session import Close, Effect, Event, Send
from protocols.uhp.lines import ERROR
from protocols.uhp.remote.effects import NORMAL, LineLost
from protocols.uhp.remote.game_lines import ending, is_news, is_over, shown
from protocols.uhp.remote.handshake import Handshake
from protocols.values import Table
from server.services.games.game_follower import follow_tables
from server.services.uhp.context import Run, UhpContext
from server.services.uhp.line_driver import LineDriver
from server.services.uhp.seat_access import find_game
from server.services.uhp.wire import Wire


class Spectator:
    """One connection, as a session that refuses all lines. ``with_clock``: GameStrings are sent with the clocks."""

    def __init__(self, context: UhpContext, wire: Wire, game_id: str, *, with_clock: bool) -> None:
        self._context = context
        self._game_id = game_id
        self._with_clock = with_clock
        self._driver = LineDriver(wire, self)

    async def run(self) -> None:
        """Runs until the connection ends."""
        async with self._context.presence.present(self._game_id, None):
            self._driver.spawn(self._show())
            await self._driver.run([])

    def receive(self, frame: str) -> list[Effect]:
        """Handles one line: ``info`` keeps the connection alive, anything else is refused."""
        return [] if frame.strip().lower() in ("", "info") else [Send(f"{ERROR} you are watching")]

    def notify(self, event: Event) -> list[Effect]:
        """Handles the only event: a line that was lost."""
        return [Send(f"{ERROR} {event.text}")] if isinstance(event, LineLost) else []

    async def _show(self) -> None:
        before: Table | None = None
        tables = follow_tables(self._context.games, self._context.bus, self._game_id)
        async with aclosing(tables):
            async for table in tables:
                if is_news(before, table):
                    lines = shown(before, table, with_clock=self._with_clock)
                    await self._driver.carry_out([*map(Send, lines)])
                    before = table
                if is_over(table):
                    await self._driver.carry_out([Send(f"end {ending(table)}"), Close(NORMAL, "game over")])
                    return


async def prepare_watch(context: UhpContext, wire: Wire, handshake: Handshake) -> Run:
    """Finds the game. Raises ApiError."""
    state = await find_game(context.games, handshake.game)
    return Spectator(context, wire, state.id, with_clock=handshake.has_clock).run
