"""Delays the messages of one client to the rate at which it may send them."""

import asyncio

from server.domain.token_bucket import MessageLimits, TokenBucket


class MessageRate:
    """Delays the messages of one client to the allowed rate."""

    def __init__(self, limits: MessageLimits) -> None:
        self._loop = asyncio.get_running_loop()
        self._bucket = TokenBucket(limits, self._loop.time())
        self.has_delayed = False
        """Whether any message had to wait."""

    async def keep(self) -> bool:
        """Returns when the received message may be handled; False if its sender must be disconnected."""
        wait = self._bucket.take(self._loop.time())
        self.has_delayed |= wait > 0
        await asyncio.sleep(wait)
        return wait == 0 or not self._bucket.is_exhausted(self._loop.time())

    def give_back(self) -> None:
        """Takes back the count of the last message."""
        self._bucket.give_back()
