"""Measures how late the event loop wakes whoever sleeps: what every answer of the server waits for."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from prometheus_client import Histogram

STEP_SECONDS = 0.02


@asynccontextmanager
async def measuring_lag(histogram: Histogram) -> AsyncIterator[None]:
    """Sleeps a step at a time meanwhile, and tells the histogram by how much it overslept, in seconds."""
    task = asyncio.ensure_future(_measure(histogram))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _measure(histogram: Histogram) -> None:
    now = asyncio.get_running_loop().time
    while True:
        due = now() + STEP_SECONDS
        await asyncio.sleep(STEP_SECONDS)
        histogram.observe(max(0.0, now() - due))
