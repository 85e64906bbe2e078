"""Our own engine pool as an analyst (``ports.analysts.Analyst``): its sessions are sessions of the pool.

Sessions are opened on threads, since a large board takes long; searches have threads of their own.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from engines import Evaluation, Position, RuleError
from engines.pool import EnginePool, Limits, PoolFull, Priority, UnknownSession
from protocols.bgs.config import Setup
from protocols.bgs.effects import RefusalError
from protocols.values import ClockReading
from server.services.heavy_work import HeavyWork


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How an analyst's evaluations run. ``limits`` are for sessions without limits of their own; None: the pool's.

    ``lines``: maximum number of candidate moves. Only analyses show them, but histories store them for every position.
    """

    limits: Limits | None = None
    priority: Priority = Priority.BOT_MOVE
    lines: int = 0


class PoolAnalyst:
    """One client of the pool, with its own namespace of session ids."""

    time_limit = None
    most_sessions = None
    """No limit: the pool answers, however long its queue is."""

    def __init__(
        self, pool: EnginePool, settings: SearchSettings, *, analyst_id: str, work: HeavyWork | None = None
    ) -> None:
        """``work`` opens the sessions; None: threads of its own."""
        self.id = analyst_id
        self.settings = settings
        self._pool = pool
        self.work = work or HeavyWork()

    def session(self, session_id: str, bot_id: str, setup: Setup) -> "PoolSession":
        """A session with this id; ``bot_id`` is ignored, since all our bots are the same search."""
        return PoolSession(self._pool, self.work, self.settings, f"{self.id}/{session_id}", setup)


class PoolSession:
    """One session (``ports.analysts.AnalystSession``), called ``name`` in the pool."""

    def __init__(
        self, pool: EnginePool, work: HeavyWork, settings: SearchSettings, name: str, setup: Setup
    ) -> None:
        self._pool = pool
        self._work = work
        self._settings = settings
        self._limits = Limits.given(setup.limits.samples, setup.limits.time_ms, settings.limits)
        self._name = name
        self._setup = setup

    async def open(self) -> None:
        """Opens a session of the pool. RefusalError if it is full or cannot evaluate the game."""
        try:
            await self._work.run_accepted(self._open)
        except (PoolFull, RuleError) as error:
            raise RefusalError(str(error)) from error
        except asyncio.CancelledError:
            await self.close()
            raise

    def _open(self) -> None:
        setup = self._setup
        position = Position(setup.game, setup.variant, setup.config)
        self._pool.open(self._name, position, setup.variation)

    async def advance(self, move: str) -> None:
        """Plays a move. RefusalError if it is illegal."""
        try:
            self._pool.advance(self._name, move)
        except RuleError as error:
            raise RefusalError(f"Failed to apply move: {error}") from error

    async def evaluate(self, clock: ClockReading | None = None, following: Sequence[str] = ()) -> Evaluation:
        """Searches. Cancelling stops the search, and the session stays usable. RefusalError if the search fails."""
        settings = self._settings
        job = self._pool.evaluate(
            self._name,
            limits=self._limits,
            most_ms=None if clock is None else clock.share_ms,
            priority=settings.priority,
            lines=settings.lines,
            following=following,
        )
        try:
            return await asyncio.wrap_future(job.future)
        except Exception as error:
            raise RefusalError(str(error) or "No result") from error

    async def close(self) -> None:
        """Frees the search."""
        with suppress(UnknownSession):
            self._pool.close(self._name)
