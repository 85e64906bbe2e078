"""Networks that a few processes of a cluster compute for all games: on its GPUs, in batches across games.

A process with a GPU holds every network of the run. It takes all rows that wait for one network, up to its batch size,
and evaluates them at once. Games hold a ``RayModel``, which sends their rows there.
"""

import asyncio
import random
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.executors.placement import ClusterRole, inference_actors, placement
from engines.executors.ray_cluster import ClusterFailed, first_line, load_ray, resources_for
from engines.game_calibration import GameCalibration
from engines.inference import Array, BoardSignature, Model, ModelError, Signature
from engines.network_copies import NetworkCopies, NetworkFile
from engines.onnx_model import OnnxModel
from engines.onnx_runtime import Provider

MOST_ROWS = 512
"""Rows of one batch; the model may choose fewer."""

MOST_CALLS = 1000
"""Calls that wait in one process at the same time."""

MOST_RETRIES = 5
"""How often a call is made again whose process was lost."""

PLACING_SECONDS = 180
"""How long the cluster may take to start the processes and to load a network in each."""

CPU_THREADS = 1
"""Threads of a process that computes networks without a GPU."""


@dataclass(frozen=True)
class ModelFacts:
    """What games have to know of a network that is computed elsewhere."""

    name: str
    provider: str
    signature: Signature | BoardSignature
    calibrations: Mapping[str, GameCalibration]
    capacity: int


@dataclass
class _Request:
    planes: Array
    answer: "asyncio.Future[tuple[Array, Array]]"


class BatchingModel:
    """One network in the process that computes it: gathers what waits, and evaluates it at once."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._capacity = model.capacity(MOST_ROWS)
        self._waiting: dict[tuple[int, ...], deque[_Request]] = {}
        """Requests by the shape of their rows, those that have waited for longest first."""
        self._busy = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def evaluate(self, planes: Array) -> tuple[Array, Array]:
        """Evaluates rows, at most as many as the model's capacity, together with those of others. Raises ModelError."""
        if len(planes) > self._capacity:
            raise ModelError(f"model {self._model.name}: {len(planes)} rows in a batch of {self._capacity}")
        request = _Request(planes, asyncio.get_running_loop().create_future())
        self._waiting.setdefault(planes.shape[1:], deque()).append(request)
        if self._busy < self._model.workers:
            self._busy += 1
            task = asyncio.create_task(self._serve())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return await request.answer

    async def _serve(self) -> None:
        """Evaluates batches until nothing waits."""
        try:
            while requests := self._take():
                await self._answer(requests)
        finally:
            self._busy -= 1

    async def _answer(self, requests: Sequence[_Request]) -> None:
        """Evaluates a batch; whatever the network raises is the answer to all of it. Some may wait no more."""
        try:
            answers = await asyncio.to_thread(self._run, [each.planes for each in requests])
        except Exception as error:
            for each in requests:
                if not each.answer.done():
                    each.answer.set_exception(error)
            return
        for each, answer in zip(requests, answers, strict=True):
            if not each.answer.done():
                each.answer.set_result(answer)

    def _take(self) -> list[_Request]:
        """The requests of the next batch, all with rows of one shape; those of a shape whose turn it is."""
        for shape, waiting in list(self._waiting.items()):
            del self._waiting[shape]
            taken: list[_Request] = []
            rows = 0
            while waiting and rows + len(waiting[0].planes) <= self._capacity:
                rows += len(waiting[0].planes)
                taken.append(waiting.popleft())
            if waiting:
                self._waiting[shape] = waiting  # behind the other shapes
            return taken
        return []

    def _run(self, parts: Sequence[Array]) -> list[tuple[Array, Array]]:
        buffer = np.zeros((self._capacity, *parts[0].shape[1:]), np.float32)
        rows = 0
        for part in parts:
            buffer[rows : rows + len(part)] = part
            rows += len(part)
        priors, values = self._model.evaluate(buffer, rows)
        ends = np.cumsum([len(part) for part in parts])[:-1]
        return list(zip(np.split(priors, ends), np.split(values, ends), strict=True))


class InferenceActor:
    """A process of a cluster that computes networks: a Ray actor."""

    def __init__(self, provider: Provider) -> None:
        self._copies = NetworkCopies(provider, CPU_THREADS)
        self._batching: dict[str, tuple[OnnxModel, BatchingModel]] = {}

    async def describe(self, key: str, file: Sequence[Any]) -> ModelFacts:
        """Loads a network and tells what it is like. Raises ModelError."""
        model, _ = await self._get(key, file)
        return ModelFacts(
            model.name, model.provider, model.signature, model.calibrations, model.capacity(MOST_ROWS)
        )

    async def evaluate(self, key: str, file: Sequence[Any], planes: Array) -> tuple[Array, Array]:
        """Evaluates rows. ``file``: where the network's file is, should this process have begun anew."""
        _, batching = await self._get(key, file)
        return await batching.evaluate(planes)

    async def _get(self, key: str, file: Sequence[Any]) -> tuple[OnnxModel, BatchingModel]:
        model = self._copies.get(key)
        if model is None:
            content: NetworkFile = await file[0]
            model = self._copies.load(content)
        known = self._batching.get(key)
        if known is None or known[0] is not model:
            known = self._batching[key] = model, BatchingModel(model)
            self._batching = {each: pair for each, pair in self._batching.items() if each in self._copies}
        return known


class RayModel:
    """A network that other processes compute (implements ``Model``). Can be sent to any process of the cluster."""

    def __init__(self, actors: Sequence[Any], key: str, file: Sequence[Any], facts: ModelFacts) -> None:
        """``file`` has the reference to the network's file."""
        self._actors = actors
        self._key = key
        self._file = file
        self._facts = facts
        self.name = facts.name
        self.provider = facts.provider
        self.signature = facts.signature
        self.calibrations = facts.calibrations
        self.workers = len(actors)

    def capacity(self, wanted: int) -> int:
        """See ``Model``."""
        return min(wanted, self._facts.capacity)

    def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
        """See ``Model``. Each call goes to any of the processes, and is made again if that is lost."""
        ray = load_ray()
        actor = random.choice(self._actors)
        try:
            priors, values = ray.get(actor.evaluate.remote(self._key, self._file, planes[:rows]))
        except ray.exceptions.RayTaskError as error:
            raise ModelError(f"model {self.name}: {first_line(error.cause)}") from None
        except ray.exceptions.RayError as error:
            raise ModelError(f"model {self.name}: the Ray cluster lost it: {first_line(error)}") from None
        return priors, values


class RayNetworks:
    """The processes of a cluster that compute networks, one for each GPU; none where there is no place for them."""

    def __init__(self, ray: Any, provider: Provider) -> None:  # noqa: ANN401 - without types if not installed
        """Raises ClusterFailed if CUDA is asked for and the cluster has no GPU."""
        self._ray = ray
        resources = resources_for(ray, ClusterRole.INFERENCE)
        has_gpu = resources.get("GPU", 0) >= 1
        if provider == "cuda" and not has_gpu:
            raise ClusterFailed("CUDA was asked for, but no node of the Ray cluster has a GPU")
        usable = resources if provider != "cpu" else {**resources, "GPU": 0}
        where = placement(ClusterRole.INFERENCE, usable)
        actor = ray.remote(InferenceActor).options(
            max_restarts=-1, max_task_retries=MOST_RETRIES, max_concurrency=MOST_CALLS, **where.options()
        )
        self._actors = [
            actor.remote("cuda" if where.num_gpus else "cpu") for _ in range(inference_actors(usable))
        ]

    @property
    def is_available(self) -> bool:
        """Whether there is a place for them."""
        return bool(self._actors)

    def placed(self, models: Sequence[Model]) -> list[Model]:
        """The same networks as games are to use them: as they are, where each game computes its own."""
        return [self._placed(model) if isinstance(model, OnnxModel) else model for model in models]

    def _placed(self, model: OnnxModel) -> Model:
        if not self._actors:
            return model
        content = NetworkFile.of(model)
        file = [self._ray.put(content)]
        try:
            asked = [actor.describe.remote(content.key, file) for actor in self._actors]
            facts = self._ray.get(asked, timeout=PLACING_SECONDS)[0]
        except self._ray.exceptions.GetTimeoutError:
            places = f"{len(self._actors)} processes that compute networks"
            raise ClusterFailed(f"the Ray cluster had no place for {places} in {PLACING_SECONDS} s") from None
        except self._ray.exceptions.RayTaskError as error:
            raise ModelError(first_line(error.cause)) from None
        except self._ray.exceptions.RayError as error:
            raise ClusterFailed(f"the Ray cluster computes no networks: {first_line(error)}") from None
        return RayModel(self._actors, content.key, file, facts)
