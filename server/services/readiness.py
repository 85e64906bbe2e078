"""Checks whether each part of the server works, for ``/readyz``."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from time import monotonic

from server.domain.errors import ApiError
from server.ports.analysts import WorkerStatistics
from server.ports.store import Store
from server.services.cluster.bus import Bus

STORE_SECONDS = 2.0
"""The time limit for the store's answer."""

WRITE_SECONDS = 5.0
"""How long the result of a test write to the store is reused."""


@dataclass(frozen=True, slots=True)
class StoreCheck:
    """The result of a check. ``parts`` describes each part in a few words; ``missing`` names those that do not work."""

    parts: Mapping[str, str]
    missing: tuple[str, ...]

    @property
    def is_ready(self) -> bool:
        """Whether all parts work."""
        return not self.missing


class Readiness:
    """Checks the parts of one server.

    ``models`` returns the names of the evaluators; they are always loaded, since otherwise the server would not have
    started. ``engine`` describes the engine sessions, ``workers`` returns None if the server takes no
    workers. A busy engine does not make the server unready: games between people continue, and any client could cause
    it. Nor do missing workers, since the server then searches itself.
    """

    def __init__(
        self,
        store: Store,
        bus: Bus,
        models: Callable[[], list[str]],
        engine: Callable[[], str],
        workers: Callable[[], WorkerStatistics | None],
    ) -> None:
        self._store = store
        self._bus = bus
        self._models = models
        self._engine = engine
        self._workers = workers
        self._is_stopping = False
        self._writing = asyncio.Lock()
        self._write_trouble: str | None = None
        self._written_at = -WRITE_SECONDS
        """When the store was last tested, by the monotonic clock."""

    @property
    def is_stopping(self) -> bool:
        """Whether the server is stopping: what waits for something should end."""
        return self._is_stopping

    def stop(self) -> None:
        """Makes the server unready because it is stopping."""
        self._is_stopping = True

    async def look(self) -> StoreCheck:
        """Checks every part."""
        bus = self._bus.state()
        troubles = {
            "process": "stopping" if self._is_stopping else None,
            "store": await self._store_trouble(),
            "bus": None if bus.trouble is None else f"{bus.kind}: {bus.trouble}",
        }
        well = {
            "process": "running",
            "store": "answers",
            "bus": bus.kind,
            "models": ", ".join(self._models()),
            "engine": self._engine(),
        }
        workers = self._workers()
        if workers is not None:
            well["workers"] = f"{workers.workers}, with {workers.free} of {workers.sessions} sessions free"
        missing = tuple(name for name, trouble in troubles.items() if trouble is not None)
        return StoreCheck({name: troubles.get(name) or text for name, text in well.items()}, missing)

    async def _store_trouble(self) -> str | None:
        return await _trouble(self._store.ping) or await self._trouble_with_writing()

    async def _trouble_with_writing(self) -> str | None:
        """Tests at most one write per ``WRITE_SECONDS``, so that frequent checks do not load the disk."""
        async with self._writing:
            if monotonic() - self._written_at >= WRITE_SECONDS:
                self._write_trouble = await _trouble(self._store.try_writing)
                self._written_at = monotonic()
            return self._write_trouble


async def _trouble(ask: Callable[[], Awaitable[None]]) -> str | None:
    try:
        async with asyncio.timeout(STORE_SECONDS):
            await ask()
    except ApiError as refusal:
        return refusal.text.rstrip(".")
    except TimeoutError:
        return "does not answer"
    return None
