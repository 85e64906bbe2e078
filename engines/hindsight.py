"""Looking at the moves that follow a position before it is searched, where they are known.

Whoever analyses a game knows what came of every move. An alpha-beta search that first searches the positions after the
next moves, the last one first, finds their values in its table when it comes to the position itself. So it sees where a
game was lost, rather than that it is lost some moves later.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from engines._core import Search

MOVES_AHEAD: Final = 6
"""After how many of the moves that follow is searched, at most."""

SHARE: Final = 0.3
"""The samples for each of these positions, for each sample of the position itself; see docs/calibration.md."""

WORK: Final = 1 + SHARE * MOVES_AHEAD
"""The samples for a position and those ahead of it, for each sample of the position itself."""


def samples_ahead(samples: int) -> int:
    """The samples for each position ahead, if the position itself has so many ``samples``."""
    return max(1, round(SHARE * samples))


def look_ahead(search: Search, following: Sequence[str]) -> Iterator[int]:
    """Leads a search to the positions after the moves that follow, and then back to its root.

    Yields after how many of them it is, for the caller to run it there. Yields nothing if the search cannot use what
    it finds there. Raises RuleError if a move is illegal.
    """
    for moves in range(min(len(following), MOVES_AHEAD), -1, -1):
        if search.look_ahead(following[:moves]):
            yield moves
