"""The option ``--ray``, with which a command runs its work on a cluster, and what runs it with or without."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Annotated

import typer

from commands.failure import failing
from engines.executors import ray_cluster
from engines.executors.executor import LocalExecutor, TaskExecutor
from engines.executors.ray_cluster import ClusterFailed
from engines.executors.ray_executor import RayExecutor
from engines.onnx_runtime import Provider
from engines.processor_cores import usable_cores

say = partial(typer.echo, err=True)

RayOption = Annotated[
    str | None,
    typer.Option(
        help="Run on a Ray cluster: its address, HOST:PORT or ray://HOST:PORT, or auto for the one that this machine "
        "is part of. Needs plyhouse[ray]."
    ),
]


@contextmanager
def executor_or_exit(
    command: str, ray: str | None, jobs: int | None, provider: Provider = "auto"
) -> Iterator[TaskExecutor]:
    """What runs the tasks of a command: threads, or a cluster.

    ``jobs``: tasks at the same time (default: one for each core of the machine or the cluster).

    Prints the error and exits with status 1 if the cluster cannot be used, or is lost meanwhile.
    """
    if ray is None:
        with LocalExecutor(jobs or usable_cores()) as executor:
            yield executor
        return
    with failing(command, ClusterFailed), ray_cluster.cluster(ray) as module:
        say(f"the Ray cluster at {ray} has {ray_cluster.describe(module)}")
        with RayExecutor(module, jobs, provider, say) as remote:
            yield remote
