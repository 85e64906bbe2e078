"""When the bridge reconnects, and when it gives up. Times are milliseconds of one clock, always passed in."""

from dataclasses import dataclass

FIRST_PAUSE_MS, LONGEST_PAUSE_MS = 1_000, 30_000
"""Pauses between attempts to connect: doubled after each failure, up to a maximum."""

UNTIMED_GRACE_MS = 120_000
"""How long a server waits for a disconnected seat in a game without clocks."""


@dataclass(slots=True)
class Outage:
    """A lost connection; the game is lost at ``deadline``."""

    deadline: int
    pause: int = FIRST_PAUSE_MS

    def next_pause(self, now: int) -> int | None:
        """How long to wait before the next attempt; None if the deadline has passed."""
        if now >= self.deadline:
            return None
        pause, self.pause = self.pause, min(2 * self.pause, LONGEST_PAUSE_MS)
        return min(pause, self.deadline - now)


def outage(now: int, clock_left_ms: int | None) -> Outage:
    """An outage that starts ``now``, with this much time left for the side to move (None: no clock)."""
    return Outage(now + (UNTIMED_GRACE_MS if clock_left_ms is None else clock_left_ms))
