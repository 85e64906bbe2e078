"""How soon a client connects again after a WebSocket has closed, so that not all clients of a server come at once."""

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
