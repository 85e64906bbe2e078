"""An event loop in a thread of its own, for code that runs in threads without one, such as the games of the arena."""

import asyncio
import threading
from collections.abc import Coroutine
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


def wait_for(work: Coroutine[Any, Any, T]) -> T:
    """Runs ``work`` in the loop, and blocks until it has ended."""
    return asyncio.run_coroutine_threadsafe(work, _event_loop()).result()


@cache
def _event_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="programs", daemon=True).start()
    return loop
