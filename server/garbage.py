"""When reference cycles are collected: the young ones all the time, the old ones while the event loop is idle.

Nearly all objects are freed by reference counting, so that little is left to collect; but a collection of old objects
stops the event loop for as long as it takes to visit all of them: 0.15 s with 1,000 games and their players, and 1.5 s
with 9,000.
"""

import asyncio
import gc
import time
from collections.abc import Callable
from dataclasses import dataclass

YOUNG = 20_000
"""Net allocations after which Python collects the youngest generation, in 2 to 5 ms."""

NEVER = 2**31 - 1

YOUNG_SECONDS = 0.1
"""How often the youngest generation is collected in any case.

Python counts what is allocated less what is freed, also of older objects. Where each move frees the last state of its
game, the generation would grow to the states of all games, and stop the event loop for 35 ms.
"""

LOOK_SECONDS = 1.0
"""How often it looks whether older ones are due."""

IDLE_SHARE = 0.05
"""The loop is idle if it has worked for less than this share of the time since the last look."""


@dataclass(slots=True)
class OldGeneration:
    """An older generation: collected when idle every ``after`` seconds, and in any case after ``at_last`` seconds."""

    number: int
    after: float
    at_last: float
    collected_at: float

    def is_due(self, now: float, *, is_idle: bool) -> bool:
        """Whether it is to be collected now."""
        return now - self.collected_at >= (self.after if is_idle else self.at_last)


class IdleCollection:
    """Collects the garbage of a process whose event loop serves others. Started on that loop."""

    def __init__(self, collect: Callable[[int], object] = gc.collect) -> None:
        now = time.monotonic()
        self._collect = collect
        self._generations = (OldGeneration(2, 600.0, 3600.0, now), OldGeneration(1, 10.0, 600.0, now))

    def start(self) -> None:
        """Excludes everything that exists now from collections, since it lives as long as the server."""
        gc.freeze()
        gc.set_threshold(YOUNG, NEVER, NEVER)
        gc.enable()
        self._task = asyncio.ensure_future(self._run())

    def stop(self) -> None:
        """Collects nothing more."""
        self._task.cancel()

    async def _run(self) -> None:
        worked = time.thread_time()
        while True:
            for _ in range(round(LOOK_SECONDS / YOUNG_SECONDS)):
                await asyncio.sleep(YOUNG_SECONDS)
                self._collect(0)
            now, before = time.monotonic(), worked
            self.look(now, is_idle=time.thread_time() - before < IDLE_SHARE * LOOK_SECONDS)
            worked = time.thread_time()

    def look(self, now: float, *, is_idle: bool) -> None:
        """Collects the oldest generation that is due, and with it the younger ones."""
        due = next((one for one in self._generations if one.is_due(now, is_idle=is_idle)), None)
        if due is None:
            return
        self._collect(due.number)
        for one in self._generations:
            if one.number <= due.number:
                one.collected_at = now
