"""The tasks of one connection to another process, which end together, and the reason in one line."""

import asyncio
from collections.abc import Coroutine
from typing import Any

END_SECONDS = 0.2
"""The pause between cancellations of a task that reads or sends."""


def line(error: Exception) -> str:
    """The first line of an error's text."""
    return (str(error) or type(error).__name__).splitlines()[0].rstrip(".")


async def until_one_fails(*works: Coroutine[Any, Any, None]) -> None:
    """Runs all of them until one raises; the others have ended when this does."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        await end_tasks(*tasks)


async def end_tasks(*tasks: asyncio.Task[Any], pause: float = END_SECONDS) -> None:
    """Cancels tasks until they end: Python 3.11's ``wait_for``, which clients use, can swallow a cancellation."""
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=pause)
    await asyncio.gather(*tasks, return_exceptions=True)
