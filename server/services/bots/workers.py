"""The workers attached to this server: clients that evaluate in place of its own engine pool.

``bot_clients`` reports them; ``analysts.worker_analyst`` places sessions. A worker that does not answer pings is
disconnected, so that its sessions go on elsewhere.
"""

import asyncio
import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

from engines import Position
from protocols.bgs import messages as bgs
from server.domain.bots import ListedBot
from server.ports.analysts import AnalystGoneError, ConnectedClient, ConnectedWorker, WorkerStatistics
from server.services.bots.bot_registry import bots_of
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

PING_SECONDS: Final = 0.5
"""The pause between an answer to a ping and the next one."""

UNRESPONSIVE: Final = 1013
"""The close code for a worker that does not answer a ping; it connects again when it can."""


@dataclass(eq=False)
class AttachedWorker:
    """One worker. ``used``: how many of its ``sessions`` this server has."""

    client: ConnectedWorker
    bots: tuple[ListedBot, ...]
    sessions: int
    used: int = 0

    @property
    def free(self) -> int:
        """How many more sessions this server may open."""
        return max(0, self.sessions - self.used)

    def bot_for(self, position: Position) -> str | None:
        """The bot that evaluates such a position; None if there is none."""
        return next((bot.bot_id for bot in self.bots if bot.plays(position)), None)


class Workers:
    """All workers of this server. ``sessions``: how many one has that names no number."""

    def __init__(self, sessions: int) -> None:
        self._sessions = sessions
        self._all: list[AttachedWorker] = []
        self._jobs = 0
        self._evaluations = 0
        self._failures = 0
        self._tasks = Tasks()

    async def stop(self) -> None:
        """Stops watching the workers."""
        await self._tasks.stop()

    def statistics(self) -> WorkerStatistics:
        """The current state, and counts since the start."""
        return WorkerStatistics(
            workers=len(self._all),
            sessions=sum(worker.sessions for worker in self._all),
            free=sum(worker.free for worker in self._all),
            jobs=self._jobs,
            evaluations=self._evaluations,
            failures=self._failures,
        )

    # ---- their connections -----------------------------------------------------------------------

    def add(self, attach: bgs.Attach, client: ConnectedWorker) -> None:
        """Called when a worker has attached."""
        worker = AttachedWorker(client, bots_of(attach), attach.sessions or self._sessions)
        self._all.append(worker)
        games = ", ".join(bot.game for bot in worker.bots)
        log.info("worker %s: %d sessions, %s", attach.client_id, worker.sessions, games)
        self._tasks.start(self._watch(worker))

    def remove(self, client: ConnectedClient) -> bool:
        """Called when a client has disconnected. Returns False if it is no worker."""
        gone = [worker for worker in self._all if worker.client is client]
        for worker in gone:
            log.warning("worker %s is gone; its searches run elsewhere", client.id)
            self._all.remove(worker)
        return bool(gone)

    async def _watch(self, worker: AttachedWorker) -> None:
        while worker in self._all:
            await asyncio.sleep(PING_SECONDS)
            if not await worker.client.is_alive():
                worker.client.dismiss(UNRESPONSIVE, "No answer to a ping")

    # ---- their sessions --------------------------------------------------------------------------

    def choose(self, position: Position, avoided: Collection[AttachedWorker]) -> AttachedWorker | None:
        """The worker with the most free sessions of those that evaluate such a position; None if there is none."""
        able = [
            worker
            for worker in self._all
            if worker.free and worker not in avoided and worker.bot_for(position) is not None
        ]
        return max(able, key=lambda worker: worker.free, default=None)

    def has(self, worker: AttachedWorker) -> bool:
        """Whether this worker is still connected."""
        return worker in self._all

    def release(self, worker: AttachedWorker, bgs_id: str) -> None:
        """Ends a session; its place is free once the worker has confirmed that."""
        self._tasks.start(self._release(worker, bgs_id))

    async def _release(self, worker: AttachedWorker, bgs_id: str) -> None:
        with suppress(AnalystGoneError):
            await worker.client.request(bgs.EndGameSession(bgs_id))
            worker.used -= 1

    @contextmanager
    def evaluating(self) -> Iterator[None]:
        """Counts an evaluation by a worker, which fails with an exception other than its cancellation."""
        self._jobs += 1
        try:
            yield
            self._evaluations += 1
        except Exception:
            self._failures += 1
            raise
        finally:
            self._jobs -= 1
