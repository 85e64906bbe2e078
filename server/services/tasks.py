"""The background tasks of one service."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from server.domain.errors import ApiError

log = logging.getLogger(__name__)

T = TypeVar("T")

PAUSE_SECONDS = 0.5
"""The time between an error of repeated work and the next try."""


class Tasks:
    """Starts tasks, keeps them while they run, and stops them together.

    Logs unexpected errors, since nobody may wait for a task; a refusal is not logged.
    """

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._running)

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Starts a task."""
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    def repeat(self, step: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Starts a task that repeats ``step``. An error is logged, and delays the next repetition a little."""
        self.start(_repeat(step))

    def cancel(self) -> None:
        """Cancels all tasks."""
        for task in tuple(self._running):
            task.cancel()

    async def stop(self) -> None:
        """Cancels all tasks and waits until they have ended."""
        self.cancel()
        await self.finish()

    async def finish(self) -> None:
        """Waits until all tasks have ended."""
        await asyncio.gather(*self._running, return_exceptions=True)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, ApiError):
            log.error("a task failed", exc_info=error)


async def _repeat(step: Callable[[], Coroutine[Any, Any, object]]) -> None:
    while True:
        try:
            await step()
        except Exception:
            log.exception("a repeated task failed; trying again in %g s", PAUSE_SECONDS)
            await asyncio.sleep(PAUSE_SECONDS)
