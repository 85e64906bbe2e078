"""Whether the server can do all that it is for, part by part: what ``/readyz`` tells."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from time import monotonic

from server.domain.errors import ApiError
from server.ports import Bus, Store

STORE_SECONDS = 2.0
"""How long the store may take for an answer."""

WRITE_SECONDS = 5.0
"""How long it holds that the store could be written, or could not."""


@dataclass(frozen=True, slots=True)
class Look:
    """How things stand. ``parts`` has a few words on each; ``missing`` names those that do not work."""

    parts: Mapping[str, str]
    missing: tuple[str, ...]

    @property
    def is_ready(self) -> bool:
        """Whether everything works."""
        return not self.missing


class Readiness:
    """``models`` names who evaluates positions; they were loaded, or the server would not have started.

    ``engine`` says in words how many sessions there are. A busy engine is no reason to send clients elsewhere: games
    between people go on, and any stranger could bring it about.
    """

    def __init__(
        self, store: Store, bus: Bus, models: Callable[[], list[str]], engine: Callable[[], str]
    ) -> None:
        self._store = store
        self._bus = bus
        self._models = models
        self._engine = engine
        self._is_stopping = False
        self._writing = asyncio.Lock()
        self._write_trouble: str | None = None
        self._written_at = -WRITE_SECONDS
        """When the store was last tried, by the monotonic clock."""

    def stop(self) -> None:
        """The server stops."""
        self._is_stopping = True

    async def look(self) -> Look:
        """Asks every part."""
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
        missing = tuple(name for name, trouble in troubles.items() if trouble is not None)
        return Look({name: troubles.get(name) or text for name, text in well.items()}, missing)

    async def _store_trouble(self) -> str | None:
        return await _trouble(self._store.ping) or await self._trouble_with_writing()

    async def _trouble_with_writing(self) -> str | None:
        """One attempt serves all who ask within some seconds, so that asking often costs the disk nothing."""
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
