"""Who wants one analysis: those who asked for it, and those who watch it. It is given up when there is none of either.

Used by the analysis service. A watcher reads the stream of positions, or looks at the result now and then. Whoever
loses the connection and comes back in time has lost nothing.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from server.domain.errors import ApiError, Code
from server.domain.tokens import hash_token, new_token
from server.services.address_limits import AddressLimit

MAX_ASKS = 1000
"""Asks for one running analysis at once."""

READER_SECONDS = 15.0
"""How long a reader may take to come back."""

RETRY_MS = 5000


class Audience:
    """The asks for a running analysis and its watchers; ``give_up`` is called when it has lost the last of either.

    ``limit`` counts the running analyses of each client address; a look counts as watching for ``look_seconds``.
    """

    def __init__(self, give_up: Callable[[], None], limit: AddressLimit, look_seconds: float) -> None:
        self._give_up = give_up
        self._limit = limit
        self._look_seconds = look_seconds
        self._asks: dict[str, str | None] = {}
        """Client addresses, by the hashes of the tokens."""
        self._by_address: Counter[str | None] = Counter()
        self._readers = 0
        self._watched_until = 0.0
        self._alarm: asyncio.TimerHandle | None = None
        self._is_over = False

    def ask(self, address: str | None) -> str:
        """Somebody at this address wants the analysis; the token that withdraws the ask. ApiError.

        An analysis that is over is there for everybody: nothing counts then.
        """
        token = new_token()
        if self._is_over:
            return token
        if len(self._asks) >= MAX_ASKS:
            text = "Too many have asked for this analysis."
            raise ApiError(Code.TOO_MANY_REQUESTS, text, limit=MAX_ASKS, retry_after_ms=RETRY_MS)
        if self._by_address[address] == 0:
            self._limit.take(address)
        self._by_address[address] += 1
        self._asks[hash_token(token)] = address
        self.look()
        return token

    def withdraw(self, token: str) -> bool:
        """Takes an ask back; False when there is none with this token."""
        digest = hash_token(token)
        if digest not in self._asks:
            return False
        address = self._asks.pop(digest)
        self._by_address[address] -= 1
        if self._by_address[address] == 0:
            self._limit.give_back(address)
        if not self._asks:
            self._give_up()
        return True

    def look(self) -> None:
        """Somebody looks at the result."""
        self._stay(self._look_seconds)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """For as long as somebody reads."""
        self._readers += 1
        try:
            yield
        finally:
            self._readers -= 1
            self._stay(READER_SECONDS)

    def close(self) -> None:
        """The analysis is over: nobody has to watch it any more."""
        self._is_over = True
        for address, count in self._by_address.items():
            if count > 0:
                self._limit.give_back(address)
        self._by_address.clear()
        self._asks.clear()
        if self._alarm is not None:
            self._alarm.cancel()

    def _stay(self, seconds: float) -> None:
        """Keeps the analysis for so long at least."""
        loop = asyncio.get_running_loop()
        self._watched_until = max(self._watched_until, loop.time() + seconds)
        if self._alarm is None and not self._is_over:
            self._alarm = loop.call_at(self._watched_until, self._check)

    def _check(self) -> None:
        self._alarm = None
        loop = asyncio.get_running_loop()
        if self._readers > 0:
            return
        if loop.time() < self._watched_until:
            self._alarm = loop.call_at(self._watched_until, self._check)
        else:
            self._give_up()
