"""The search of a game, kept from move to move, so that later searches reuse what it has found."""

from collections.abc import Callable
from dataclasses import dataclass

from engines import Search


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
