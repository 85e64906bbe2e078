"""UHP engines behind engine sessions: carries out effects of ``protocols.bgs.engine`` for ``plyhouse engine --uhp``.

A UHP engine has one game at a time, so each of a few processes takes the next evaluation and first goes to its
position. An engine that fails is terminated, and the evaluation is retried once with a new one.

UHP has no evaluations. The value in the answer comes from our own search of the position after the engine's move, so
it is an independent opinion about that move. The best move is the engine's.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engines import BadConfig, Evaluation, Position, RuleError
from programs.engine.own_values import VALUE_MS, value_after
from programs.engine.pool_searches import Finished, SearchEffect
from programs.uhp.command import UhpCommand
from programs.uhp.driven_engine import DrivenUhpEngine
from protocols.bgs import engine as en
from protocols.uhp.answers import EngineFailed, Identity
from protocols.uhp.game_string import GAME, BadGameString
from protocols.uhp.remote.think_time import think_time
from protocols.uhp.requests import Depth, MoveTime
from server.services.tasks import Tasks

GRACE_SECONDS = 1.0
"""How long after its time limit an engine is interrupted, and how long after that it is killed."""

DEPTH_SECONDS = 7.0
"""When a search to a fixed depth is interrupted: bots have to answer within ten seconds."""


@dataclass(frozen=True, slots=True)
class Task:
    """One evaluation."""

    bgs_id: str
    position: Position
    limit: MoveTime | Depth
    value_ms: int


class UhpSearches:
    """Evaluations by a few engines of one kind. ``log`` is called with lines for the operator."""

    def __init__(
        self, command: UhpCommand, limit: MoveTime | Depth, processes: int, log: Callable[[str], None]
    ) -> None:
        """``limit`` applies to sessions without limits of their own. No engine is started yet."""
        self._command = command
        self._limit = limit
        self._processes = processes
        self._log = log
        self._positions: dict[str, Position] = {}
        self._waiting: asyncio.Queue[Task] = asyncio.Queue()
        self._workers = Tasks()

    def posting(self, post: Callable[[Finished], None]) -> "UhpSearches":
        """Starts the workers; each calls ``post`` when an evaluation ends."""
        for _ in range(self._processes):
            self._workers.start(self._work(post))
        return self

    def carry_out(self, effect: SearchEffect) -> None:
        """Carries out an effect; evaluations are only started."""
        match effect:
            case en.SessionOpened(position=position):
                self._positions[effect.bgs_id] = position
            case en.Advance(move=move):
                self._positions[effect.bgs_id].play(move)
            case en.Evaluate():
                self._waiting.put_nowait(self._task(effect))
            case en.SessionClosed():
                self._positions.pop(effect.bgs_id, None)

    async def stop(self) -> None:
        """Terminates the engines."""
        await self._workers.stop()

    def _task(self, effect: en.Evaluate) -> Task:
        position, clock, own = self._positions[effect.bgs_id].copy(), effect.clock, effect.limits.time_ms
        limit = self._limit if own is None else MoveTime(max(1, own // 1000))
        value_ms = VALUE_MS if clock is None else clock.share_ms
        return Task(effect.bgs_id, position, think_time(clock, limit), value_ms)

    async def _work(self, post: Callable[[Finished], None]) -> None:
        worker = Worker(self._command, self._log)
        try:
            while True:
                post(await worker.evaluate(await self._waiting.get()))
        finally:
            await worker.close()


class Worker:
    """One engine, started on demand and restarted after a failure."""

    def __init__(self, command: UhpCommand, log: Callable[[str], None]) -> None:
        self._command = command
        self._log = log
        self._engine: DrivenUhpEngine | None = None
        self._name = command.text

    async def evaluate(self, task: Task) -> Finished:
        """Returns the engine's best move with its value."""
        try:
            move = await self._choose_or_retry(task)
            values = await asyncio.to_thread(value_after, task.position, move, task.value_ms)
        except (EngineFailed, BadGameString, RuleError, OSError) as error:
            if isinstance(error, EngineFailed):
                await self.close()
            return en.EvaluationFailed(task.bgs_id, str(error))
        return en.Evaluated(task.bgs_id, Evaluation(values, move, source=self._name))

    async def close(self) -> None:
        """Terminates the engine, whatever it is doing."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.interrupt()
            await engine.aclose()

    async def _choose_or_retry(self, task: Task) -> str:
        try:
            return await self._choose(task)
        except EngineFailed as why:
            self._log(f"{task.bgs_id}: {why} Restarting the engine.")
            await self.close()
            return await self._choose(task)

    async def _choose(self, task: Task) -> str:
        engine = await self._running()
        await engine.go_to(task.position)
        limit = task.limit
        seconds = GRACE_SECONDS + limit.seconds if isinstance(limit, MoveTime) else DEPTH_SECONDS
        overdue = asyncio.get_running_loop().call_later(seconds, engine.interrupt)
        try:
            return await engine.best_move(limit, seconds + GRACE_SECONDS)
        finally:
            overdue.cancel()

    async def _running(self) -> DrivenUhpEngine:
        if self._engine is None:
            self._engine = await DrivenUhpEngine.start(self._command, self._log)
            self._name = (await self._engine.begin()).name
        return self._engine


def uhp_sessions(identity: Identity) -> en.EngineSessions:
    """Engine sessions for the game types that the engine supports."""

    def open_position(game: str, variant: str, config: Mapping[str, Any], /) -> Position:
        if game != GAME:
            raise BadConfig(f"this engine plays {GAME}, not {game}")
        if lacking := identity.lacks(variant):
            raise BadConfig(f"this engine does not play {variant}: it lacks {', '.join(lacking)}")
        return Position(game, variant, config)

    return en.EngineSessions(open_position)
