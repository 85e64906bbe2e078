"""The interface of what runs tasks, and the one that uses threads.

Threads are enough on one machine: searches and networks release Python's lock.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Protocol, TypeVar

from engines.inference import Model

A = TypeVar("A")
R = TypeVar("R")


class TaskExecutor(Protocol):
    """Runs tasks in the order in which they are submitted, as many at the same time as it has slots.

    A task must depend on its arguments alone, because it is run again elsewhere if its machine is lost.
    """

    @property
    def slots(self) -> int:
        """Tasks that run at the same time."""

    def submit(self, task: Callable[..., R], /, *arguments: object) -> Future[R]:
        """Runs ``task(*arguments)`` as soon as a slot is free. The future has what it returns or raises."""

    def networks(self, models: Sequence[Model]) -> list[Model]:
        """These networks as tasks are to use them."""


class LocalExecutor(ThreadPoolExecutor):
    """Runs tasks on threads of this process (implements ``TaskExecutor``). Use it as a context manager."""

    def __init__(self, slots: int) -> None:
        super().__init__(slots)
        self.slots = slots

    def networks(self, models: Sequence[Model]) -> list[Model]:
        """These."""
        return list(models)


def in_order(
    executor: TaskExecutor,
    task: Callable[[A], R],
    arguments: Iterable[A],
    ahead: Callable[[], int] | None = None,
) -> Generator[R]:
    """Yields the results of ``task`` for each of the arguments, in their order.

    At most ``ahead()`` tasks are submitted before their results are needed (default: all of them), so that arguments
    may be endless. It is called before each result, as the slots of an executor may become more or fewer. When the
    iterator is closed, tasks that have not begun are cancelled.
    """
    waiting: deque[Future[R]] = deque()
    left = iter(arguments)
    try:
        while True:
            more = None if ahead is None else max(0, ahead() - len(waiting))
            waiting.extend(executor.submit(task, argument) for argument in islice(left, more))
            if not waiting:
                return
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
