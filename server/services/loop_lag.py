"""Measures how late the event loop wakes its tasks, which delays every response of the server."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

STEP_SECONDS = 0.1
"""At 0.02, measuring would take a third of the processor time of a server without games."""


@asynccontextmanager
async def measuring_lag(observe: Callable[[float], object]) -> AsyncIterator[None]:
    """Sleeps repeatedly for ``STEP_SECONDS`` in the background; ``observe`` gets each delay in seconds."""
    task = asyncio.ensure_future(_measure(observe))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _measure(observe: Callable[[float], object]) -> None:
    now = asyncio.get_running_loop().time
    while True:
        due = now() + STEP_SECONDS
        await asyncio.sleep(STEP_SECONDS)
        observe(max(0.0, now() - due))
