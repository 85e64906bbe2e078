"""A worker: runs the searches that servers ask for over Redis, in its engine pool. Used by ``plyhouse worker``.

It keeps a session's tree while the session's server is alive. The same search asked for by several servers runs once.
"""

import asyncio
import logging
import socket
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from redis.asyncio import Redis

from engines import Evaluation, Position
from engines.pool import EnginePool, Job, PoolFull, SessionBusy, UnknownSession
from server.analysts.worker_connection import WorkerConnection, add
from server.analysts.worker_messages import (
    WORKERS,
    CancelJob,
    JobDeclined,
    JobDone,
    Message,
    ReleaseSession,
    SearchJob,
    WorkerState,
    presence_of,
    search_key,
    write_message,
)

log = logging.getLogger(__name__)

WORKERS_SECONDS: Final = 86_400
"""How long the set of workers outlives the last of them."""

UNUSABLE: Final = (PoolFull, UnknownSession, SessionBusy, ValueError)
"""Why a job can be declined: no room, a session closed meanwhile, or an unknown game or move."""


@dataclass(eq=False)
class _Session:
    """A session of the pool at the position after ``moves``. ``search``: what it is searching."""

    name: str
    moves: list[str] = field(default_factory=list)
    search: "_Search | None" = None
    is_closed: bool = False


@dataclass(eq=False)
class _Search:
    """A running search, and the jobs that wait for it with the servers they came from."""

    fingerprint: str
    session: _Session
    running: Job
    servers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Answer:
    server: str
    message: JobDone | JobDeclined


class SearchWorker:
    """A worker with this pool. Implements ``worker_connection.End``.

    ``evaluators``: returns the evaluators of the pool, which change when networks are reloaded.
    """

    def __init__(
        self, url: str, pool: EnginePool, evaluators: Callable[[], Sequence[str]], lease: float
    ) -> None:
        self._connection: WorkerConnection[_Answer] = WorkerConnection(url, socket.gethostname(), lease, self)
        self._pool = pool
        self._evaluators = evaluators
        self._sessions: dict[tuple[str, str], _Session] = {}
        """By server and name."""
        self._searches: dict[str, _Search] = {}
        """By fingerprint."""
        self._ended: set[str] = set()
        """The fingerprints of searches that have ended since the last beat."""
        self._jobs: dict[str, _Search] = {}
        self._opened = 0

    async def run(self) -> None:
        """Works until cancelled."""
        self._connection.start()
        try:
            await asyncio.Event().wait()
        finally:
            await self._connection.stop()
            self._drop(set(self._servers))

    # ---- the worker's end of the connection ------------------------------------------------------

    def announcement(self) -> bytes:
        """What servers need in order to choose a worker, and to see whether it has their jobs."""
        capacity = self._pool.statistics().capacity
        free = max(0, capacity - len(self._pool))
        return write_message(WorkerState(capacity, free, tuple(self._evaluators()), frozenset(self._jobs)))

    async def beat(self, redis: Redis) -> None:
        """Renews the claims of the running searches, and drops what dead servers asked for."""
        servers = sorted(self._servers)
        ended, self._ended = self._ended - self._searches.keys(), set()
        async with redis.pipeline(transaction=False) as pipe:
            for server in servers:
                pipe.exists(presence_of(server))
            for fingerprint in self._searches:
                pipe.pexpire(search_key(fingerprint), self._connection.lease_ms)
            for fingerprint in ended:
                pipe.delete(search_key(fingerprint))
            pipe.sadd(WORKERS, self._connection.id)
            pipe.expire(WORKERS, WORKERS_SECONDS)
            results: list[int] = await pipe.execute()
        self._drop({server for server, is_alive in zip(servers, results, strict=False) if not is_alive})
        if not self._connection.joined.is_set():
            log.info("worker %s has joined", self._connection.id)

    async def deliver(self, redis: Redis, items: Sequence[_Answer]) -> None:
        """Sends answers."""
        async with redis.pipeline(transaction=False) as pipe:
            for item in items:
                add(pipe, item.server, item.message)
            await pipe.execute()

    async def receive(self, message: Message) -> None:
        """Starts, cancels or ends something."""
        match message:
            case SearchJob():
                await self._start(message)
            case CancelJob(job=job):
                self._cancel(job)
            case ReleaseSession(server=server, session=name):
                self._close(self._sessions.pop((server, name), None))

    def lost(self, reason: str) -> None:
        """Stops everything: the servers search elsewhere meanwhile."""
        self._drop(set(self._servers))

    # ---- jobs ------------------------------------------------------------------------------------

    async def _start(self, job: SearchJob) -> None:
        """Starts a search, or joins the running one for the same position and limits."""
        search = self._searches.get(job.fingerprint)
        if search is None:
            try:
                session = await self._session_for(job)
                running = self._pool.evaluate(
                    session.name, limits=job.limits, priority=job.priority, lines=job.lines
                )
            except UNUSABLE as error:
                self._close(self._sessions.pop((job.server, job.session), None))
                self._connection.send(_Answer(job.server, JobDeclined(job.id, str(error))))
                return
            search = session.search = _Search(job.fingerprint, session, running)
            self._searches[job.fingerprint] = search
            loop, finished = asyncio.get_running_loop(), partial(self._finished, search)
            running.future.add_done_callback(lambda result: loop.call_soon_threadsafe(finished, result))
        search.servers[job.id] = job.server
        self._jobs[job.id] = search

    async def _session_for(self, job: SearchJob) -> _Session:
        """The session of the job, at its position: the existing one if the line continues it, otherwise a new one."""
        key = (job.server, job.session)
        session = self._sessions.get(key)
        moves = list(job.moves)
        if session is None or session.search is not None or moves[: len(session.moves)] != session.moves:
            self._close(self._sessions.pop(key, None))
            self._opened += 1
            session = _Session(f"{self._opened}")
            self._pool.open(session.name, Position(job.game, job.variant, job.config))
            self._sessions[key] = session
        for move in moves[len(session.moves) :]:
            self._pool.advance(session.name, move)
            session.moves.append(move)
            await asyncio.sleep(0)
        return session

    def _finished(self, search: _Search, result: Future[Evaluation]) -> None:
        """Sends the result to everyone who waits for it."""
        if self._searches.get(search.fingerprint) is not search:
            return
        for job, server in self._end(search).items():
            self._connection.send(_Answer(server, _answer(job, result)))

    def _cancel(self, job: str) -> None:
        """Stops the search of a job if no other job waits for it."""
        search = self._jobs.pop(job, None)
        if search is None:
            return
        del search.servers[job]
        if not search.servers:
            self._end(search)
            search.running.future.cancel()

    def _end(self, search: _Search) -> Mapping[str, str]:
        """Removes a search and returns the jobs that waited for it, with their servers."""
        del self._searches[search.fingerprint]
        self._ended.add(search.fingerprint)
        for job in search.servers:
            del self._jobs[job]
        search.session.search = None
        if search.session.is_closed:
            self._close(search.session)
        return search.servers

    def _close(self, session: _Session | None) -> None:
        """Closes a session of the pool, at once or after the search that others still wait for."""
        if session is None:
            return
        session.is_closed = True
        if session.search is None:
            with suppress(UnknownSession):
                self._pool.close(session.name)

    # ---- servers ---------------------------------------------------------------------------------

    @property
    def _servers(self) -> set[str]:
        """All servers with a session or a job here."""
        jobs = (server for search in self._searches.values() for server in search.servers.values())
        return {*(server for server, _ in self._sessions), *jobs}

    def _drop(self, servers: set[str]) -> None:
        """Cancels the jobs of these servers and closes their sessions."""
        for job, search in tuple(self._jobs.items()):
            if search.servers[job] in servers:
                self._cancel(job)
        for key in [key for key in self._sessions if key[0] in servers]:
            self._close(self._sessions.pop(key))


def _answer(job: str, result: Future[Evaluation]) -> JobDone | JobDeclined:
    try:
        return JobDone(job, result.result())
    except Exception as error:
        return JobDeclined(job, str(error) or "no result")
