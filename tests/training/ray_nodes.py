"""Ray clusters of several nodes on this machine, for tests."""

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ray.cluster_utils import Cluster

STORE_BYTES = 100 << 20


class LocalCluster:
    """A cluster whose head plays, as the other nodes do."""

    def __init__(self) -> None:
        self._client_port = _free_port()
        head = {
            "num_cpus": 1,
            "object_store_memory": STORE_BYTES,
            "include_dashboard": False,
            "ray_client_server_port": self._client_port,
        }
        self._cluster: Any = Cluster(initialize_head=True, head_node_args=head)

    @property
    def address(self) -> str:
        """Such as ``127.0.0.1:6379``."""
        return str(self._cluster.address)

    @property
    def client_address(self) -> str:
        """For commands outside of the cluster."""
        return f"ray://{self.address.rpartition(':')[0]}:{self._client_port}"

    def add(self, cpus: int = 1, **resources: float) -> Any:
        """Adds a node with these resources of its own, and returns it."""
        node = self._cluster.add_node(
            num_cpus=cpus, object_store_memory=STORE_BYTES, resources=dict(resources)
        )
        self._cluster.wait_for_nodes()
        return node

    def kill(self, node: Any) -> None:
        """Kills a node and all that runs there with SIGKILL, as the loss of a machine does."""
        for processes in list(node.all_processes.values()):
            for one in processes:
                os.kill(one.process.pid, signal.SIGKILL)

    def remove(self, node: Any) -> None:
        """Takes a node out of the cluster, in order."""
        self._cluster.remove_node(node)

    def stop(self) -> None:
        """Ends all nodes."""
        self._cluster.shutdown()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("", 0))
        return int(probe.getsockname()[1])


@contextmanager
def local_cluster() -> Iterator[LocalCluster]:
    """A cluster of two nodes with a core each."""
    cluster = LocalCluster()
    try:
        cluster.add()
        yield cluster
    finally:
        cluster.stop()
