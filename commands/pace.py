"""How large the transactions of a command that changes many games are. Servers that run beside it write in between."""

from time import sleep
from typing import Final

FIRST: Final = 20
"""How many games the first transaction takes."""

SHARED_SECONDS: Final = 0.06
"""How long a transaction should take beside servers, whose moves wait for its end."""

ALONE_SECONDS: Final = 1.0
"""The same without servers."""


class Pace:
    """The size of the next transaction, in games."""

    def __init__(self, largest: int) -> None:
        self.size = min(FIRST, largest)
        self._largest = largest

    def rest_after(self, count: int, seconds: float, is_shared: bool) -> None:
        """To be called after each transaction of ``count`` games with its duration. Beside servers, rests as long."""
        fitting = count * (SHARED_SECONDS if is_shared else ALONE_SECONDS) / max(seconds, 0.001)
        self.size = max(1, min(self._largest, 2 * self.size, round(fitting)))
        if is_shared:
            sleep(seconds)
