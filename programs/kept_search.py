"""The search of a game in a thread: runs until it is stopped, and is kept from move to move.

So later searches reuse what it has found.
"""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engines import Search

SLICE_MS = 20
"""A search runs in slices of this length; between them it may be stopped."""

SLICE_SAMPLES = 1 << 20
"""More simulations than a slice has time for."""


def run_slices(
    search: Search, stopped: threading.Event, began: float, most_ms: int | None, samples: int | None = None
) -> Iterator[int]:
    """Runs a search until it is stopped or complete or reaches a limit, at least one slice.

    Yields the milliseconds since ``began`` (``time.monotonic``) after each slice. ``most_ms`` counts from then on.
    """
    done, spent = 0, _ms_since(began)
    while True:
        left = SLICE_MS if most_ms is None else min(SLICE_MS, most_ms - spent)
        wanted = SLICE_SAMPLES if samples is None else min(SLICE_SAMPLES, samples - done)
        ran = search.run(wanted, max(1, left))
        done, spent = done + ran, _ms_since(began)
        yield spent
        is_late = most_ms is not None and spent >= most_ms
        if is_late or not ran or stopped.is_set() or (samples is not None and done >= samples):
            return


def _ms_since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A search, the settings it was opened with, and the moves that led to its current position."""

    search: Search
    opened_for: tuple[object, ...]
    moves: list[str]


class KeptSearch:
    """Keeps the search of the last game, if there was one."""

    def __init__(self) -> None:
        self._kept: _Kept | None = None

    def at(self, moves: list[str], opened_for: tuple[object, ...], start: Callable[[], Search]) -> Search:
        """The search of this game, advanced to the position after ``moves``, or a new one from ``start``.

        An earlier search is used again only if it has the settings ``opened_for``.
        """
        kept, self._kept = self._kept, None
        if kept is None or kept.opened_for != opened_for or moves[: len(kept.moves)] != kept.moves:
            del kept  # Frees its memory before more is allocated.
            kept = _Kept(start(), opened_for, moves)
        for move in moves[len(kept.moves) :]:
            kept.search.advance(move)
        self._kept = _Kept(kept.search, opened_for, moves)
        return kept.search

    def forget(self) -> None:
        """Frees the search."""
        self._kept = None
