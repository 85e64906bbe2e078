"""Workers as an analyst (``ports.analysts.Analyst``), falling back to our own pool when no worker has room.

A session stays at the worker that has its tree. It can move to another worker, or to our own pool, at any evaluation:
it starts there at the current position.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Final

from engines import Evaluation, Position, RuleError
from engines.effort import usual_samples
from engines.pool import Limits, Priority
from protocols.bgs import messages as bgs
from protocols.bgs.answers import R
from protocols.bgs.config import Setup
from protocols.bgs.effects import AnswerError, RefusalError
from protocols.values import ClockReading
from server.analysts.pool_analyst import PoolAnalyst, SearchSettings
from server.ports.analysts import AnalystGoneError
from server.services.bots.attached_session import AttachedSession
from server.services.bots.workers import AttachedWorker, Workers

log = logging.getLogger(__name__)

ANSWER_SECONDS: Final = 10.0
"""How long a worker may take to answer, in addition to the time of a search."""

SAMPLE_SECONDS: Final = 0.1
"""The time of a sample at a worker that is slow and busy."""

ANALYSIS_WORK: Final = 6.0
"""How much longer than a search an analysis of a position may take: its moves are compared with the best ones. Hive's
may have 24 times the samples and Carcassonne's 54 times, but these take far less than ``SAMPLE_SECONDS``, unless a slow
network evaluates."""

FIRST_MOVES: Final = 500
"""How many moves a session starts with: as many as fit in one message in every game. The others follow one by one."""

FAILURES: Final = (AnalystGoneError, AnswerError, TimeoutError)
"""Why an evaluation by a worker fails."""

_numbers = count(1)
"""Of the sessions at workers: a number is not used again."""


class WorkerAnalyst:
    """The workers, with the settings of ``own``, which evaluates when there are none."""

    time_limit = None
    most_sessions = None
    """No limit, as for the pool."""

    def __init__(self, workers: Workers, own: PoolAnalyst) -> None:
        self.id = own.id
        self._workers = workers
        self._own = own

    def session(self, session_id: str, bot_id: str, setup: Setup) -> "WorkerSession":
        """A session with this id; ``bot_id`` is ignored, since all our bots are the same search."""
        return WorkerSession(self._workers, self._own, session_id, bot_id, setup)


class WorkerSession:
    """One session (``ports.analysts.AnalystSession``), opened at a worker or in our pool by its first evaluation."""

    def __init__(
        self, workers: Workers, own: PoolAnalyst, session_id: str, bot_id: str, setup: Setup
    ) -> None:
        self._workers = workers
        self._settings = own.settings
        self._work = own.work
        self._own = own.session(session_id, bot_id, setup)
        self._own_ply: int | None = None
        """How many moves were played in our pool's session; None: it is not open."""
        self._name = f"{own.id}/{session_id}"
        self._setup = setup
        self._position: Position | None = None
        self._moves: list[str] = []
        self._placed: _PlacedSession | None = None
        """The session at the worker that has the tree."""

    async def open(self) -> None:
        """Begins at the start of the game. RefusalError if its configuration is invalid."""
        setup = self._setup
        try:
            start = (setup.game, setup.variant, setup.config)
            self._position = await self._work.run_accepted(Position, *start)
        except RuleError as error:
            raise RefusalError(str(error)) from error
        self._moves = []

    async def advance(self, move: str) -> None:
        """Plays a move. RefusalError if it is illegal."""
        if self._position is None:
            raise RefusalError("the session is not open")
        try:
            self._position.play(move)
        except RuleError as error:
            raise RefusalError(f"Failed to apply move: {error}") from error
        self._moves.append(move)

    async def evaluate(self, clock: ClockReading | None = None, following: Sequence[str] = ()) -> Evaluation:
        """Searches at a worker, or in our pool if none has room. Cancelling stops the search.

        RefusalError if the search fails in our pool. The time that failed workers took is subtracted from the clock.
        """
        if self._position is None:
            raise RefusalError("the session is not open")
        failed: set[AttachedWorker] = set()
        time = asyncio.get_running_loop().time
        started = time()
        while (placed := self._place(self._position, failed)) is not None:
            try:
                with self._workers.evaluating():
                    evaluation = await placed.search(self._moves, _later(clock, time() - started), following)
            except FAILURES as error:
                log.info("worker %s: %s", placed.worker.client.id, str(error) or type(error).__name__)
                failed.add(placed.worker)
                self._leave()
            else:
                await self._close_own()
                return evaluation
        return await self._evaluate_here(_later(clock, time() - started), following)

    async def close(self) -> None:
        """Frees the search, wherever it is."""
        self._leave()
        await self._close_own()

    # ---- at workers ------------------------------------------------------------------------------

    def _place(self, position: Position, failed: set[AttachedWorker]) -> "_PlacedSession | None":
        """The session at its worker, or else at another one. None if no worker has room."""
        if self._placed is not None and self._workers.has(self._placed.worker):
            return self._placed
        self._placed = None
        worker = self._workers.choose(position, failed)
        bot_id = None if worker is None else worker.bot_for(position)
        if worker is not None and bot_id is not None:
            worker.used += 1
            bgs_id = f"{self._name}/{next(_numbers)}"
            self._placed = _PlacedSession(worker, bgs_id, bot_id, self._setup, self._settings)
        return self._placed

    def _leave(self) -> None:
        placed, self._placed = self._placed, None
        if placed is not None:
            self._workers.release(placed.worker, placed.bgs_id)

    # ---- in our pool -----------------------------------------------------------------------------

    async def _evaluate_here(self, clock: ClockReading | None, following: Sequence[str]) -> Evaluation:
        if self._own_ply is None:
            await self._own.open()
            self._own_ply = 0
        while self._own_ply < len(self._moves):
            await self._own.advance(self._moves[self._own_ply])
            self._own_ply += 1
            await asyncio.sleep(0)
        return await self._own.evaluate(clock, following)

    async def _close_own(self) -> None:
        if self._own_ply is not None:
            self._own_ply = None
            await self._own.close()


class _PlacedSession(AttachedSession):
    """A session at ``worker``."""

    def __init__(
        self, worker: AttachedWorker, bgs_id: str, bot_id: str, setup: Setup, settings: SearchSettings
    ) -> None:
        super().__init__(worker.client.request, bgs_id, bot_id, "", setup)
        self.worker = worker
        self.bgs_id = bgs_id
        self._settings = settings
        self._sent: int | None = None
        """How many moves the session has; None: it is not open."""

    async def search(
        self, moves: Sequence[str], clock: ClockReading | None, following: Sequence[str]
    ) -> Evaluation:
        """Evaluates the position after ``moves``, which ``following`` follow. Raises one of ``FAILURES``."""
        await self._follow(moves)
        settings = self._settings
        request = bgs.EvaluatePosition(
            self.bgs_id,
            self._position.ply,
            clock,
            self._limits(),
            settings.lines,
            int(settings.priority),
            following[0] if following else None,
            tuple(following[1:]) or None,
        )
        return await self._evaluation(request)

    async def _follow(self, moves: Sequence[str]) -> None:
        if self._sent is None:
            await self.open(moves[:FIRST_MOVES])
            self._sent = min(len(moves), FIRST_MOVES)
        while self._sent < len(moves):
            await self.advance(moves[self._sent])
            self._sent += 1

    async def _ask(self, request: bgs.Request, expected: type[R]) -> R:
        async with asyncio.timeout(_seconds_for(request)):
            return await super()._ask(request, expected)

    def _limits(self) -> bgs.EvaluationLimits:
        given, usual = self._setup.limits, usual_samples(self._setup.game)
        limits = Limits.given(given.samples, given.time_ms, self._settings.limits) or Limits(usual)
        return bgs.EvaluationLimits(limits.samples, None if limits.time_ms is None else round(limits.time_ms))


def _seconds_for(request: bgs.Request) -> float:
    """How long a worker may take to answer."""
    if not isinstance(request, bgs.EvaluatePosition) or request.limits is None:
        return ANSWER_SECONDS
    samples, time_ms, clock = request.limits.samples, request.limits.time_ms, request.clock
    of_clock = None if clock is None else clock.share_ms / 1000
    work = ANALYSIS_WORK if (request.priority or 0) >= Priority.INTERACTIVE else 1.0
    of_time = None if time_ms is None else work * time_ms / 1000
    of_samples = None if samples is None else work * samples * SAMPLE_SECONDS
    return ANSWER_SECONDS + min(time for time in (of_clock, of_time, of_samples) if time is not None)


def _later(clock: ClockReading | None, seconds: float) -> ClockReading | None:
    """The clock after it has run for so long."""
    if clock is None:
        return None
    return replace(clock, remaining_ms=max(0, clock.remaining_ms - round(seconds * 1000)))
