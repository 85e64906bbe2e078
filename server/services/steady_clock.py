"""The time of day for one server, which passes evenly whatever is done to the system's clock."""

import time


class SteadyClock:
    """The system's time at the start, plus what has passed since then.

    When the system's clock is set, games go on as if nothing had happened: the server has the new time once it is
    restarted.
    """

    def __init__(self) -> None:
        self._offset = time.time_ns() - time.monotonic_ns()

    def now(self) -> int:
        """Milliseconds since the epoch; never less than before."""
        return (self._offset + time.monotonic_ns()) // 1_000_000
