"""The work of a UHP engine: finds best moves and counts leaves, one task at a time, in a thread.

``stdio`` and ``bridge`` run this.
"""

import asyncio
import logging
import threading
import time

from engines import Position, RuleError, Search
from programs.kept_search import KeptSearch, run_slices
from protocols.session import Event
from protocols.uhp.engine_work import Counted, CountLeaves, FindMove, Found, WorkFailed
from protocols.uhp.game_string import moves_of, play

log = logging.getLogger(__name__)

SMALL_DEPTH = 4
"""Depth in plies that is counted in one go, without checking for a stop: a second at most."""

Work = FindMove | CountLeaves


class CountStopped(Exception):
    """The user has cancelled the count."""


class UhpSearch:
    """Does one piece of work at a time."""

    def __init__(self) -> None:
        self._kept = KeptSearch()
        self._stopped = threading.Event()

    def start(self, work: Work) -> "asyncio.Future[Event]":
        """Starts the work in a thread."""
        stopped = self._stopped = threading.Event()
        return asyncio.ensure_future(asyncio.to_thread(self.do, work, time.monotonic(), stopped))

    def stop(self) -> None:
        """Ends the work soon, if any is in progress."""
        self._stopped.set()

    def do(self, work: Work, asked_at: float, stopped: threading.Event) -> Event:
        """Does the work requested at ``asked_at`` (``time.monotonic``) and returns the event that ends it."""
        try:
            if isinstance(work, FindMove):
                return Found(self._find(work, asked_at, stopped))
            return Counted(_count(work.position, work.depth, work.threads, stopped))
        except CountStopped:
            return WorkFailed("The count was stopped.")
        except RuleError as refusal:
            return WorkFailed(str(refusal))
        except BaseException:  # A panic in the core is not an Exception, and viewers wait forever.
            log.exception("the work of the engine failed")
            return WorkFailed("The engine has failed; see its log.")

    def _find(self, work: FindMove, asked_at: float, stopped: threading.Event) -> str:
        search = self._search_of_game(work) if work.limit.depth is None else _open(work)
        for _ in run_slices(search, stopped, asked_at, work.limit.milliseconds):
            pass
        return search.report().best_move or work.position.legal_moves()[0]

    def _search_of_game(self, work: FindMove) -> Search:
        """The search of this game, or a new one.

        Searches to a fixed depth are always new, so that the same seed gives the same move whatever came before.
        """
        position = work.position
        opened_for = (position.variant, position.config, work.threads, work.hash_mb, work.seed)
        return self._kept.at(moves_of(position), opened_for, lambda: _open(work))


def _count(position: Position, depth: int, threads: int, stopped: threading.Event) -> int:
    if stopped.is_set():
        raise CountStopped
    if depth <= SMALL_DEPTH:
        return position.perft(depth, threads)
    leaves = 0
    for move in position.legal_moves():
        play(position, move)
        leaves += _count(position, depth - 1, threads, stopped)
        position.undo()
    return leaves


def _open(work: FindMove) -> Search:
    options = {"search": "alphabeta", "threads": work.threads, "hashMB": work.hash_mb}
    if work.limit.depth is not None:
        options["maxDepth"] = work.limit.depth
    return Search(work.position, "native", options, seed=work.seed)
