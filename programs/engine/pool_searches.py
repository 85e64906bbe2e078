"""Runs the searches of engine sessions: carries out the effects of ``protocols.bgs.engine`` on the engine pool.

Results are posted from the pool's threads; the driver of the sessions passes them to its own thread.
Used by ``plyhouse engine``.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

from engines import BadConfig, Evaluation, Position
from engines.pool import EnginePool, Job, Limits, PoolFull, Priority
from protocols.bgs import engine
from protocols.bgs.messages import CANCELLED
from protocols.session import Effect

Finished = engine.Evaluated | engine.EvaluationFailed
"""The events that end an evaluation."""


def engine_sessions(pool: EnginePool, max_sessions: int) -> engine.EngineSessions:
    """Engine sessions for all games that the pool can evaluate, which may have other sessions as well."""

    def open_position(game: str, variant: str, config: Mapping[str, Any], /) -> Position:
        if len(pool) >= max_sessions:
            raise BadConfig(str(PoolFull(max_sessions)))
        position = Position(game, variant, config)
        if not pool.can_evaluate(position):
            raise BadConfig(f"no evaluator supports {game}")
        return position

    return engine.EngineSessions(open_position, max_sessions)


class PoolSearches:
    """One search per session. ``limits`` are for sessions without limits of their own; None: the pool's.

    ``prefix``: how the names of the sessions begin in a pool that has others.
    """

    def __init__(
        self, pool: EnginePool, limits: Limits | None, post: Callable[[Finished], None], prefix: str = ""
    ) -> None:
        self._pool = pool
        self._prefix = prefix
        self._limits = limits
        self._post = post
        self._jobs: dict[str, Job] = {}
        """The last evaluation of each session."""

    def carry_out(self, effect: Effect) -> None:
        """Carries out an effect; an evaluation is only started."""
        match effect:
            case engine.SessionOpened(bgs_id=bgs_id, position=position, variation=variation):
                self._pool.open(self._prefix + bgs_id, position, variation)
            case engine.Advance(bgs_id=bgs_id, move=move):
                self._pool.advance(self._prefix + bgs_id, move)
            case engine.Evaluate():
                self._evaluate(effect)
            case engine.CancelSearch(bgs_id=bgs_id):
                self._jobs[bgs_id].future.cancel()
            case engine.SessionClosed(bgs_id=bgs_id):
                self._jobs.pop(bgs_id, None)
                self._pool.close(self._prefix + bgs_id)
            case _:
                raise TypeError(f"an engine session asks for {type(effect).__name__}")

    def _evaluate(self, effect: engine.Evaluate) -> None:
        limits = Limits.given(effect.limits.samples, effect.limits.time_ms, self._limits)
        most_ms = None if effect.clock is None else effect.clock.share_ms
        job = self._jobs[effect.bgs_id] = self._pool.evaluate(
            self._prefix + effect.bgs_id,
            limits=limits,
            most_ms=most_ms,
            priority=Priority(min(effect.priority or 0, Priority.INTERACTIVE)),
            lines=1 if effect.lines is None else effect.lines,
            following=effect.following,
        )
        job.future.add_done_callback(lambda future: self._post(_finished(effect.bgs_id, future)))


def _finished(bgs_id: str, future: Future[Evaluation]) -> Finished:
    if future.cancelled():
        return engine.EvaluationFailed(bgs_id, CANCELLED)
    error = future.exception()
    return (
        engine.Evaluated(bgs_id, future.result())
        if error is None
        else engine.EvaluationFailed(bgs_id, str(error))
    )
