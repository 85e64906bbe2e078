"""The processor time that an awaitable takes from the event loop, without what others do while it waits."""

import time
from collections.abc import Awaitable, Callable, Generator
from functools import partial
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Metered(Generic[T]):
    """An awaitable; ``seconds`` is what it has taken so far."""

    def __init__(self, work: Awaitable[T]) -> None:
        self._work = work
        self.seconds = 0.0

    def __await__(self) -> Generator[Any, Any, T]:
        steps: Any = self._work.__await__()
        step: Callable[[], Any] = partial(next, steps)
        while True:
            began = time.thread_time()
            try:
                awaited = step()
            except StopIteration as end:
                result: T = end.value
                return result
            finally:
                self.seconds += time.thread_time() - began
            try:
                step = partial(steps.send, (yield awaited))
            except BaseException as error:
                step = partial(steps.throw, error)
