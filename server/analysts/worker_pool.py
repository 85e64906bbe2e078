"""The workers that one server can reach: which are alive, where sessions are placed, and the jobs they have.

``worker_analyst`` asks for evaluations. A worker that dies, or declines a job, fails the job here, and the session
tries the next worker or searches by itself. Equal jobs of several servers go to the worker that runs the first of
them: before a job is sent, its search is claimed for a worker in Redis.
"""

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Final

from redis.asyncio import Redis

from engines import Evaluation
from server.analysts.worker_connection import WorkerConnection, add
from server.analysts.worker_messages import (
    MAX_MESSAGE_BYTES,
    WORKERS,
    CancelJob,
    JobDeclined,
    JobDone,
    Message,
    ReleaseSession,
    SearchJob,
    UnreadableMessageError,
    WorkerState,
    presence_of,
    read_message,
    search_key,
    write_message,
)
from server.ports.analysts import WorkerStatistics

log = logging.getLogger(__name__)

MAX_JOBS: Final = 4096
"""The most jobs that one server has at workers; it runs further searches itself."""

START_SECONDS: Final = 2.0


class WorkerFailedError(Exception):
    """``worker`` did not finish a job."""

    def __init__(self, worker: str, reason: str) -> None:
        super().__init__(reason)
        self.worker = worker


@dataclass(eq=False)
class _SentJob:
    """A job at ``worker``, which had it when the event loop's time was ``seen_at``. It must not go to ``avoided``."""

    job: SearchJob
    text: bytes
    worker: str
    avoided: Collection[str]
    seen_at: float
    answer: asyncio.Future[JobDone | JobDeclined]


@dataclass(frozen=True, slots=True)
class _Note:
    """A message to a worker that needs no answer."""

    worker: str
    message: CancelJob | ReleaseSession


@dataclass(slots=True)
class _Totals:
    """Counts since the start."""

    evaluations: int = 0
    failures: int = 0


class WorkerPool:
    """The workers, as one server uses them. Implements ``worker_connection.End``."""

    def __init__(self, url: str, lease: float) -> None:
        self._connection: WorkerConnection[_SentJob | _Note] = WorkerConnection(url, "server", lease, self)
        self._lease = lease
        self._workers: dict[str, WorkerState] = {}
        self._free: dict[str, int] = {}
        """The free sessions of each worker: as announced, less those placed since then."""
        self._jobs: dict[str, _SentJob] = {}
        self._sessions: dict[str, set[str]] = {}
        """The workers that may have each session."""
        self._unreadable: set[str] = set()
        """The workers of other versions."""
        self._numbers = count(1)
        self._totals = _Totals()

    async def start(self) -> None:
        """Connects. Returns once it is known which workers there are, or after a short time."""
        self._connection.start()
        with suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                await self._connection.joined.wait()

    async def stop(self) -> None:
        """Disconnects. Workers stop this server's searches."""
        await self._connection.stop()
        self.lost("the server is stopping")

    @property
    def name(self) -> str:
        """The id of this server, as workers know it."""
        return self._connection.id

    def statistics(self) -> WorkerStatistics:
        """The current state, and counts since the start."""
        return WorkerStatistics(
            workers=len(self._workers),
            sessions=sum(state.sessions for state in self._workers.values()),
            free=sum(state.free for state in self._workers.values()),
            jobs=len(self._jobs),
            evaluations=self._totals.evaluations,
            failures=self._totals.failures,
        )

    # ---- for sessions ----------------------------------------------------------------------------

    def choose(self, home: str | None, avoided: Collection[str]) -> str | None:
        """Returns the worker for the next job of a session: ``home`` if possible, otherwise the one with most room.

        None if no worker has room.
        """
        if len(self._jobs) >= MAX_JOBS:
            return None
        if home in self._workers and home not in avoided:
            return home
        room = {worker: free for worker, free in self._free.items() if free > 0 and worker not in avoided}
        chosen = max(room, key=room.__getitem__, default=None)
        if chosen is not None:
            self._free[chosen] -= 1
        return chosen

    async def evaluate(self, worker: str, job: SearchJob, avoided: Collection[str]) -> Evaluation:
        """Runs a job at ``worker``, or at the one that runs an equal job. Cancelling stops the search.

        Raises WorkerFailedError. The job's id and server are set here.
        """
        sent = self._send(worker, job, avoided)
        try:
            answer = await sent.answer
        except asyncio.CancelledError:
            self._connection.send(_Note(sent.worker, CancelJob(sent.job.id)))
            raise
        finally:
            del self._jobs[sent.job.id]
        if isinstance(answer, JobDeclined):
            self._totals.failures += 1
            raise WorkerFailedError(sent.worker, answer.reason)
        self._totals.evaluations += 1
        return answer.evaluation

    def close(self, session: str) -> None:
        """Closes a session at all workers that may have it."""
        for worker in self._sessions.pop(session, ()):
            if worker in self._workers:
                self._connection.send(_Note(worker, ReleaseSession(self._connection.id, session)))

    def _send(self, worker: str, job: SearchJob, avoided: Collection[str]) -> _SentJob:
        job = replace(job, id=f"{self._connection.id}-{next(self._numbers)}", server=self._connection.id)
        text = write_message(job)
        if len(text) > MAX_MESSAGE_BYTES:
            raise WorkerFailedError(worker, "the job is too large")
        loop = asyncio.get_running_loop()
        sent = _SentJob(job, text, worker, avoided, loop.time(), loop.create_future())
        self._jobs[job.id] = sent
        self._connection.send(sent)
        return sent

    # ---- the server's end of the connection ------------------------------------------------------

    def announcement(self) -> bytes:
        """A server announces only that it is alive."""
        return b""

    async def beat(self, redis: Redis) -> None:
        """Reads which workers are alive."""
        names: Any = await redis.smembers(WORKERS)
        workers = sorted(name.decode() for name in names)
        texts: Any = await redis.mget(map(presence_of, workers)) if workers else ()
        dead = [worker for worker, text in zip(workers, texts, strict=True) if text is None]
        if dead:
            await redis.srem(WORKERS, *dead)
        states = {
            worker: _state(text) for worker, text in zip(workers, texts, strict=True) if text is not None
        }
        self._note_unreadable({worker for worker, state in states.items() if state is None})
        self._compare(states)

    async def deliver(self, redis: Redis, items: Sequence[_SentJob | _Note]) -> None:
        """Sends jobs and messages. Cancelled jobs are left out."""
        jobs = [item for item in items if isinstance(item, _SentJob) and not item.answer.done()]
        await self._claim(redis, jobs)
        async with redis.pipeline(transaction=False) as pipe:
            for item in items:
                if isinstance(item, _Note):
                    add(pipe, item.worker, item.message)
                elif not item.answer.done():
                    self._sessions.setdefault(item.job.session, set()).add(item.worker)
                    add(pipe, item.worker, item.text)
            await pipe.execute()

    async def receive(self, message: Message) -> None:
        """Passes an answer to the session that waits for it."""
        if isinstance(message, JobDone | JobDeclined):
            self._answer(message)

    def lost(self, reason: str) -> None:
        """Fails all jobs, so that the server runs them itself."""
        self._workers, self._free, self._sessions = {}, {}, {}
        for job in self._jobs:
            self._answer(JobDeclined(job, reason))

    # ---- details ---------------------------------------------------------------------------------

    async def _claim(self, redis: Redis, jobs: Sequence[_SentJob]) -> None:
        """Claims each job's search for its worker, or changes the worker to the one that has the search already."""
        lease = self._connection.lease_ms
        async with redis.pipeline(transaction=False) as pipe:
            for sent in jobs:
                pipe.set(search_key(sent.job.fingerprint), sent.worker, nx=True, px=lease)
                pipe.get(search_key(sent.job.fingerprint))
            owners: list[bytes | None] = (await pipe.execute())[1::2] if jobs else []
        async with redis.pipeline(transaction=False) as pipe:
            for sent, found in zip(jobs, owners, strict=True):
                owner = "" if found is None else found.decode()
                if owner in self._workers and owner not in sent.avoided:
                    sent.worker = owner
                else:
                    pipe.set(search_key(sent.job.fingerprint), sent.worker, px=lease)
            await pipe.execute()

    def _note_unreadable(self, workers: set[str]) -> None:
        """Logs once that the announcements of a worker cannot be read."""
        for worker in workers - self._unreadable:
            log.warning(
                "worker %s is ignored: its announcement cannot be read; is it of another version?", worker
            )
        self._unreadable = workers

    def _compare(self, workers: Mapping[str, WorkerState | None]) -> None:
        """Takes over the workers' states, and fails the jobs of those that are dead or do not have the job."""
        alive = {worker: state for worker, state in workers.items() if state is not None}
        for worker in alive.keys() - self._workers.keys():
            state = alive[worker]
            log.info("worker %s: %d sessions, %s", worker, state.sessions, ", ".join(state.evaluators))
        for worker in self._workers.keys() - alive.keys():
            log.warning("worker %s is gone; its searches run elsewhere", worker)
        self._workers = alive
        self._free = {worker: state.free for worker, state in alive.items()}
        now = asyncio.get_running_loop().time()
        for sent in self._jobs.values():
            state_of_its = alive.get(sent.worker)
            if state_of_its is None:
                self._answer(JobDeclined(sent.job.id, "it is gone"))
            elif sent.job.id in state_of_its.jobs:
                sent.seen_at = now
            elif now - sent.seen_at > self._lease:
                self._answer(JobDeclined(sent.job.id, "it does not have the job"))

    def _answer(self, answer: JobDone | JobDeclined) -> None:
        sent = self._jobs.get(answer.job)
        if sent is not None and not sent.answer.done():
            sent.answer.set_result(answer)


def _state(text: bytes) -> WorkerState | None:
    """The state that a worker announces; None if it is of another version, whose messages cannot be read."""
    try:
        message = read_message(text)
    except UnreadableMessageError:
        return None
    return message if isinstance(message, WorkerState) else None
