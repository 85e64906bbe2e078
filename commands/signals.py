"""Ends commands that run until they are interrupted."""

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any


async def run_until_signal(work: Coroutine[Any, Any, None]) -> None:
    """Runs until the end of ``work``, or until SIGINT or SIGTERM cancels it."""
    task = asyncio.ensure_future(work)
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    with suppress(asyncio.CancelledError):
        await task
