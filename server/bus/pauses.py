"""Pauses between repeated actions, so that one wake-up serves many messages. Used by ``message_relay``."""

import asyncio

SKIPPING_SECONDS = 0.1
"""For how long pauses are skipped: until the next message of a conversation probably arrives."""


class Pauses:
    """Pauses of ``seconds``, which can be skipped while something is urgent."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._skipped_until = 0.0
        self._current: asyncio.Future[None] | None = None

    async def take(self) -> None:
        """Returns after the pause, or at once while pauses are skipped."""
        loop = asyncio.get_running_loop()
        if loop.time() < self._skipped_until:
            return
        self._current = loop.create_future()
        timer = loop.call_later(self._seconds, self._end)
        try:
            await self._current
        finally:
            timer.cancel()

    def skip(self) -> None:
        """Ends the current pause, and skips the next ones for a while."""
        self._skipped_until = asyncio.get_running_loop().time() + SKIPPING_SECONDS
        self._end()

    def _end(self) -> None:
        if self._current is not None and not self._current.done():
            self._current.set_result(None)
