"""The searches behind engine sessions: does on the engine pool what ``protocols.bgs.engine`` asks for.

Results are posted from the pool's threads; the driver of the sessions passes them to its own thread.
Used by the pool analyst of the server and by ``plyhouse engine``.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from engines import BadConfig, BadNotation, Position
from engines.pool import EnginePool, Evaluation, Job, Limits, Priority
from protocols.bgs import config as wire
from protocols.bgs.engine import (
    Advance,
    EngineSessions,
    Evaluate,
    Evaluated,
    EvaluationFailed,
    SessionClosed,
    SessionOpened,
)

SearchEffect = SessionOpened | Advance | Evaluate | SessionClosed
"""The effects of engine sessions that a search carries out."""


def engine_sessions(pool: EnginePool, max_sessions: int) -> EngineSessions:
    """Engine sessions of every game that the pool can evaluate."""

    def open_position(game: str, variant: str, config: Mapping[str, Any], /) -> Position:
        position = Position(game, variant, config)
        if not pool.can_evaluate(position):
            raise BadConfig(f"nobody here can evaluate {game}")
        return position

    return EngineSessions(open_position, BadNotation, max_sessions)


@dataclass(frozen=True, slots=True)
class Finished:
    """An evaluation came to an end: ``event`` is for the session, ``evaluation`` is all that is known."""

    bgs_id: str
    event: Evaluated | EvaluationFailed
    evaluation: Evaluation | None


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How this driver's evaluations run. ``limits`` are for sessions that bring none of their own; None: the pool's."""

    limits: Limits | None = None
    priority: Priority = Priority.BOT_MOVE
    lines: int = 1


class PoolSearches:
    """One search per session. ``prefix`` keeps the sessions of one driver apart from those of another."""

    def __init__(
        self, pool: EnginePool, settings: SearchSettings, post: Callable[[Finished], None], prefix: str = ""
    ) -> None:
        self._pool = pool
        self._settings = settings
        self._post = post
        self._prefix = prefix
        self._jobs: dict[str, Job] = {}

    def carry_out(self, effect: SearchEffect) -> None:
        """Does it at once; an evaluation is only begun. PoolFull: no session is free."""
        name = self._prefix + effect.bgs_id
        match effect:
            case SessionOpened(position=position):
                if not isinstance(position, Position):
                    raise TypeError("sessions must be made by engine_sessions")
                self._pool.open(name, position)
            case Advance(move=move):
                self._pool.advance(name, move)
            case Evaluate(limits=limits):
                self._evaluate(effect.bgs_id, limits)
            case SessionClosed():
                self._jobs.pop(effect.bgs_id, None)
                self._pool.close(name)

    def cancel(self, bgs_id: str) -> None:
        """Stops the running evaluation, if any; its session gets a failure."""
        job = self._jobs.get(bgs_id)
        if job is not None:
            job.future.cancel()

    def _evaluate(self, bgs_id: str, limits: wire.Limits) -> None:
        job = self._pool.evaluate(
            self._prefix + bgs_id,
            limits=self._limits(limits),
            priority=self._settings.priority,
            lines=self._settings.lines,
        )
        self._jobs[bgs_id] = job
        job.future.add_done_callback(lambda future: self._post(_finished(bgs_id, future)))

    def _limits(self, own: wire.Limits) -> Limits | None:
        if own.samples is None and own.time_ms is None:
            return self._settings.limits
        return Limits(own.samples, own.time_ms)


def _finished(bgs_id: str, future: "Future[Evaluation]") -> Finished:
    if future.cancelled():
        return Finished(bgs_id, EvaluationFailed(bgs_id, "the evaluation was cancelled"), None)
    error = future.exception()
    if error is not None:
        return Finished(bgs_id, EvaluationFailed(bgs_id, str(error)), None)
    evaluation = future.result()
    event = Evaluated(
        bgs_id,
        evaluation.values[0],
        evaluation.best_move,
        values=evaluation.values,
        source=evaluation.source,
        samples=evaluation.samples,
    )
    return Finished(bgs_id, event, evaluation)
