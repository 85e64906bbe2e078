"""When no server was running, or none could store anything: time that no clock is charged for."""

from collections import deque
from typing import Final

REMEMBERED: Final = 100
"""How many outages are remembered: each clock is corrected soon after one."""


class Outages:
    """The outages since this server was started. All times are milliseconds since the epoch."""

    def __init__(self) -> None:
        self._spans: deque[tuple[int, int]] = deque(maxlen=REMEMBERED)

    def add(self, began: int, ended: int) -> None:
        """Adds one; what it shares with earlier ones counts once. It ends after them."""
        self._spans.append((max(began, self._spans[-1][1]) if self._spans else began, ended))

    def lost(self, since: int) -> int:
        """Returns how many of the milliseconds after ``since`` were lost."""
        return sum(max(0, ended - max(began, since)) for began, ended in self._spans)
