"""How soon a client connects again after a connection was lost, so that not all clients of a server come at once."""

from dataclasses import dataclass
from typing import Final

STOPPING: Final = (1001, 1012)
"""Close codes of a server that stops, and closes the connections of all its clients at once."""

SPREAD_SECONDS: Final = 2.0
"""Within how long these clients connect again."""

SILENT: Final = 1011
"""The close code that a client sends when its ping is not answered."""


def first_pause(received: int | None, sent: int | None, usual: float, random: float) -> float:
    """Returns the seconds before the first attempt.

    ``received`` and ``sent`` are the close codes of the lost connection, None if there was none; ``usual`` is the pause
    after any other loss. ``random`` is from 0 to 1.
    """
    if received in STOPPING:
        return random * SPREAD_SECONDS
    return 0.0 if received is None and sent == SILENT else usual


@dataclass(slots=True)
class Pauses:
    """The pauses between attempts: each twice as long as the one before, at most ``longest``, in any unit of time."""

    shortest: float
    longest: float
    _last: float = 0.0

    def next(self) -> float:
        """The next pause."""
        self._last = min(self.longest, max(self.shortest, 2 * self._last))
        return self._last

    def restart(self) -> None:
        """Begins again with the shortest one, after an attempt that succeeded."""
        self._last = 0.0
