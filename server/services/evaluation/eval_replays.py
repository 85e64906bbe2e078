"""Evaluations of finished games: one session per game, for all viewers waiting for its history.

Used by the evaluations service. A session ends as soon as its history is complete or its last viewer has left.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable

from protocols.play import eval_session as ev
from protocols.play.eval_history import EvalHistory, Shown
from protocols.session import Event
from server.domain.game import GameState
from server.services.bots.bgs import Bgs, line_of
from server.services.evaluation.eval_feed import failure_of_session
from server.services.heavy_work import HeavyWork

VIEWER = "guest"
"""The user name in session ids, since there are no accounts."""


class Replay:
    """A session that evaluates a finished game, and the number of viewers waiting for it."""

    def __init__(self, bgs: Bgs, state: GameState) -> None:
        self.viewers = 0
        self.done = asyncio.Event()
        """Set when the history is complete or the session has failed."""
        self.history = EvalHistory(line_of(state))
        self._bgs = bgs
        bgs.listeners.add(self._look)
        bgs.follow(self.history.line)

    @property
    def failure(self) -> ev.AnalysisFailed | None:
        """Why there is no history, if the session has failed."""
        return None if self._bgs.failure is None else failure_of_session(self._bgs.failure)

    def end(self) -> None:
        """Ends the session."""
        self._bgs.end()

    def _look(self) -> None:
        line = self.history.line
        if self._bgs.is_complete(line):
            self.history = self.history.updated(line, self._bgs.entries_for(line))
        if self._bgs.failure is not None or self.history.is_complete:
            self.done.set()


class Replays:
    """The running replays. ``open_session`` opens a session with the given id; ApiError if none is free."""

    def __init__(self, open_session: Callable[[GameState, str], Bgs], work: HeavyWork) -> None:
        self._open_session = open_session
        self._work = work
        self._running: dict[str, Replay] = {}

    async def follow(self, state: GameState, shown: Shown) -> AsyncIterator[Event]:
        """Yields the events that a viewer has not been ``shown`` yet. ApiError if no session is free."""
        replay = self._running.get(state.id)
        if replay is None:
            bgs = self._open_session(state, f"{state.id}_{VIEWER}_{secrets.token_hex(4)}")
            replay = self._running[state.id] = Replay(bgs, state)
        replay.viewers += 1
        try:
            if shown.is_empty:
                yield ev.HistoryPending(replay.history.plies)
            await replay.done.wait()
        finally:
            replay.viewers -= 1
            if replay.viewers == 0 or replay.done.is_set():
                self._end(state.id, replay)
        if replay.failure is not None:
            yield replay.failure
            return
        await self._work.run_accepted(replay.history.encode)
        for event in shown.news(replay.history):
            yield event

    def _end(self, game_id: str, replay: Replay) -> None:
        if self._running.get(game_id) is replay:
            del self._running[game_id]
            replay.end()
