"""Fitting on a Ray cluster: the network and its optimiser are in a process of their own, on a GPU if there is one.

Examples reach it through Ray's object store, each part once. Should the process be lost, another one begins where the
last call of ``fit`` ended.
"""

import os
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import torch

from engines.executors.placement import ClusterRole, placement
from engines.executors.ray_cluster import ClusterFailed, first_line, resources_for, working_nodes
from engines.processor_cores import usable_cores
from engines.training.examples import Examples, by_size
from engines.training.fit import Losses, Permutations, Trainer
from engines.training.network import Network
from engines.training.settings import Fit

CHUNK_STEPS = 100
"""Steps between two reports of the progress."""

MOST_LOSSES = 3
"""How often fitting begins again because its process was lost."""

State = dict[str, Any]


class TrainerActor:
    """The process that fits: a Ray actor."""

    def __init__(self, settings: Fit, seed: int, state: State, threads: int | None) -> None:
        """``threads``: those of a CPU (default: one for each core, as torch does where Ray does not prevent it)."""
        torch.set_num_threads(threads or usable_cores())
        self._trainer = Trainer(Network.of_description(state["description"]), settings, seed)
        self._trainer.restore(state)
        self._boards: list[Examples] = []
        self._symmetries: dict[tuple[int, ...], Permutations] = {}

    def take(self, parts: Sequence[Any], symmetries: dict[tuple[int, ...], Permutations]) -> None:
        """Takes the examples to learn from: references to them, and the symmetries of their boards by shape."""
        self._boards = by_size(import_module("ray").get(list(parts)))
        self._symmetries = symmetries

    def fit(self, steps: int, rate: float) -> Losses:
        """See ``Trainer.fit``."""
        return self._trainer.fit(
            self._boards, lambda each: self._symmetries[each.planes.shape[1:]], steps, rate
        )

    def state(self) -> State:
        """See ``Trainer.state``; in memory that every process can read."""
        state: State = _on_cpu(self._trainer.state())
        return state


class RayTrainer:
    """A trainer somewhere in a cluster, with the methods of ``Trainer`` that a run needs."""

    def __init__(self, ray: Any, network: Network, settings: Fit, seed: int) -> None:  # noqa: ANN401 - without types if not installed
        self._ray = ray
        self._settings = settings
        self._seed = seed
        self._state: State = _on_cpu(Trainer(network, settings, seed).state())
        self._stored: dict[int, tuple[Examples, Any]] = {}
        """Examples and the references to them, by the ids of the examples."""
        self._actor: Any = None

    @property
    def averaged(self) -> Network:
        """The network to play with."""
        network = Network.of_description(self._state["description"])
        network.load_state_dict(self._state["averaged"])
        network.eval()
        return network

    def state(self) -> State:
        """See ``Trainer.state``."""
        return self._state

    def restore(self, state: State) -> None:
        """See ``Trainer.restore``."""
        self._state = _on_cpu(state)
        self._actor = None

    def fit(
        self,
        parts: Sequence[Examples],
        symmetries: Callable[[Examples], Permutations],
        steps: int,
        rate: float = 1.0,
        watch: Callable[[float], None] = lambda done: None,
    ) -> Losses:
        """See ``Trainer.fit``. Raises ClusterFailed if the process is lost again and again."""
        known = {part.planes.shape[1:]: symmetries(part) for part in parts}
        references = self._references(parts)
        lost = ""
        for _ in range(MOST_LOSSES):
            try:
                return self._fit(references, known, steps, rate, watch)
            except self._ray.exceptions.RayTaskError as error:
                raise error.cause if isinstance(error.cause, Exception) else error from None
            except self._ray.exceptions.RayError as error:
                self._actor = None
                lost = first_line(error)
        raise ClusterFailed(f"the Ray cluster lost the process that fits: {lost}")

    def _fit(
        self,
        references: Sequence[Any],
        symmetries: dict[tuple[int, ...], Permutations],
        steps: int,
        rate: float,
        watch: Callable[[float], None],
    ) -> Losses:
        if self._actor is None:
            self._actor = self._new_actor()
        self._ray.get(self._actor.take.remote(references, symmetries))
        losses = Losses()
        while losses.steps < steps:
            watch(losses.steps / steps)
            chunk = min(CHUNK_STEPS, steps - losses.steps)
            losses = losses.joined(self._ray.get(self._actor.fit.remote(chunk, rate)))
        self._state = self._ray.get(self._actor.state.remote())
        return losses

    def _references(self, parts: Sequence[Examples]) -> list[Any]:
        """The references to examples, of which those that were not there before go to the cluster now."""
        self._stored = {id(part): self._stored.get(id(part)) or (part, self._ray.put(part)) for part in parts}
        return [reference for _, reference in self._stored.values()]

    def _new_actor(self) -> Any:  # noqa: ANN401 - as above
        where = placement(ClusterRole.LEARNER, resources_for(self._ray, ClusterRole.LEARNER))
        options = where.options()
        if not where.num_gpus and not where.resources:
            nodes = working_nodes(self._ray)
            largest = max(nodes, key=lambda node: node["Resources"].get("CPU", 0))
            strategies = import_module("ray.util.scheduling_strategies")
            options["scheduling_strategy"] = strategies.NodeAffinitySchedulingStrategy(
                largest["NodeID"], soft=True
            )
        actor = self._ray.remote(TrainerActor).options(**options)
        threads = os.environ.get("OMP_NUM_THREADS", "")
        return actor.remote(
            self._settings, self._seed, self._state, int(threads) if threads.isdecimal() else None
        )


def _on_cpu(state: Any) -> Any:  # noqa: ANN401 - nested dictionaries and lists of anything
    """A copy whose tensors are on the CPU."""
    if isinstance(state, torch.Tensor):
        return state.detach().cpu().clone()
    if isinstance(state, dict):
        return {name: _on_cpu(value) for name, value in state.items()}
    return [_on_cpu(value) for value in state] if isinstance(state, list) else state
