"""The viewers of an analysis: clients that requested it, and clients that watch it. Without either, it is cancelled.

Used by the analysis service. A watcher reads the stream of positions or polls the result. A client that loses its
connection and reconnects in time misses nothing.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from server.domain.errors import ApiError, Code
from server.domain.tokens import hash_token, new_token
from server.services.address_limit import AddressLimit

MAX_ASKS = 1000
"""The maximum number of requests for one running analysis."""

READER_SECONDS = 15.0
"""How long a reader may take to reconnect."""

RETRY_MS = 5000


class AnalysisViewers:
    """The requests for a running analysis, and its watchers. Calls ``give_up`` when no request or no watcher is left.

    ``limit`` counts the running analyses of each client address. Each read of the result counts as ``look_seconds`` of
    watching.
    """

    def __init__(self, give_up: Callable[[], None], limit: AddressLimit, look_seconds: float) -> None:
        self._give_up = give_up
        self._limit = limit
        self._look_seconds = look_seconds
        self._asks: dict[str, str | None] = {}
        """Client addresses by the hash of the token."""
        self._by_address: Counter[str | None] = Counter()
        self._readers = 0
        self._watched_until = 0.0
        self._alarm: asyncio.TimerHandle | None = None
        self._is_over = False

    def ask(self, address: str | None) -> str:
        """Adds a request from this address and returns the token that withdraws it. Raises ApiError.

        Requests for a finished analysis are not counted.
        """
        token = new_token()
        if self._is_over:
            return token
        if len(self._asks) >= MAX_ASKS:
            text = "There are too many requests for this analysis."
            raise ApiError(Code.TOO_MANY_REQUESTS, text, limit=MAX_ASKS, retry_after_ms=RETRY_MS)
        if self._by_address[address] == 0:
            self._limit.take(address)
        self._by_address[address] += 1
        self._asks[hash_token(token)] = address
        self.look()
        return token

    def withdraw(self, token: str) -> bool:
        """Withdraws a request; returns False if there is none with this token."""
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
        """Called when a client reads the result: it counts as watching for ``look_seconds``."""
        self._stay(self._look_seconds)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Counts a reader of the stream for the duration of the context."""
        self._readers += 1
        try:
            yield
        finally:
            self._readers -= 1
            self._stay(READER_SECONDS)

    def close(self) -> None:
        """Called when the analysis has ended: its requests no longer count towards the limits of their clients."""
        self._is_over = True
        for address, count in self._by_address.items():
            if count > 0:
                self._limit.give_back(address)
        self._by_address.clear()
        self._asks.clear()
        if self._alarm is not None:
            self._alarm.cancel()

    def _stay(self, seconds: float) -> None:
        """Keeps the analysis running for at least ``seconds``."""
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
