"""A Ray cluster: connecting to it, and whether its nodes can run our tasks.

Every node needs the same version of Plyhouse as this process, because tasks are sent by name. Ray itself is needed only
where a cluster is used: it is the extra ``ray``.
"""

import pickle
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from engines.executors.build import Build, this_build
from engines.executors.placement import ClusterRole, placement

CLIENT = "ray://"
"""How the addresses of Ray's own server for clients outside of the cluster begin."""

CLIENT_ATTEMPTS = 3
"""On a busy machine, Ray's server for clients now and then fails to start its process for one."""

MOST_CHARACTERS = 300
"""Of what Ray says about a connection, such as the versions that differ."""

CONNECT_SECONDS = 10.0

ANSWER_SECONDS = 60.0
"""How long nodes have to answer that they can run tasks; the first answer begins a process."""

MISSING = 'Ray is not installed: install "plyhouse[ray]"'


class ClusterFailed(Exception):
    """A cluster cannot be used, or has lost what ran there. The text is one line."""


def load_ray() -> Any:  # noqa: ANN401 - a package without types where it is not installed
    """Imports and returns ``ray``. Raises ClusterFailed."""
    try:
        return import_module("ray")
    except ImportError as error:
        raise ClusterFailed(f"{MISSING} ({error})") from None


@contextmanager
def cluster(address: str) -> "Iterator[Any]":
    """Connects to the cluster at ``auto``, ``HOST:PORT`` or ``ray://HOST:PORT``, and disconnects at the end.

    Tasks that still run are stopped then. Raises ClusterFailed if there is no cluster, or a node has another version.
    """
    ray = load_ray()
    _check_port(address)
    _connect(ray, address)
    try:
        check_nodes(ray)
        yield ray
    finally:
        ray.shutdown()


def _connect(ray: Any, address: str) -> None:  # noqa: ANN401 - as above
    """Connects. Raises ClusterFailed."""
    for left in reversed(range(CLIENT_ATTEMPTS if address.startswith(CLIENT) else 1)):
        try:
            ray.init(address=address, logging_level="ERROR", log_to_driver=False)
        except Exception as error:  # Ray's own errors of connections have no common base class
            if left == 0:
                why = " ".join(str(error).split())[:MOST_CHARACTERS]
                raise ClusterFailed(f"the Ray cluster at {address} cannot be used: {why}") from None
            ray.shutdown()
        else:
            return


def _check_port(address: str) -> None:
    """Raises ClusterFailed if nothing answers there: Ray itself would try for minutes."""
    if address == "auto":
        return
    host, _, port = address.removeprefix(CLIENT).rpartition(":")
    if not host or not port.isdecimal():
        raise ClusterFailed(f"a Ray cluster is auto, HOST:PORT or {CLIENT}HOST:PORT, not '{address}'")
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise ClusterFailed(f"there is no Ray cluster at {address}: {first_line(error)}") from None


def first_line(error: BaseException) -> str:
    """The first line of an error's text."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def describe(ray: Any) -> str:  # noqa: ANN401 - as above
    """How large a cluster is, in a few words."""
    resources = ray.cluster_resources()
    nodes = len(working_nodes(ray))
    gpus = int(resources.get("GPU", 0))
    return (
        f"{nodes} node{'s' * (nodes != 1)}, {resources.get('CPU', 0):g} cores"
        + f", {gpus} GPU{'s' * (gpus != 1)}" * (gpus > 0)
    )


def working_nodes(ray: Any) -> list[Mapping[str, Any]]:  # noqa: ANN401 - as above
    """The nodes that are alive and work for us. The head of a cluster on Kubernetes often does not."""
    works = {"CPU", "GPU", *ClusterRole}
    return [node for node in ray.nodes() if node["Alive"] and works & node.get("Resources", {}).keys()]


def playing_nodes(ray: Any) -> dict[str, int]:  # noqa: ANN401 - as above
    """The cores of the nodes that play games, by their ids."""
    where = placement(ClusterRole.PLAY, ray.cluster_resources())
    return {
        node["NodeID"]: int(node["Resources"].get("CPU", 0))
        for node in working_nodes(ray)
        if where.resources.keys() <= node["Resources"].keys()
    }


def resources_for(ray: Any, role: ClusterRole) -> dict[str, float]:  # noqa: ANN401 - as above
    """The resources of the nodes that do the work of a role, together."""
    where = placement(role, ray.cluster_resources())
    together: dict[str, float] = {}
    for node in working_nodes(ray):
        if where.resources.keys() <= node["Resources"].keys():
            for name, amount in node["Resources"].items():
                together[name] = together.get(name, 0) + amount
    return together


def packed(value: object) -> bytes:
    """A function, with all that it holds, as it travels: nothing unpacks it but the process that runs it.

    Raises ClusterFailed if something of it cannot travel.
    """
    try:
        content: bytes = import_module("ray.cloudpickle").dumps(value)
    except (TypeError, pickle.PicklingError) as error:
        raise ClusterFailed(f"a task cannot be sent to the Ray cluster: {first_line(error)}") from None
    return content


# ---- the versions of nodes ----------------------------------------------------------------------


def check_nodes(ray: Any) -> None:  # noqa: ANN401 - as above
    """Raises ClusterFailed unless every node has this version of Plyhouse and its core.

    A node that does not answer is asked again, until the cluster has noticed that it is lost.
    """
    if not working_nodes(ray):
        raise ClusterFailed("no node of the Ray cluster runs tasks: all have 0 cores")
    deadline = time.monotonic() + ANSWER_SECONDS
    silent = _unchecked(ray, working_nodes(ray))
    while silent:
        where, why = next(iter(silent.values()))
        if time.monotonic() > deadline:
            raise ClusterFailed(f"{where} does not answer: {why}")
        time.sleep(1)
        silent = _unchecked(ray, [node for node in working_nodes(ray) if node["NodeID"] in silent])


def _unchecked(
    ray: Any,  # noqa: ANN401 - as above
    nodes: Sequence[Mapping[str, Any]],
) -> dict[str, tuple[str, str]]:
    """Checks these nodes. Returns those that do not answer by their ids: what they are called, and why."""
    affinity = import_module("ray.util.scheduling_strategies").NodeAffinitySchedulingStrategy
    probe = ray.remote(_build_probe())
    asked = [
        probe.options(
            num_cpus=0, max_retries=0, scheduling_strategy=affinity(node["NodeID"], soft=False)
        ).remote()
        for node in nodes
    ]
    silent: dict[str, tuple[str, str]] = {}
    for node, answer in zip(nodes, asked, strict=True):
        where = f"the node {node['NodeManagerAddress']} of the Ray cluster"
        try:
            theirs = ray.get(answer, timeout=ANSWER_SECONDS)
        except ray.exceptions.RayError as error:
            silent[node["NodeID"]] = where, first_line(error)
            continue
        if problem := _difference(theirs):
            raise ClusterFailed(f"{where} has {problem}")
    return silent


def _difference(theirs: Build | str) -> str | None:
    """How a node differs; a text is the version of one that is too old to say more, and empty without Plyhouse."""
    if isinstance(theirs, Build):
        return this_build().difference(theirs)
    if not theirs:
        return "no Plyhouse: install its wheel on all nodes"
    return f"Plyhouse {theirs}, and this is {this_build().version}"


def _build_probe() -> Callable[[], Build | str]:
    """A function that Ray sends as code, since a node without Plyhouse could not find it by name."""

    def probe() -> Build | str:
        from importlib import import_module
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("plyhouse")
        except PackageNotFoundError:
            return ""
        try:
            build: Build = import_module("engines.executors.build").this_build()
        except ImportError:
            return found
        return build

    return probe
