"""A player's clock at one moment, for programs that choose moves."""

from dataclasses import dataclass

OVERHEAD_MS = 100
"""Reserved for transmitting the answer, in addition to twice the lag."""


@dataclass(frozen=True, slots=True)
class ClockReading:
    """The clock of the seat to move, in milliseconds. ``lag_ms`` is the one-way latency to the program.

    ``increment_ms`` is added after the move. With a fixed time for each move, it is that time.
    """

    remaining_ms: int
    increment_ms: int = 0
    lag_ms: int = 0

    @property
    def share_ms(self) -> int:
        """The time to spend on this move, at least 1 ms.

        A twentieth of the remaining time plus most of the increment, and at most a third of the remaining time.
        """
        share = (self.remaining_ms - 2 * self.lag_ms - OVERHEAD_MS) / 20 + 0.8 * self.increment_ms
        return max(1, int(min(share, self.remaining_ms / 3)))
