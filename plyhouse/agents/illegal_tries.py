"""Counts the illegal moves that agents try in a turn."""

from collections import OrderedDict

LARGEST = 1_000
"""Seats whose tries are counted at a time; beyond it, the count that is oldest is forgotten."""


class IllegalTries:
    """How often each seat has tried an illegal move since its position arose."""

    def __init__(self, retries: int) -> None:
        """``retries``: how often a seat may try again in a turn after an illegal move."""
        self.retries = retries
        self._counts: OrderedDict[tuple[str, str], tuple[int, int]] = OrderedDict()

    def left(self, game_id: str, token: str, ply: int) -> int:
        """Counts one more illegal move at this ply; returns how many tries the seat has left in this turn."""
        before, count = self._counts.pop((game_id, token), (ply, 0))
        count = count + 1 if before == ply else 1
        self._counts[game_id, token] = (ply, count)
        if len(self._counts) > LARGEST:
            self._counts.popitem(last=False)
        return max(0, self.retries + 1 - count)
