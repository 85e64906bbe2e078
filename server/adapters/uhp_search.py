"""The work of a UHP engine: best moves and counts, done one at a time by whatever thread calls.

The search of a game is kept from move to move, so that what one answer has learned helps the next. ``uhp_stdio``
runs this in a thread of its own, and stops it from another.
"""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from engines import Position, RuleError, Search
from protocols.session import Event
from protocols.uhp.engine_work import Counted, CountLeaves, FindMove, Found, WorkFailed
from protocols.uhp.game_string import moves_of, play

log = logging.getLogger(__name__)

UNLIMITED = 1 << 30
"""Simulations: more than any time or depth asks for."""

SMALL_DEPTH = 4
"""Plies that are counted without a look at whether to stop: a second at most."""

Work = FindMove | CountLeaves


class CountStopped(Exception):
    """Raised when the user has cancelled the count."""


class StopSwitch:
    """Ends one piece of work. May be pulled from any thread, before the work, during it and after it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._search: Search | None = None
        self._is_pulled = False

    @property
    def is_pulled(self) -> bool:
        """Whether the work is to end."""
        return self._is_pulled

    def pull(self) -> None:
        """Ends the work soon."""
        with self._lock:
            self._is_pulled = True
            if self._search is not None:
                self._search.interrupt()

    @contextmanager
    def over(self, search: Search) -> Iterator[None]:
        """While this lasts, the switch interrupts the search."""
        with self._lock:
            self._search = search
            if self._is_pulled:
                search.interrupt()
        try:
            yield
        finally:
            with self._lock:
                self._search = None


@dataclass(frozen=True, slots=True)
class KeptSearch:
    """A search, what it was opened for, and the moves that led to where it stands."""

    search: Search
    opened_for: tuple[object, ...]
    moves: list[str]

    def leads_to(self, moves: list[str], opened_for: tuple[object, ...]) -> bool:
        """Whether the search can be brought to where ``moves`` lead."""
        return self.opened_for == opened_for and moves[: len(self.moves)] == self.moves


class UhpSearch:
    """Does one piece of work at a time."""

    def __init__(self) -> None:
        self._kept: KeptSearch | None = None

    def do(self, work: Work, asked_at: float, switch: StopSwitch) -> Event:
        """The end of the work, which was asked for at ``asked_at`` (``time.monotonic``)."""
        try:
            if isinstance(work, FindMove):
                return Found(self._find(work, asked_at, switch))
            return Counted(_count(work.position, work.depth, work.threads, switch))
        except CountStopped:
            return WorkFailed("The count was stopped.")
        except RuleError as refusal:
            return WorkFailed(str(refusal))
        except BaseException:  # A panic of the core is no Exception; and viewers wait for an answer for ever.
            log.exception("the work of the engine failed")
            return WorkFailed("The engine has failed; its log says more.")

    def _find(self, work: FindMove, asked_at: float, switch: StopSwitch) -> str:
        search = self._search_of_game(work) if work.limit.depth is None else _open(work)
        with switch.over(search):
            search.run(UNLIMITED, _milliseconds_left(work, asked_at))
        if switch.is_pulled:
            # The interrupt may have come too late for this run, and would end the next one.
            self._kept = None
        return search.report().best_move or work.position.legal_moves()[0]

    def _search_of_game(self, work: FindMove) -> Search:
        """The search that answered before in this game, brought to the position, or a new one.

        Not for a search of some depth: the same seed then finds the same, whatever was asked before.
        """
        position, moves = work.position, moves_of(work.position)
        opened_for = (position.variant, position.config, work.threads, work.hash_mb, work.seed)
        kept, self._kept = self._kept, None
        if kept is not None and kept.leads_to(moves, opened_for):
            search = kept.search
            for move in moves[len(kept.moves) :]:
                search.advance(move)
        else:
            del kept  # Its tables, before the new ones.
            search = _open(work)
        self._kept = KeptSearch(search, opened_for, moves)
        return search


def _count(position: Position, depth: int, threads: int, switch: StopSwitch) -> int:
    if switch.is_pulled:
        raise CountStopped
    if depth <= SMALL_DEPTH:
        return position.perft(depth, threads)
    leaves = 0
    for move in position.legal_moves():
        play(position, move)
        leaves += _count(position, depth - 1, threads, switch)
        position.undo()
    return leaves


def _open(work: FindMove) -> Search:
    options = {"search": "alphabeta", "threads": work.threads, "hashMB": work.hash_mb}
    if work.limit.depth is not None:
        options["maxDepth"] = work.limit.depth
    return Search(work.position, "native", options, seed=work.seed)


def _milliseconds_left(work: FindMove, asked_at: float) -> int | None:
    """What is left of the time; a search of no time at all still knows a move."""
    if work.limit.milliseconds is None:
        return None
    spent = round((time.monotonic() - asked_at) * 1000)
    return max(1, work.limit.milliseconds - spent)
