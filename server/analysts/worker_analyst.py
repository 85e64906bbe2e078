"""Workers as an analyst (``ports.analysts.Analyst``), falling back to our own pool when no worker has room.

A session sticks to the worker that has its tree. Each job has the whole line, so the session can move to another
worker, or to our own pool, at any evaluation.
"""

import asyncio
from dataclasses import replace

from engines import Evaluation, Position, RuleError
from engines.effort import usual_samples
from engines.pool import Limits
from protocols.bgs.config import Setup
from protocols.bgs.effects import RefusalError
from protocols.values import ClockReading
from server.analysts.pool_analyst import PoolAnalyst
from server.analysts.worker_messages import SearchJob
from server.analysts.worker_pool import WorkerFailedError, WorkerPool


class WorkerAnalyst:
    """The workers, with the settings of ``own``, which evaluates when there are none."""

    time_limit = None
    is_reachable = True
    """No limit, as for the pool."""

    def __init__(self, workers: WorkerPool, own: PoolAnalyst) -> None:
        self.id = own.id
        self._workers = workers
        self._own = own

    def session(self, session_id: str, bot_id: str, setup: Setup) -> "WorkerSession":
        """A session with this id; ``bot_id`` is ignored, since all our bots are the same search."""
        return WorkerSession(self._workers, self._own, session_id, bot_id, setup)


class WorkerSession:
    """One session (``ports.analysts.AnalystSession``), opened at a worker or in our pool by its first evaluation."""

    def __init__(
        self, workers: WorkerPool, own: PoolAnalyst, session_id: str, bot_id: str, setup: Setup
    ) -> None:
        self._workers = workers
        self._settings = own.settings
        self._own = own.session(session_id, bot_id, setup)
        self._own_ply: int | None = None
        """How many moves were played in our pool's session; None: it is not open."""
        self._name = f"{own.id}/{session_id}"
        self._setup = setup
        self._position: Position | None = None
        self._moves: list[str] = []
        self._home: str | None = None
        """The worker that has the tree."""

    async def open(self) -> None:
        """Begins at the start of the game. RefusalError if its configuration is invalid."""
        setup = self._setup
        try:
            self._position = Position(setup.game, setup.variant, setup.config)
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

    async def evaluate(self, clock: ClockReading | None = None) -> Evaluation:
        """Searches at a worker, or in our pool if none has room. Cancelling stops the search.

        RefusalError if the search fails in our pool. The time that failed workers took is subtracted from the clock.
        """
        failed: set[str] = set()
        time = asyncio.get_running_loop().time
        started = time()
        while (worker := self._workers.choose(self._home, failed)) is not None:
            self._home = worker
            job = self._job(_later(clock, time() - started))
            try:
                evaluation = await self._workers.evaluate(worker, job, failed)
            except WorkerFailedError as failure:
                failed.add(failure.worker)
            else:
                await self._close_own()
                return evaluation
        return await self._evaluate_here(_later(clock, time() - started))

    async def close(self) -> None:
        """Frees the search, wherever it is."""
        self._workers.close(self._name)
        self._home = None
        await self._close_own()

    def _job(self, clock: ClockReading | None) -> SearchJob:
        setup, settings = self._setup, self._settings
        limits = Limits.given(setup.limits.samples, setup.limits.time_ms, settings.limits) or Limits(
            usual_samples(setup.game)
        )
        return SearchJob(
            id="",
            server="",
            session=self._name,
            game=setup.game,
            variant=setup.variant,
            config=setup.config,
            moves=tuple(self._moves),
            limits=limits.within(None if clock is None else clock.share_ms),
            priority=settings.priority,
            lines=settings.lines,
        )

    async def _evaluate_here(self, clock: ClockReading | None) -> Evaluation:
        if self._own_ply is None:
            await self._own.open()
            self._own_ply = 0
        while self._own_ply < len(self._moves):
            await self._own.advance(self._moves[self._own_ply])
            self._own_ply += 1
            await asyncio.sleep(0)
        return await self._own.evaluate(clock)

    async def _close_own(self) -> None:
        if self._own_ply is not None:
            self._own_ply = None
            await self._own.close()


def _later(clock: ClockReading | None, seconds: float) -> ClockReading | None:
    """The clock after it has run for so long."""
    if clock is None:
        return None
    return replace(clock, remaining_ms=max(0, clock.remaining_ms - round(seconds * 1000)))
