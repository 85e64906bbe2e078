"""The background tasks of one service."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Tasks:
    """Starts tasks, keeps them while they run, and stops them together."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._running)

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Starts a task."""
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    def cancel(self) -> None:
        """Cancels all tasks."""
        for task in tuple(self._running):
            task.cancel()

    async def stop(self) -> None:
        """Cancels all tasks and waits until they have ended."""
        self.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
