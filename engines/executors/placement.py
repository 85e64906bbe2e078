"""Which nodes of a cluster do which work, by the resources that they declare.

Games and searches take a core each, wherever there is one; networks take a GPU. A cluster may reserve nodes for one of
the roles: if any node declares the resource of a role (``rayStartParams: resources`` in Kubernetes, ``ray start
--resources``), the role is done on such nodes only.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

SHARE = 0.001
"""How much of a named resource a task takes: the resource marks nodes and limits nothing."""

GPU_FOR_NETWORKS = 0.6
GPU_FOR_LEARNING = 0.4
"""Shares of a GPU: self-play and fitting take turns, and may use the same one."""


class ClusterRole(StrEnum):
    """Kinds of work. The value is the name of the resource that reserves nodes for it."""

    PLAY = "plyhouse_play"
    """Games and searches."""
    INFERENCE = "plyhouse_inference"
    """Networks that play, for all games of a cluster."""
    LEARNER = "plyhouse_learner"
    """Fitting networks."""


Resources = Mapping[str, float]
"""The resources of a cluster or of a node by name, as Ray reports them: ``CPU``, ``GPU`` and those with own names."""


@dataclass(frozen=True)
class Placement:
    """The options of a Ray task or actor that place it."""

    num_cpus: float
    num_gpus: float = 0.0
    resources: dict[str, float] = field(default_factory=dict)

    def options(self) -> dict[str, object]:
        """As keyword arguments of Ray."""
        return {"num_cpus": self.num_cpus, "num_gpus": self.num_gpus, "resources": self.resources}


def placement(role: ClusterRole, cluster: Resources) -> Placement:
    """Where a cluster with these resources does the work of a role.

    Only games reserve cores: the others would leave cores idle whenever they are.
    """
    marked = {role.value: SHARE} if cluster.get(role) else {}
    if role is ClusterRole.PLAY:
        return Placement(1, 0, marked)
    has_gpu = cluster.get("GPU", 0) >= 1
    share = GPU_FOR_NETWORKS if role is ClusterRole.INFERENCE else GPU_FOR_LEARNING
    return Placement(0, share if has_gpu else 0, marked)


def inference_actors(cluster: Resources) -> int:
    """How many processes compute networks for all games: one for each GPU.

    A cluster without GPUs has one where nodes are reserved for it, and otherwise none: each game computes its own.
    """
    if cluster.get("GPU", 0) >= 1:
        return int(cluster["GPU"])
    return 1 if cluster.get(ClusterRole.INFERENCE) else 0
