"""One alarm per running clock.

When a seat's time is over the game is told so, whether or not somebody moves; a little later, because a move that
was made in time may be on its way.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from server.domain.clock import CREDIT_MS
from server.domain.errors import ApiError
from server.domain.game import GameState, Status

log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0
"""When the store could not take the end of a game, it is tried again after this time."""


class Timers:
    """Calls ``expire`` with a game's id once the first of its running clocks is at 0."""

    def __init__(self, expire: Callable[[str], Awaitable[object]], now: Callable[[], int]) -> None:
        self._expire = expire
        self._now = now
        self._alarms: dict[str, asyncio.TimerHandle] = {}
        self._ringing: set[asyncio.Task[None]] = set()

    def watch(self, state: GameState) -> None:
        """Sets the alarm of this game to what its present state says."""
        alarm = self._alarms.pop(state.id, None)
        if alarm is not None:
            alarm.cancel()
        deadline = (
            state.clock.deadline if state.clock is not None and state.status is Status.PLAYING else None
        )
        if deadline is not None:
            self._set(state.id, max(0, deadline + CREDIT_MS - self._now()) / 1000)

    def stop(self) -> None:
        """No alarm rings any more."""
        for alarm in self._alarms.values():
            alarm.cancel()
        self._alarms.clear()
        for task in self._ringing:
            task.cancel()

    def _set(self, game_id: str, seconds: float) -> None:
        self._alarms[game_id] = asyncio.get_running_loop().call_later(seconds, self._ring, game_id)

    def _ring(self, game_id: str) -> None:
        self._alarms.pop(game_id, None)
        task = asyncio.ensure_future(self._tell(game_id))
        self._ringing.add(task)
        task.add_done_callback(self._ringing.discard)

    async def _tell(self, game_id: str) -> None:
        try:
            await self._expire(game_id)
        except ApiError as refusal:
            log.warning("game %s: its clock is over, but: %s", game_id, refusal)
            if game_id not in self._alarms:
                self._set(game_id, RETRY_SECONDS)
