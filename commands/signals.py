"""Ends commands that run until they are interrupted."""

import asyncio
import signal
from collections.abc import Awaitable
from contextlib import suppress


async def run_until_signal(work: Awaitable[object]) -> None:
    """Runs until the end of ``work``, or until SIGINT or SIGTERM cancels it."""
    task = asyncio.ensure_future(work)
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    with suppress(asyncio.CancelledError):
        await task
