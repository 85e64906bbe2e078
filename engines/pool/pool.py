"""``EnginePool``: the sessions of one process, each with a position's search tree that survives its moves.

Admission is here: a session is accepted or refused at once, and one evaluation of a session runs at a time. Where an
evaluation runs is decided when the session opens: the smallest model that fits the position, else the native
evaluator. Methods are quick and may be called from any thread; only ``evaluate`` leaves work behind.
"""

import os
import threading
from collections.abc import Sequence
from concurrent.futures import Future

from engines import Position, RuleError, Search
from engines.book import Book
from engines.effort import usual_samples
from engines.inference import Model
from engines.pool.job import UNLIMITED_BYTES, Evaluation, Job, Limits, Priority
from engines.pool.lanes import Lane, NativeLane
from engines.pool.model_lane import ModelLane
from engines.pool.session import Session
from engines.pool.statistics import PoolStatistics

DEFAULT_SESSIONS = 256
DEFAULT_BATCH_SIZE = 256
DEFAULT_PARALLEL = 4
DEFAULT_CACHE_SIZE = 100_000


class PoolFull(Exception):
    """No session is free."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"Maximum session limit reached ({limit})")


class UnknownSession(Exception):
    """There is no session of this id."""

    def __init__(self, session_id: str) -> None:
        super().__init__(f"Session {session_id} not found")


class SessionBusy(Exception):
    """The session is evaluating, or making a move."""

    def __init__(self, session_id: str) -> None:
        super().__init__(f"Session {session_id} is evaluating")


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
        cache_size: int = DEFAULT_CACHE_SIZE,
        seed: int = 0,
        book: Book | None = None,
        ponder: int = 0,
        session_bytes: int = UNLIMITED_BYTES,
    ) -> None:
        """``threads`` run native searches (default: one per core); ``seed`` is mixed into every search's own.

        ``limits`` are those of evaluations that bring none of their own (default: what is usual for the game).

        Of a network, at most ``batch_size`` leaves are evaluated at once, ``parallel`` of them of one session, and the
        evaluations of the ``cache_size`` latest positions are kept.

        ``book`` answers its positions without a search. ``ponder``: simulations at most that a session whose move a
        live bot was asked for goes on with, while nobody asks anything; 0: none. A search ends when its tree takes
        ``session_bytes``, and the evaluation says so (``is_cut``).
        """
        self._native = NativeLane(threads or os.cpu_count() or 1)
        by_size = sorted(models, key=lambda model: model.signature.area)
        self._models = [ModelLane(model, batch_size, parallel, cache_size) for model in by_size]
        self._capacity = sessions
        self._limits = limits
        self._seed = seed
        self._book = book or Book()
        self._ponder = ponder
        self._session_bytes = session_bytes
        self._sessions: dict[str, Session] = {}
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

    def bytes_for(self, position: Position, samples: int) -> int:
        """The memory that an evaluation usually takes. RuleError when nobody can evaluate the game."""
        return self._make_session(position).search.bytes_for(samples)

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
            usual = self._limits or Limits(usual_samples(session.position.game))
            job = session.new_job(limits or usual, priority, lines)
        known = session.known(self._book)
        if known is not None:
            if job.future.set_running_or_notify_cancel():  # the session may be closed by now
                job.future.set_result(known)
            return job
        if self._ponder and priority is Priority.BOT_MOVE:
            job.future.add_done_callback(lambda future: self._begin_pondering(session_id, future))
        session.lane.submit(job)
        return job

    def advance(self, session_id: str, move: str) -> None:
        """Plays a recorded move in a session. UnknownSession, SessionBusy, RuleError."""
        with self._lock:
            session = self._idle(session_id)
            session.prepare_to_move()
        session.advance(move)

    def close(self, session_id: str) -> None:
        """Ends a session and frees its tree; a running evaluation is cancelled. UnknownSession."""
        with self._lock:
            session = self._sessions.pop(session_id, None)
        if session is None:
            raise UnknownSession(session_id)
        session.close()

    def statistics(self) -> PoolStatistics:
        """What was done since the start, and how things stand now."""
        lanes: list[Lane] = [self._native, *self._models]
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

    def _begin_pondering(self, session_id: str, answer: Future[Evaluation]) -> None:
        """Unless the session has been asked or closed in the meantime, or the answer was not wanted."""
        with self._lock:
            session = self._sessions.get(session_id)
            if session and session.job and session.job.future is answer and not answer.cancelled():
                session.ponder(self._ponder)

    def _idle(self, session_id: str) -> Session:
        session = self._sessions.get(session_id)
        if session is None:
            raise UnknownSession(session_id)
        if session.is_busy:
            raise SessionBusy(session_id)
        return session

    def _make_session(self, position: Position) -> Session:
        seed = (position.key ^ self._seed) & (2**64 - 1)
        for lane in self._models:
            if lane.model.signature.refusal(position) is None:
                search = Search(position, "planes", seed=seed)
                return Session(position.copy(), search, lane, lane.model.name, self._session_bytes)
        search = Search(position, "native", seed=seed)
        return Session(position.copy(), search, self._native, "native", self._session_bytes)
