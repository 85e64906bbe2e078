"""The seat of an attached bot whose client is attached to no server: its game waits, and then the bot resigns.

The holder of the game's lease does this. It shows the players that the bot is away, and stops its clock.
"""

from protocols.values import Status
from server.domain.clocks.clock import ClockMode
from server.domain.errors import ApiError
from server.domain.game import GameState
from server.services.bots.asked_seat import AskedSeat
from server.services.bots.bot_context import BotContext
from server.services.bots.bot_player import RETRY_SECONDS


class AwaitedBot(AskedSeat):
    """Waits ``seconds`` for the client of a bot that may come back; then the bot resigns, for the reason ``why``.

    ``is_charged``: the bot has left of its own accord, so that its clock is charged until now; otherwise, what it has
    used of its move is given back.
    """

    def __init__(
        self, context: BotContext, state: GameState, seat: int, seconds: float, why: str, *, is_charged: bool
    ) -> None:
        super().__init__(context.games, state, seat, needs_lease=True)
        self.bot_id = state.seats[seat].bot_id or ""
        self._context = context
        self._seconds, self._is_charged = seconds, is_charged
        self._ends_at = context.now() + seconds
        self._why = why

    @property
    def is_arranged(self) -> bool:
        """Whether the game is one of the ladder or of a tournament."""
        return self._state.is_arranged

    async def run(self) -> None:
        """Waits until the client is back, the game or the lease is lost, or the bot has resigned."""
        presence, place = self._context.presence, (self._state.id, self._seat)
        if self._seconds > 0:
            await presence.set_away(*place)
        try:
            await super().run()
        finally:
            await presence.set_back(*place)

    def _is_playing(self) -> bool:
        state, seat = self._state, self._seat
        is_in_game = state.status is Status.PLAYING and seat not in state.gone
        return is_in_game and self._context.is_awaited(state, seat)

    async def _step(self) -> float:
        left = self._ends_at - self._context.now()
        try:
            if left > 0:
                await self._run_clock(ClockMode.STANDS, is_charged=self._is_charged)
            else:
                await self.resign(self._why)
        except ApiError:
            return RETRY_SECONDS
        return max(0.0, left)
