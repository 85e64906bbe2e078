"""A wall clock for one server that is not affected by changes to the system clock."""

import time


class SteadyClock:
    """The system time at the start, plus the monotonic time elapsed since then.

    Changes to the system clock do not affect running games; the server uses the new time after a restart.
    """

    def __init__(self) -> None:
        self._offset = time.time_ns() - time.monotonic_ns()

    def now(self) -> int:
        """Returns milliseconds since the epoch; never decreases."""
        return (self._offset + time.monotonic_ns()) // 1_000_000
