"""The work of a UHP engine: finds best moves and counts leaves, one task at a time, in a thread.

``stdio`` and ``bridge`` run this.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from engines import Position, RuleError, Search
from programs.kept_search import KeptSearch
from protocols.session import Event
from protocols.uhp.engine_work import Counted, CountLeaves, FindMove, Found, WorkFailed
from protocols.uhp.game_string import moves_of, play

log = logging.getLogger(__name__)

UNLIMITED = 1 << 30
"""A number of simulations larger than any time or depth limit requires."""

SMALL_DEPTH = 4
"""Depth in plies that is counted in one go, without checking for a stop: a second at most."""

Work = FindMove | CountLeaves


class CountStopped(Exception):
    """The user has cancelled the count."""


class StopSwitch:
    """Stops one piece of work. May be pulled from any thread, before, during or after the work."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._search: Search | None = None
        self._is_pulled = False

    @property
    def is_pulled(self) -> bool:
        """Whether the work should end."""
        return self._is_pulled

    def pull(self) -> None:
        """Ends the work soon."""
        with self._lock:
            self._is_pulled = True
            if self._search is not None:
                self._search.interrupt()

    @contextmanager
    def over(self, search: Search) -> Iterator[None]:
        """Within this context, pulling the switch interrupts the search."""
        with self._lock:
            self._search = search
            if self._is_pulled:
                search.interrupt()
        try:
            yield
        finally:
            with self._lock:
                self._search = None


class UhpSearch:
    """Does one piece of work at a time."""

    def __init__(self) -> None:
        self._kept = KeptSearch()
        self._switch = StopSwitch()

    def start(self, work: Work) -> "asyncio.Future[Event]":
        """Starts the work in a thread."""
        switch = self._switch = StopSwitch()
        return asyncio.ensure_future(asyncio.to_thread(self.do, work, time.monotonic(), switch))

    def stop(self) -> None:
        """Ends the work soon, if any is in progress."""
        self._switch.pull()

    def do(self, work: Work, asked_at: float, switch: StopSwitch) -> Event:
        """Does the work requested at ``asked_at`` (``time.monotonic``) and returns the event that ends it."""
        try:
            if isinstance(work, FindMove):
                return Found(self._find(work, asked_at, switch))
            return Counted(_count(work.position, work.depth, work.threads, switch))
        except CountStopped:
            return WorkFailed("The count was stopped.")
        except RuleError as refusal:
            return WorkFailed(str(refusal))
        except BaseException:  # A panic in the core is not an Exception, and viewers wait forever.
            log.exception("the work of the engine failed")
            return WorkFailed("The engine has failed; see its log.")

    def _find(self, work: FindMove, asked_at: float, switch: StopSwitch) -> str:
        search = self._search_of_game(work) if work.limit.depth is None else _open(work)
        with switch.over(search):
            search.run(UNLIMITED, _milliseconds_left(work, asked_at))
        if switch.is_pulled:
            # A late interrupt would end the next run.
            self._kept.forget()
        return search.report().best_move or work.position.legal_moves()[0]

    def _search_of_game(self, work: FindMove) -> Search:
        """The search of this game, or a new one.

        Searches to a fixed depth are always new, so that the same seed gives the same move whatever came before.
        """
        position = work.position
        opened_for = (position.variant, position.config, work.threads, work.hash_mb, work.seed)
        return self._kept.at(moves_of(position), opened_for, lambda: _open(work))


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
    """The time left, at least enough to find a move; None without a time limit."""
    if work.limit.milliseconds is None:
        return None
    spent = round((time.monotonic() - asked_at) * 1000)
    return max(1, work.limit.milliseconds - spent)
