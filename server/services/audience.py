"""Who waits for an analysis: it is given up once nobody does, unless somebody wants it in any case.

Used by the analysis service. A reader who loses the connection comes back within the grace and has lost nothing.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Audience:
    """Counts readers, and calls ``give_up`` when there has been none for ``grace`` seconds; now there is none."""

    def __init__(self, give_up: Callable[[], None], grace: float) -> None:
        self._give_up = give_up
        self._grace = grace
        self._readers = 0
        self._is_kept = False
        self._alarm: asyncio.TimerHandle | None = None
        self._expect()

    def keep(self) -> None:
        """It is not given up any more: somebody will come for the result later, or it is there."""
        self._is_kept = True
        self._forget_alarm()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """For as long as somebody reads."""
        self._readers += 1
        self._forget_alarm()
        try:
            yield
        finally:
            self._readers -= 1
            self._expect()

    def _expect(self) -> None:
        if self._readers == 0 and not self._is_kept:
            self._forget_alarm()
            self._alarm = asyncio.get_running_loop().call_later(self._grace, self._give_up)

    def _forget_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
