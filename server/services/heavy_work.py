"""Work that may take long: on threads, so that the event loop stays free, and paid for by the client that causes it.

Whatever can take over 5 ms for the largest input that is allowed goes through here: reading, replaying and writing
records and large positions, and opening searches on them. The work of one address runs one after the other, so that
many requests of one client do not keep others waiting.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar, TypeVarTuple

from server.domain.account import Allowance
from server.domain.errors import ApiError, Code
from server.services.address_accounts import AddressAccounts
from server.services.metered import Metered
from server.services.payer import payer

THREADS = 2

MOST_WAITING = 16
"""The most pieces of work of one address that may wait."""

RETRY_MS = 1000

BURST = 6.0
"""The allowance of a minute is available ``1 / BURST`` at once."""

Given = TypeVarTuple("Given")
T = TypeVar("T")


class _Turn:
    """Whose work of one address runs now, and how much of it is running or waiting."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.count = 0


class HeavyWork:
    """The threads, and the processor time that clients have used on them."""

    def __init__(self, seconds_per_minute: float = 0.0, now: Callable[[], float] = time.monotonic) -> None:
        """``seconds_per_minute``: of processor time for each client address; 0: no limit."""
        allowance = Allowance(seconds_per_minute / 60, seconds_per_minute / BURST)
        self.accounts = AddressAccounts(allowance, "of the server's time", now)
        self._threads = ThreadPoolExecutor(THREADS, "heavy-work")
        self._turns: dict[str, _Turn] = {}

    async def run(self, work: Callable[[*Given], T], *given: *Given) -> T:
        """Returns ``work(*given)``, run on a thread for the client that ``payer`` names, after its earlier work.

        ApiError ``too-many-requests`` if the client has used up its time, or has too much waiting.
        """
        address = payer.get()
        self.check()
        turn = self._turns.get(address or "")
        if turn is not None and turn.count >= MOST_WAITING:
            text = f"At most {MOST_WAITING} requests of one address can wait for the server's work."
            raise ApiError(Code.TOO_MANY_REQUESTS, text, limit=MOST_WAITING, retry_after_ms=RETRY_MS)
        return await self.run_accepted(work, *given)

    def check(self) -> None:
        """ApiError ``too-many-requests`` if the client that ``payer`` names has used up its time."""
        self.accounts.check(payer.get())

    async def run_accepted(self, work: Callable[[*Given], T], *given: *Given) -> T:
        """The same as ``run`` for work of a request that was accepted already: it is paid for, but never refused."""
        address = payer.get()
        if address is None:
            return await self._paid(None, work, *given)
        with self._turn(address) as turn:
            async with turn.lock:
                return await self._paid(address, work, *given)

    async def paid(self, work: Awaitable[T]) -> T:
        """Returns the result of work on the event loop, which the client pays for. Such work is short, but adds up."""
        metered = Metered(work)
        try:
            return await metered
        finally:
            self.accounts.charge(payer.get(), metered.seconds)

    def stop(self) -> None:
        """Ends the threads after the work in progress."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    @contextmanager
    def _turn(self, address: str) -> Iterator[_Turn]:
        turn = self._turns.setdefault(address, _Turn())
        turn.count += 1
        try:
            yield turn
        finally:
            turn.count -= 1
            if turn.count == 0:
                del self._turns[address]

    async def _paid(self, address: str | None, work: Callable[[*Given], T], *given: *Given) -> T:
        """Does not return before the work has ended, even if the client has left: it keeps its turn."""
        spent = [0.0]

        def timed() -> T:
            began = time.thread_time()
            try:
                return work(*given)
            finally:
                spent[0] = time.thread_time() - began

        running = asyncio.get_running_loop().run_in_executor(self._threads, timed)
        try:
            await asyncio.wait([running])
            return running.result()
        except asyncio.CancelledError:
            await asyncio.gather(running, return_exceptions=True)
            raise
        finally:
            self.accounts.charge(address, spent[0])
