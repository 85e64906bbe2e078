"""``EnginePool``: the sessions of one process, each with a search tree that is kept from move to move.

The pool decides on admission: it accepts or refuses a session at once, and runs one evaluation per session at a time.
Opening a session chooses its evaluator: the smallest model that fits the position, or else the native one. Methods
return quickly and are thread-safe; ``evaluate`` leaves its work to a lane.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future

from engines import Evaluation, Position, RuleError, Search, Variation
from engines.book import Book
from engines.effort import usual_samples
from engines.inference import Model
from engines.native_calibrations import native_calibration
from engines.pool.job import UNLIMITED_BYTES, Job, Limits, Priority
from engines.pool.lanes import Lane, NativeLane
from engines.pool.model_lane import ModelLane
from engines.pool.model_lanes import ModelLanes
from engines.pool.search_session import SearchSession
from engines.pool.statistics import PoolStatistics
from engines.processor_cores import usable_cores

DEFAULT_SESSIONS = 256
DEFAULT_BATCH_SIZE = 256
DEFAULT_PARALLEL = 4
DEFAULT_CACHE_SIZE = 100_000


class PoolFull(Exception):
    """The maximum number of sessions is open."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"Maximum session limit reached ({limit})")


class UnknownSession(Exception):
    """No session has this id."""

    def __init__(self, session_id: str) -> None:
        super().__init__(f"Session {session_id} not found")


class SessionBusy(Exception):
    """The session is evaluating or making a move."""

    def __init__(self, session_id: str) -> None:
        super().__init__(f"Session {session_id} is evaluating")


class EnginePool:
    """Sessions, and the lanes that run their searches."""

    def __init__(
        self,
        *,
        models: Sequence[Model] = (),
        threads: int | None = None,
        threads_per_search: int = 1,
        sessions: int = DEFAULT_SESSIONS,
        limits: Limits | None = None,
        batch_size: int = DEFAULT_BATCH_SIZE,
        parallel: int = DEFAULT_PARALLEL,
        cache_size: int = DEFAULT_CACHE_SIZE,
        variation: Variation | None = None,
        book: Book | None = None,
        ponder: int = 0,
        session_bytes: int = UNLIMITED_BYTES,
    ) -> None:
        """``threads`` run native searches (default: one per core); ``variation`` is that of sessions without their own.

        With ``threads_per_search`` above 1, only games whose search takes the option ``threads`` can be opened, and
        ``models`` are not used.

        ``limits`` apply to evaluations without limits of their own (default: the game's usual samples).

        A network evaluates at most ``batch_size`` leaves at once, up to ``parallel`` of them from the same session, and
        caches its last ``cache_size`` evaluations.

        Positions in ``book`` are answered without a search. ``ponder``: after a live bot's move was requested, its
        session keeps searching while idle, for at most this many simulations (0: never). A search ends early when its
        tree uses ``session_bytes``; the evaluation then has ``is_cut`` set.
        """
        self._native = NativeLane(threads or usable_cores())
        self._models = ModelLanes(lambda model: ModelLane(model, batch_size, parallel, cache_size), models)
        self._capacity = sessions
        self._limits = limits
        self._options = {"threads": threads_per_search} if threads_per_search > 1 else {}
        self._variation = variation or Variation()
        self._book = book or Book()
        self._ponder = ponder
        self._session_bytes = session_bytes
        self._sessions: dict[str, SearchSession] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Number of open sessions."""
        return len(self._sessions)

    def can_evaluate(self, position: Position) -> bool:
        """Whether a model or native evaluator supports the game of this position."""
        try:
            self._make_session(position)
        except RuleError:
            return False
        return True

    def bytes_for(self, position: Position) -> Callable[[int], int]:
        """Returns a function that estimates the memory for an evaluation in bytes, given the number of samples.

        Raises RuleError if nothing can evaluate the game.
        """
        return self._make_session(position).search.bytes_for

    def open(self, session_id: str, position: Position, variation: Variation | None = None) -> None:
        """Opens a session at a position. ``variation``: None for that of the pool.

        Raises PoolFull, RuleError if nothing can evaluate the game, or ValueError if the id is taken.
        """
        with self._lock:
            self._check_room(session_id)
        while True:
            session = self._make_session(position, variation)
            with self._lock:
                self._check_room(session_id)
                if session.lane in (
                    self._native,
                    *self._models,
                ):  # otherwise it was replaced and closed meanwhile
                    self._sessions[session_id] = session
                    return

    def evaluate(
        self,
        session_id: str,
        *,
        limits: Limits | None = None,
        most_ms: float | None = None,
        priority: Priority = Priority.BOT_MOVE,
        lines: int = 1,
        following: Sequence[str] = (),
    ) -> Job:
        """Starts an evaluation. The job's future gets the result; cancelling it stops the search within one turn.

        ``most_ms`` limits the time in addition to ``limits``. ``following``: the moves that follow, as recorded. The
        evaluation compares the first one with the best one in games where the evaluation after it does not tell what it
        lost; where that helps and time is not limited, it looks ahead at the first ``MOVES_AHEAD``.
        Raises UnknownSession or SessionBusy.
        """
        with self._lock:
            session = self._idle(session_id)
            usual = self._limits or Limits(usual_samples(session.position.game))
            job = session.new_job((limits or usual).within(most_ms), priority, lines, following)
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
        """Plays a recorded move in a session. Raises UnknownSession, SessionBusy or RuleError."""
        with self._lock:
            session = self._idle(session_id)
            session.prepare_to_move()
        session.advance(move)

    def close(self, session_id: str) -> None:
        """Ends a session, frees its tree and cancels a running evaluation. Raises UnknownSession."""
        with self._lock:
            session = self._sessions.pop(session_id, None)
        if session is None:
            raise UnknownSession(session_id)
        session.close()
        self._close_unused_lanes()

    def replace_models(self, models: Sequence[Model]) -> None:
        """Uses these models for new sessions. Open sessions keep theirs, which are freed with the last such session."""
        with self._lock:
            self._models.replace(models)
        self._close_unused_lanes()

    def statistics(self) -> PoolStatistics:
        """Counts since the start, and the current state."""
        with self._lock:
            lanes: list[Lane] = [self._native, *self._models]
            evaluators = (self._native.statistics(), *self._models.statistics())
        queues = [lane.waiting() for lane in lanes]
        return PoolStatistics(
            sessions=len(self._sessions),
            capacity=self._capacity,
            waiting={priority: sum(queue[priority] for queue in queues) for priority in Priority},
            evaluators=evaluators,
        )

    def stop(self) -> None:
        """Cancels all jobs and ends the threads."""
        with self._lock:
            lanes: list[Lane] = [self._native, *self._models]
        for lane in lanes:
            lane.stop()

    def _check_room(self, session_id: str) -> None:
        if session_id in self._sessions:
            raise ValueError(f"Session {session_id} already exists")
        if len(self._sessions) >= self._capacity:
            raise PoolFull(self._capacity)

    def _begin_pondering(self, session_id: str, answer: Future[Evaluation]) -> None:
        """Starts pondering, unless the session has a new job or is closed, or the evaluation was cancelled."""
        with self._lock:
            session = self._sessions.get(session_id)
            if session and session.job and session.job.future is answer and not answer.cancelled():
                session.ponder(self._ponder)

    def _close_unused_lanes(self) -> None:
        """Ends the threads of replaced models. Not under the lock, as callbacks of cancelled jobs may need it."""
        with self._lock:
            lanes = self._models.remove_unused(lambda: {each.lane for each in self._sessions.values()})
        for lane in lanes:
            lane.close()

    def _idle(self, session_id: str) -> SearchSession:
        session = self._sessions.get(session_id)
        if session is None:
            raise UnknownSession(session_id)
        if session.is_busy:
            raise SessionBusy(session_id)
        return session

    def _make_session(self, position: Position, variation: Variation | None = None) -> SearchSession:
        variation = variation or self._variation
        # Of what the seat to move knows: a search must not depend on what is hidden from it.
        seat = next(iter(position.to_act), 0)
        seed = (position.information_key(seat) ^ variation.seed) & (2**64 - 1)
        lane = None if self._options else self._models.find(position)
        if lane is None:
            search = Search(
                position, "native", {**self._options, **variation.options(is_network=False)}, seed
            )
            return SearchSession(
                position.copy(),
                search,
                self._native,
                "native",
                None,
                self._session_bytes,
                native_calibration(position),
            )
        model = lane.model
        return SearchSession(
            position.copy(),
            Search(position, "planes", variation.options(is_network=True), seed),
            lane,
            model.name,
            model.signature.at(position),
            self._session_bytes,
            model.calibrations.get(position.variant),
        )
