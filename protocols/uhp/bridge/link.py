"""When the bridge connects again, and when it gives up. Times are milliseconds of one clock, always passed in."""

from dataclasses import dataclass

FIRST_PAUSE_MS, LONGEST_PAUSE_MS = 1_000, 30_000
"""Between two attempts to connect: doubled with each that fails."""

UNTIMED_GRACE_MS = 120_000
"""How long a server waits for a seat that is away in a game without clocks."""


@dataclass(slots=True)
class Outage:
    """The connection is lost since some time, and the game is over at ``deadline``."""

    deadline: int
    pause: int = FIRST_PAUSE_MS

    def next_pause(self, now: int) -> int | None:
        """How long to wait before the next attempt; None when the game is over by then."""
        if now >= self.deadline:
            return None
        pause, self.pause = self.pause, min(2 * self.pause, LONGEST_PAUSE_MS)
        return min(pause, self.deadline - now)


def outage(now: int, clock_left_ms: int | None) -> Outage:
    """An outage from ``now`` on, when the side to move has so much time left (None: there is no clock)."""
    return Outage(now + (UNTIMED_GRACE_MS if clock_left_ms is None else clock_left_ms))
