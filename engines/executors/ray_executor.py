"""Tasks on a Ray cluster: one core each, run again on another node if theirs is lost.

The function of a task goes to the cluster once, with all that it holds, such as the bots and networks of a match; its
arguments go with each task. Only results that have arrived here count.
"""

import pickle
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from threading import Condition, Thread
from typing import Any, TypeVar
from uuid import uuid4

from engines.executors.build import Build, this_build
from engines.executors.placement import ClusterRole, Resources, placement
from engines.executors.ray_cluster import ClusterFailed, describe, first_line, packed, playing_nodes
from engines.executors.ray_model import RayNetworks
from engines.inference import Model
from engines.onnx_runtime import Provider

R = TypeVar("R")

MOST_RETRIES = 5
"""How often a task is run again whose node or process is lost: one that brings down its process does so each time."""

KEPT_FUNCTIONS = 16
"""Functions that stay in the cluster: those used last."""

POLL_SECONDS = 0.05
"""Tasks that begin while others run are noticed after so long at most."""

SIZE_SECONDS = 5.0
"""How often the size of the cluster is read."""


@dataclass(frozen=True)
class _Call:
    function: Any
    """The reference to the function in the cluster."""
    arguments: tuple[object, ...]
    future: Future[Any]


@dataclass(frozen=True)
class _Size:
    """How large a cluster was at some time of the monotonic clock; ``cores``: those that play games."""

    read_at: float
    cores: int
    resources: Resources


class RayExecutor(Executor):
    """Runs tasks on a cluster (implements ``TaskExecutor``). Use it as a context manager."""

    def __init__(
        self,
        ray: Any,  # noqa: ANN401 - without types if not installed
        slots: int | None = None,
        provider: Provider = "auto",
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        """``slots``: tasks at the same time (default: as many as there are cores, also if there are more later).

        ``provider``: where networks compute. ``say`` gets a line when the size of the cluster has changed. Raises
        ValueError for fewer than one slot.
        """
        if slots is not None and slots < 1:
            raise ValueError(f"{slots} tasks at the same time are none")
        self.ray = ray
        self._wanted = slots
        self._provider: Provider = provider
        self._say = say
        self._networks: RayNetworks | None = None
        self._size: _Size | None = None
        self._run = ray.remote(_run)
        self._functions: OrderedDict[int, tuple[Callable[..., object], Any]] = OrderedDict()
        """Functions and their references, by the ids of the functions."""
        self._changed = Condition()
        self._waiting: deque[_Call] = deque()
        self._running: dict[Any, _Call] = {}
        self._is_closed = False
        self._thread = Thread(target=self._collect, name="ray results", daemon=True)
        self._thread.start()

    @property
    def slots(self) -> int:
        """See ``TaskExecutor``."""
        if self._wanted is not None:
            return self._wanted
        return max(1, self._cluster().cores)

    def _cluster(self) -> _Size:
        """The cluster as it was a few seconds ago: nodes come and go."""
        now = time.monotonic()
        known = self._size
        if known is None or now - known.read_at >= SIZE_SECONDS:
            cores = sum(playing_nodes(self.ray).values())
            self._size = _Size(now, cores, self.ray.cluster_resources())
            if known is not None and known.cores != cores:
                self._say(f"the Ray cluster has {describe(self.ray)} now")
            return self._size
        return known

    def submit(self, task: Callable[..., R], /, *arguments: object, **named: object) -> Future[R]:
        """See ``TaskExecutor``; there are no named arguments."""
        if named:
            raise TypeError("tasks take their arguments in order")
        future: Future[R] = Future()
        with self._changed:
            if self._is_closed:
                raise RuntimeError("the executor was shut down")
            self._waiting.append(_Call(self._stored(task), arguments, future))
            self._begin()
            self._changed.notify()
        return future

    def networks(self, models: Sequence[Model]) -> list[Model]:
        """See ``TaskExecutor``: the cluster's GPUs compute them for all tasks, or else each process has copies."""
        return self._inference().placed(models) if models else []

    @property
    def has_inference(self) -> bool:
        """Whether processes of their own compute networks for all tasks."""
        return self._inference().is_available

    def _inference(self) -> RayNetworks:
        if self._networks is None:
            self._networks = RayNetworks(self.ray, self._provider)
        return self._networks

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 - as declared
        """Ends when all tasks have; those that have not begun are cancelled on demand."""
        with self._changed:
            self._is_closed = True
            if cancel_futures:
                for call in self._waiting:
                    call.future.cancel()
            self._changed.notify()
        if wait:
            self._thread.join()

    def __exit__(self, *_: object) -> None:
        """Nobody needs the tasks that still run: they end with the connection to the cluster."""
        self._fail(ClusterFailed("the tasks were stopped"))
        self.shutdown()

    def _stored(self, task: Callable[..., object]) -> Any:  # noqa: ANN401 - as above
        """The reference to a function in the cluster."""
        if id(task) not in self._functions:
            self._functions[id(task)] = task, self.ray.put(_Packed(uuid4().hex, packed(task), this_build()))
        self._functions.move_to_end(id(task))
        if len(self._functions) > KEPT_FUNCTIONS:
            self._functions.popitem(last=False)
        return self._functions[id(task)][1]

    def _begin(self) -> None:
        """Sends waiting tasks to the cluster while slots are free."""
        while self._waiting and len(self._running) < self.slots:
            call = self._waiting.popleft()
            if call.future.set_running_or_notify_cancel():
                where = placement(ClusterRole.PLAY, self._cluster().resources)
                run = self._run.options(max_retries=MOST_RETRIES, **where.options())
                try:
                    self._running[run.remote(call.function, *call.arguments)] = call
                except Exception as error:  # such as an argument that cannot travel
                    call.future.set_exception(error)

    def _collect(self) -> None:
        """Sets the results of the futures, until the executor is closed and nothing is left to do."""
        try:
            self._collect_all()
        except Exception as error:  # whatever Ray raises when the connection breaks
            self._fail(ClusterFailed(f"the connection to the Ray cluster broke: {first_line(error)}"))

    def _fail(self, error: ClusterFailed) -> None:
        with self._changed:
            self._is_closed = True
            for call in self._waiting:
                if call.future.set_running_or_notify_cancel():
                    call.future.set_exception(error)
            for reference, call in self._running.items():
                call.future.set_exception(error)
                with suppress(Exception):  # The connection may be broken.
                    self.ray.cancel(reference, force=True)
            self._waiting.clear()
            self._running.clear()
            self._changed.notify()

    def _collect_all(self) -> None:
        while True:
            with self._changed:
                while not self._running and not self._is_closed:
                    self._changed.wait()
                self._begin()
                running = list(self._running)
            if not running:
                return
            done, _ = self.ray.wait(running, num_returns=1, timeout=POLL_SECONDS)
            for reference in done:
                result, error = self._outcome(reference)
                with self._changed:
                    call = self._running.pop(reference, None)
                    self._begin()
                if call is None:  # stopped meanwhile
                    return
                if error is None:
                    call.future.set_result(result)
                else:
                    call.future.set_exception(error)

    def _outcome(self, reference: Any) -> tuple[Any, BaseException | None]:  # noqa: ANN401 - as above
        """The result of a task that has ended, or its error: the one that it raised itself, or ClusterFailed."""
        try:
            return self.ray.get(reference), None
        except self.ray.exceptions.RayTaskError as error:
            return None, _own_error(error)
        except self.ray.exceptions.RayError as error:
            return None, ClusterFailed(f"the Ray cluster lost a task: {first_line(error)}")


def _own_error(error: Any) -> BaseException:  # noqa: ANN401 - as above
    """What the task raised; an error that cannot be sent is known by its text only."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, Exception):
        return cause
    return ClusterFailed(f"a task failed on the Ray cluster: {first_line(error)}")


# ---- what runs on the cluster -------------------------------------------------------------------


@dataclass(frozen=True)
class _Packed:
    """A function as it travels; ``key`` is its own."""

    key: str
    content: bytes
    build: Build
    """That of the process that sent it; a node that joined later may have another one."""


_unpacked: tuple[str, Any] = "", None
"""The key and the function of the last task of this process."""


def _run(task: _Packed, *arguments: object) -> Any:  # noqa: ANN401 - whatever the function returns
    global _unpacked
    if problem := task.build.difference(this_build()):
        raise ClusterFailed(f"a node of the Ray cluster has {problem}")
    if _unpacked[0] != task.key:
        _unpacked = task.key, pickle.loads(task.content)  # noqa: S301 - from the process that gave the command
    return _unpacked[1](*arguments)
