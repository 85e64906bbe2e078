"""``EnginePool``: the sessions of one process, each with a position's search tree that survives its moves.

Admission is here: a session is accepted or refused at once, and one evaluation of a session runs at a time. Where an
evaluation runs is decided when the session opens: the smallest model that fits the position, else the native
evaluator. Methods are quick and may be called from any thread; only ``evaluate`` leaves work behind.
"""

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from engines import Position, RuleError, Search
from engines.inference import Model
from engines.pool.job import Job, Limits, Priority
from engines.pool.lanes import Lane, ModelLane, NativeLane
from engines.pool.statistics import PoolStatistics

DEFAULT_SESSIONS = 256
DEFAULT_BATCH_SIZE = 256
DEFAULT_PARALLEL = 4


class PoolFull(Exception):
    """No session is free."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"Maximum session limit reached ({limit})")


class UnknownSession(Exception):
    """There is no session of this id."""

    def __init__(self, session_id: str) -> None:
        super().__init__(f"Session {session_id} not found")


class SessionBusy(Exception):
    """The session is evaluating."""

    def __init__(self, session_id: str) -> None:
        super().__init__(f"Session {session_id} is evaluating")


@dataclass
class _Session:
    search: Search
    lane: Lane
    source: str
    turn: threading.Lock = field(default_factory=threading.Lock)
    job: Job | None = None

    @property
    def busy(self) -> bool:
        return self.job is not None and not self.job.future.done()


class EnginePool:
    """Sessions, and the lanes that search for them."""

    def __init__(
        self,
        *,
        models: Sequence[Model] = (),
        threads: int | None = None,
        sessions: int = DEFAULT_SESSIONS,
        limits: Limits | None = None,
        batch_size: int = DEFAULT_BATCH_SIZE,
        parallel: int = DEFAULT_PARALLEL,
        seed: int = 0,
    ) -> None:
        """``threads`` run native searches (default: one per core); ``seed`` is mixed into every search's own."""
        self._native = NativeLane(threads or os.cpu_count() or 1)
        by_size = sorted(models, key=lambda model: model.signature.dim2 * model.signature.dim3)
        self._models = [ModelLane(model, batch_size, parallel) for model in by_size]
        self._capacity = sessions
        self._limits = limits or Limits()
        self._seed = seed
        self._sessions: dict[str, _Session] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Open sessions."""
        return len(self._sessions)

    def can_evaluate(self, position: Position) -> bool:
        """Whether any model or native evaluator answers for the game of this position."""
        try:
            self._make_session(position)
        except RuleError:
            return False
        return True

    def open(self, session_id: str, position: Position) -> None:
        """Opens a session at a position.

        PoolFull; RuleError when nobody can evaluate the game; ValueError when the id is taken.
        """
        with self._lock:
            if session_id in self._sessions:
                raise ValueError(f"Session {session_id} already exists")
            if len(self._sessions) >= self._capacity:
                raise PoolFull(self._capacity)
            self._sessions[session_id] = self._make_session(position)

    def evaluate(
        self,
        session_id: str,
        *,
        limits: Limits | None = None,
        priority: Priority = Priority.BOT_MOVE,
        lines: int = 1,
    ) -> Job:
        """Starts an evaluation; its result arrives in the job's future, and cancelling that stops it within one turn.

        UnknownSession, SessionBusy.
        """
        with self._lock:
            session = self._idle(session_id)
            job = Job(session.search, limits or self._limits, priority, session.source, lines, session.turn)
            session.job = job
        session.lane.submit(job)
        return job

    def advance(self, session_id: str, move: str) -> None:
        """Plays a recorded move in a session. UnknownSession, SessionBusy, RuleError."""
        with self._lock:
            session = self._idle(session_id)
        with session.turn:
            session.search.advance(move)

    def close(self, session_id: str) -> None:
        """Ends a session and frees its tree; a running evaluation is cancelled. UnknownSession."""
        with self._lock:
            session = self._sessions.pop(session_id, None)
        if session is None:
            raise UnknownSession(session_id)
        if session.job is not None:
            session.job.future.cancel()

    def statistics(self) -> PoolStatistics:
        """What was done since the start, and how things stand now."""
        lanes: list[NativeLane | ModelLane] = [self._native, *self._models]
        queues = [lane.waiting() for lane in lanes]
        return PoolStatistics(
            sessions=len(self._sessions),
            capacity=self._capacity,
            waiting={priority: sum(queue[priority] for queue in queues) for priority in Priority},
            evaluators=tuple(lane.statistics() for lane in lanes),
        )

    def stop(self) -> None:
        """Cancels everything and ends the threads."""
        lanes: list[Lane] = [self._native, *self._models]
        for lane in lanes:
            lane.stop()

    def _idle(self, session_id: str) -> _Session:
        session = self._sessions.get(session_id)
        if session is None:
            raise UnknownSession(session_id)
        if session.busy:
            raise SessionBusy(session_id)
        return session

    def _make_session(self, position: Position) -> _Session:
        seed = (position.key ^ self._seed) & (2**64 - 1)
        for lane in self._models:
            if lane.batch.fits(position) is None:
                return _Session(Search(position, "planes", seed=seed), lane, lane.model.name)
        return _Session(Search(position, "native", seed=seed), self._native, "native")
