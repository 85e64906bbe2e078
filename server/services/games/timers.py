"""One timer per game with a running clock.

When a seat's time has run out, the game is ended even if nobody moves. The timer fires a little later, because a move
that was made in time may still be in transit.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from protocols.values import Status
from server.domain.clocks.clock import CREDIT_MS
from server.domain.errors import ApiError
from server.domain.game import GameState
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0
"""The delay before another attempt if the store could not save the end of a game."""


class Timers:
    """Calls ``expire`` with a game's id once the first of its running clocks has reached 0."""

    def __init__(self, expire: Callable[[str], Awaitable[object]], now: Callable[[], int]) -> None:
        self._expire = expire
        self._now = now
        self._alarms: dict[str, asyncio.TimerHandle] = {}
        self._ringing = Tasks()

    def watch(self, state: GameState) -> None:
        """Sets the timer of this game according to its current state."""
        alarm = self._alarms.pop(state.id, None)
        if alarm is not None:
            alarm.cancel()
        deadline = (
            state.clock.deadline if state.clock is not None and state.status is Status.PLAYING else None
        )
        if deadline is not None:
            self._set(state.id, max(0, deadline + CREDIT_MS - self._now()) / 1000)

    def stop(self) -> None:
        """Cancels all timers."""
        for alarm in self._alarms.values():
            alarm.cancel()
        self._alarms.clear()
        self._ringing.cancel()

    def _set(self, game_id: str, seconds: float) -> None:
        self._alarms[game_id] = asyncio.get_running_loop().call_later(seconds, self._ring, game_id)

    def _ring(self, game_id: str) -> None:
        self._alarms.pop(game_id, None)
        self._ringing.start(self._end(game_id))

    async def _end(self, game_id: str) -> None:
        try:
            await self._expire(game_id)
        except ApiError as refusal:
            log.warning("game %s: cannot end the game on time: %s", game_id, refusal)
            if game_id not in self._alarms:
                self._set(game_id, RETRY_SECONDS)
