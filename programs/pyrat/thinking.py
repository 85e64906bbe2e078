"""The searches of our PyRat bot: one at a time, in a thread, each ended by its limits or by ``stop``.

Driven by ``stdio``.
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from engines import Position, Report, Search
from engines.bots import STRATEGIES, Bot
from programs.kept_search import KeptSearch, run_slices
from protocols.pyrat.text.bot import SearchProgress, Think, Thought
from protocols.pyrat.text.lines import GAME

log = logging.getLogger(__name__)

INFO_MS = 500
"""Time between reports of progress."""

Found = SearchProgress | Thought


def searches() -> tuple[str, ...]:
    """The names of the bots whose searches can play the game, strongest first."""
    position = Position(GAME, "tiny")
    named = [
        name
        for name, strategy in STRATEGIES.items()
        if strategy.options is not None and not strategy.uses_network
    ]
    return tuple(name for name in reversed(named) if _can_search(name, position))


def _can_search(name: str, position: Position) -> bool:
    try:
        Bot.parse(name).open_search(position, 0)
    except ValueError:
        return False
    return True


class Thinking:
    """Searches one position at a time. ``post`` is called with the results, from the thread."""

    def __init__(self, post: Callable[[Found], None]) -> None:
        self._post = post
        self._thread = ThreadPoolExecutor(1, "pyrat-search")
        self._stopped = threading.Event()
        self._kept = KeptSearch()

    def start(self, think: Think) -> None:
        """Starts a search. An earlier one must have been stopped, and ends first."""
        stopped = self._stopped = threading.Event()
        self._thread.submit(self._think, think, time.monotonic(), stopped)

    def stop(self) -> None:
        """Ends the current search soon."""
        self._stopped.set()

    def close(self) -> None:
        """Ends the current search and waits for its end."""
        self.stop()
        self._thread.shutdown()

    def _think(self, think: Think, began: float, stopped: threading.Event) -> None:
        try:
            search = self._search_of(think)
            self._run(search, think, began, stopped)
            line = _own_line(search.report(), think)
            move = line[0] if line else think.position.legal_moves(think.seat)[0]
        except BaseException:  # A panic in the core is not an Exception, and hosts wait for the move.
            log.exception("the search has failed")
            self._kept.forget()
            move = think.position.legal_moves(think.seat)[0]
        self._post(Thought(think.number, move))

    def _run(self, search: Search, think: Think, began: float, stopped: threading.Event) -> None:
        """Searches, and posts the progress now and then and at the end."""
        told_ms = spent_ms = 0
        for spent_ms in run_slices(search, stopped, began, think.limit.milliseconds, think.limit.samples):
            if spent_ms - told_ms >= INFO_MS:
                told_ms = spent_ms
                self._post(_progress(search.report(), think, spent_ms))
        self._post(_progress(search.report(), think, spent_ms))

    def _search_of(self, think: Think) -> Search:
        """The search of this game, or a new one."""
        position = think.position
        opened_for = (position.config, think.search, think.seed)
        return self._kept.at(
            position.history, opened_for, lambda: Bot.parse(think.search).open_search(position, think.seed)[0]
        )


def _progress(report: Report, think: Think, milliseconds: int) -> SearchProgress:
    value = report.values[think.seat]
    return SearchProgress(think.number, report.visits, milliseconds, value, _own_line(report, think))


def _own_line(report: Report, think: Think) -> tuple[str, ...]:
    """The seat's part of the expected moves, beginning with its best one."""
    best = report.best_move
    if best is None:
        return ()
    lines = report.lines
    rest = lines[0].pv[1:] if lines and lines[0].move == best else []
    acting = think.position.to_act
    return tuple(move.split("/")[acting.index(think.seat)] for move in (best, *rest) if "/" in move)
