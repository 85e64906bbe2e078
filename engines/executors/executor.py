"""The interface of what runs tasks, and the one that uses threads.

Threads are enough on one machine: searches and networks release Python's lock.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from threading import Event, local
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


_thread = local()
"""``ending`` of a thread that runs tasks: whether its executor is ending."""


class Unwanted(Exception):
    """Nobody waits for the result of the running task any more."""


def check_wanted() -> None:
    """Raises Unwanted if the executor of the running task is ending. For tasks that take long."""
    ending: Event | None = getattr(_thread, "ending", None)
    if ending is not None and ending.is_set():
        raise Unwanted


class LocalExecutor(ThreadPoolExecutor):
    """Runs tasks on threads of this process (implements ``TaskExecutor``).

    Use it as a context manager: at its end, also that by an interrupt, tasks that still run are not wanted any more.
    """

    def __init__(self, slots: int) -> None:
        self._ending = Event()
        super().__init__(slots, initializer=lambda: setattr(_thread, "ending", self._ending))
        self.slots = slots

    def __exit__(self, *raised: object) -> None:
        self._ending.set()
        self.shutdown(cancel_futures=True)

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
