"""Takes the messages of one client no faster than it may send them, and others' in between."""

import asyncio

from server.domain.pace import PaceLimits, Throttle


class Pace:
    """The pace of one client."""

    def __init__(self, limits: PaceLimits) -> None:
        self._loop = asyncio.get_running_loop()
        self._throttle = Throttle(limits, self._loop.time())

    async def keep(self) -> bool:
        """Returns when the message that has come may be handled; False when its sender is to be given up."""
        wait = self._throttle.take(self._loop.time())
        await asyncio.sleep(wait)
        return wait == 0 or not self._throttle.is_exhausted(self._loop.time())

    def give_back(self) -> None:
        """The last message does not count."""
        self._throttle.give_back()
