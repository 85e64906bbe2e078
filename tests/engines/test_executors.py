"""What runs tasks at the same time, without a cluster; ``tests/training`` has the tests with one."""

import asyncio
import itertools
import json
import pickle
import random
import re
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from commands.ray_option import executor_or_exit
from engines import Position, games, known_members
from engines.bots import random_move
from engines.executors.build import this_build
from engines.executors.executor import LocalExecutor, Unwanted, check_wanted, in_order
from engines.executors.placement import ClusterRole, Resources, inference_actors, placement
from engines.executors.ray_cluster import ClusterFailed, cluster
from engines.executors.ray_executor import RayExecutor
from engines.executors.ray_model import BatchingModel
from engines.inference import Array, ModelError, Signature
from engines.network_copies import NetworkCopies, NetworkFile
from engines.networks import SHIPPED, load
from tests.engines.uniform_model import UniformModel

ROOT = Path(__file__).parents[2]
DOCKERFILE = ROOT / "examples" / "ray" / "Dockerfile"


def test_what_still_runs_at_the_end_is_unwanted() -> None:
    check_wanted()  # Not a task.
    begun = threading.Event()

    def task() -> None:
        begun.set()
        while True:
            check_wanted()

    with LocalExecutor(1) as executor:
        running, waiting = executor.submit(task), executor.submit(task)
        begun.wait()
    with pytest.raises(Unwanted):
        running.result()
    assert waiting.cancelled()


@given(st.lists(st.integers(0, 3), max_size=12), st.integers(1, 4), st.none() | st.integers(1, 5))
def test_results_come_in_order(waits: list[int], slots: int, ahead: int | None) -> None:
    def task(number: int) -> int:
        threading.Event().wait(waits[number] / 2000)
        return number

    with LocalExecutor(slots) as executor:
        most = None if ahead is None else partial(int, ahead)
        assert list(in_order(executor, task, range(len(waits)), most)) == list(range(len(waits)))


def test_arguments_are_read_when_they_are_needed() -> None:
    """As many as there are slots for, also if these become more or fewer."""
    read: list[int] = []
    slots = 3

    def arguments() -> Iterator[int]:
        for number in itertools.count():
            read.append(number)
            yield number

    with LocalExecutor(2) as executor:
        results = in_order(executor, lambda number: number, arguments(), lambda: slots)
        assert [next(results) for _ in range(4)] == [0, 1, 2, 3]
        assert read == list(range(6))
        slots = 5
        assert next(results) == 4
        assert read == list(range(9))
        slots = 2
        assert [next(results) for _ in range(3)] == [5, 6, 7]
        assert read == list(range(9))
        assert next(results) == 8
        assert read == list(range(10))
        results.close()


def test_closing_cancels_what_has_not_begun() -> None:
    begun: list[int] = []
    goes_on = threading.Event()

    def task(number: int) -> None:
        begun.append(number)
        assert number == 0 or goes_on.wait(60)

    with LocalExecutor(1) as executor:
        results = in_order(executor, task, range(100))
        next(results)
        results.close()
        goes_on.set()
    assert len(begun) <= 2


def test_the_error_of_a_task_comes_in_its_turn() -> None:
    with LocalExecutor(2) as executor:
        results = in_order(executor, partial(divmod, 6), [1, 2, 0, 3])
        assert [next(results), next(results)] == [(6, 0), (3, 0)]
        with pytest.raises(ZeroDivisionError):
            next(results)


@pytest.mark.parametrize("name", [game.name for game in games()])
def test_positions_travel_with_what_is_hidden(name: str) -> None:
    rng = random.Random(name)
    position = Position(name, None, known_members(name, {"seed": 5}))
    for _ in range(12):
        if position.to_act:
            position.play("/".join(random_move(position, seat, rng) for seat in position.to_act))
    copy = pickle.loads(pickle.dumps(position))  # noqa: S301 - our own
    for one in (position, copy):
        assert one.key == position.key
        assert (one.history, one.secret, one.variant) == (position.history, position.secret, position.variant)
    if position.to_act:
        move = "/".join(random_move(position, seat, rng) for seat in position.to_act)
        assert copy.play(move) == position.play(move)


# ---- where a cluster does what ------------------------------------------------------------------

CPUS: Resources = {"CPU": 32, "memory": 1e11}
GPUS: Resources = {**CPUS, "GPU": 2}


@pytest.mark.parametrize(
    ("cluster_of", "processes"),
    [(CPUS, 0), (GPUS, 2), ({**CPUS, "plyhouse_inference": 1}, 1), ({**GPUS, "plyhouse_inference": 4}, 2)],
)
def test_networks_have_a_process_for_each_gpu(cluster_of: Resources, processes: int) -> None:
    assert inference_actors(cluster_of) == processes


def test_games_take_a_core_and_networks_and_learners_share_gpus() -> None:
    assert placement(ClusterRole.PLAY, GPUS).options() == {"num_cpus": 1, "num_gpus": 0, "resources": {}}
    inference, learner = (placement(role, GPUS) for role in (ClusterRole.INFERENCE, ClusterRole.LEARNER))
    assert inference.num_gpus + learner.num_gpus == 1
    assert inference.num_cpus == learner.num_cpus == 0, "they leave the cores to games"
    assert placement(ClusterRole.LEARNER, CPUS).num_gpus == 0


@pytest.mark.parametrize("role", ClusterRole)
def test_nodes_can_be_reserved_for_a_role(role: ClusterRole) -> None:
    marked = {**GPUS, role.value: 3.0}
    for other in ClusterRole:
        assert list(placement(other, marked).resources) == ([role.value] if other is role else [])


def test_builds_differ_by_version_sources_and_core() -> None:
    ours = this_build()
    assert ours.difference(this_build()) is None
    assert ours.difference(replace(ours, machine="elsewhere", core="other")) is None, (
        "compiled for another machine"
    )
    for member in ("version", "sources", "core"):
        assert ours.difference(replace(ours, **{member: "0.0.0"})) is not None


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("somewhere", "a Ray cluster is auto, HOST:PORT or ray://HOST:PORT, not 'somewhere'"),
        ("ray://somewhere:x", "a Ray cluster is auto, HOST:PORT or ray://HOST:PORT, not 'ray://somewhere:x'"),
        ("127.0.0.1:1", "there is no Ray cluster at 127.0.0.1:1: "),
        ("ray://127.0.0.1:99999", "there is no Ray cluster at ray://127.0.0.1:99999: "),
    ],
)
def test_addresses_without_a_cluster(monkeypatch: pytest.MonkeyPatch, address: str, why: str) -> None:
    monkeypatch.setattr("engines.executors.ray_cluster.load_ray", object)
    with pytest.raises(ClusterFailed) as refused, cluster(address):
        pass
    assert str(refused.value).startswith(why)


def test_without_ray_the_command_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(Exception) as left, executor_or_exit("arena", "auto", None):  # noqa: PT011 - typer.Exit
        pass
    assert getattr(left.value, "exit_code", None) == 1
    said = capsys.readouterr().err
    assert said.startswith('plyhouse arena: Ray is not installed: install "plyhouse[ray]" (')
    assert said.count("\n") == 1


# ---- networks -----------------------------------------------------------------------------------


def test_a_network_travels_as_its_file() -> None:
    (model,) = load(sorted(SHIPPED.glob("*.onnx")), "cpu", 1)
    copy = pickle.loads(pickle.dumps(model))  # noqa: S301 - our own
    assert (copy.name, copy.signature, copy.calibrations) == (model.name, model.signature, model.calibrations)
    assert pickle.loads(pickle.dumps(model)) is copy, "a process loads it once"  # noqa: S301 - as above
    assert NetworkFile.of(copy) == NetworkFile.of(model), "and can send it on"
    shape = model.signatures[0]
    planes = np.random.default_rng(1).random((3, shape.planes, shape.dim2, shape.dim3), np.float32)
    for one, other in zip(model.evaluate(planes, 3), copy.evaluate(planes, 3), strict=True):
        assert (one == other).all()


def test_a_process_keeps_the_networks_that_were_used_last() -> None:
    (model,) = load(sorted(SHIPPED.glob("*.onnx")), "cpu", 1)
    files = [replace(NetworkFile.of(model), file_name=f"{number}.onnx") for number in range(10)]
    copies = NetworkCopies("cpu", 1)
    for file in files:
        copies.load(file)
        assert copies.get(files[0].key) is not None, "used again and again"
    assert [number for number, file in enumerate(files) if copies.get(file.key)] == [0, *range(3, 10)]


SHAPE = Signature(2, 3, 3, 4)


class SummingModel(UniformModel):
    """Its value is the sum of the planes; a row that begins with a negative number fails."""

    def __init__(self, workers: int) -> None:
        super().__init__(SHAPE)
        self.workers = workers
        self.batches: list[int] = []
        self.goes_on = threading.Event()

    def capacity(self, wanted: int) -> int:
        """A small batch."""
        return min(wanted, 8)

    def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
        """See the class."""
        self.goes_on.wait(60)
        self.batches.append(rows)
        if (planes[:rows, 0, 0, 0] < 0).any():
            raise ModelError("model uniform: broken")
        priors, _ = super().evaluate(planes, rows)
        return priors, planes[:rows].sum((1, 2, 3))[:, None]


async def test_rows_of_several_games_are_evaluated_together() -> None:
    model = SummingModel(workers=1)
    batching = BatchingModel(model)
    parts = [
        np.full((rows, 2, side, 3), number, np.float32)
        for number, (rows, side) in enumerate([(1, 3), (2, 3), (3, 3), (3, 3), (1, 4), (8, 3), (2, 4)])
    ]
    asked = [asyncio.create_task(batching.evaluate(part)) for part in parts]
    await asyncio.sleep(0)
    model.goes_on.set()
    for part, answer in zip(parts, await asyncio.gather(*asked), strict=True):
        assert answer[0].shape == (len(part), 4)
        assert (answer[1][:, 0] == part.sum((1, 2, 3))).all()
    assert sum(model.batches) == sum(map(len, parts))
    assert len(model.batches) < len(parts), "some rows waited and went together"
    assert max(model.batches) <= 8


async def test_a_batch_that_fails_fails_for_all_in_it_and_no_others() -> None:
    model = SummingModel(workers=2)
    model.goes_on.set()
    batching = BatchingModel(model)
    with pytest.raises(ModelError, match="broken"):
        await batching.evaluate(np.full((1, 2, 3, 3), -1, np.float32))
    with pytest.raises(ModelError, match="9 rows in a batch of 8"):
        await batching.evaluate(np.ones((9, 2, 3, 3), np.float32))
    _, values = await batching.evaluate(np.ones((1, 2, 3, 3), np.float32))
    assert values.tolist() == [[18.0]]


class OverflowingModel(SummingModel):
    """Raises what no network should."""

    def evaluate(self, planes: Array, rows: int) -> tuple[Array, Array]:
        """See the class."""
        super().evaluate(planes, rows)
        if (planes[:rows, 0, 0, 0] == 7).any():
            raise OverflowError("seven")
        return super().evaluate(planes, rows)


async def test_neither_a_fault_nor_a_game_that_gives_up_stops_a_network() -> None:
    model = OverflowingModel(workers=1)
    batching = BatchingModel(model)
    given_up = asyncio.create_task(batching.evaluate(np.ones((1, 2, 3, 3), np.float32)))
    await asyncio.sleep(0)
    given_up.cancel()
    model.goes_on.set()
    for _ in range(2):
        with pytest.raises(OverflowError, match="seven"):
            await batching.evaluate(np.full((1, 2, 3, 3), 7, np.float32))
        _, values = await batching.evaluate(np.ones((1, 2, 3, 3), np.float32))
        assert values.tolist() == [[18.0]]


class FakeRay:
    """As much of Ray as an executor needs to begin a task, which fails for one argument."""

    exceptions = SimpleNamespace(RayTaskError=RuntimeError, RayError=RuntimeError)

    def cluster_resources(self) -> Resources:
        """One core."""
        return {"CPU": 1}

    def nodes(self) -> list[dict[str, Any]]:
        """One node."""
        return [{"NodeID": "one", "Alive": True, "Resources": {"CPU": 1}}]

    def put(self, value: object) -> object:
        """A value is its own reference."""
        return value

    def remote(self, function: object) -> SimpleNamespace:
        """A function whose calls are their arguments."""

        def call(_: object, argument: object) -> object:
            if argument == "bad":
                raise TypeError("it cannot travel")
            return argument

        return SimpleNamespace(options=lambda **_: SimpleNamespace(remote=call))

    def wait(
        self, running: list[object], num_returns: int, timeout: float
    ) -> tuple[list[object], list[object]]:
        """Everything has ended."""
        return running[:num_returns], running[num_returns:]

    def get(self, reference: object) -> object:
        """See ``put``."""
        return reference


def test_an_argument_that_cannot_travel_fails_its_task_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.executors.ray_executor.packed", lambda task: b"")
    executor = RayExecutor(FakeRay())
    tasks = [executor.submit(str, argument) for argument in ("a", "bad", "c")]
    assert (tasks[0].result(30), tasks[2].result(30)) == ("a", "c")
    with pytest.raises(TypeError, match="it cannot travel"):
        tasks[1].result(30)
    executor.shutdown()
    with pytest.raises(ValueError, match="0 tasks at the same time are none"):
        RayExecutor(FakeRay(), 0)


# ---- the manifest for Kubernetes ----------------------------------------------------------------


def test_the_manifest_for_kubernetes_describes_a_cluster() -> None:
    (manifest,) = yaml.safe_load_all((ROOT / "examples" / "ray" / "raycluster.yaml").read_text())
    assert (manifest["apiVersion"], manifest["kind"]) == ("ray.io/v1", "RayCluster")
    spec = manifest["spec"]
    image_of_ray = re.search(r"^FROM rayproject/ray:(\S+)-py311$", DOCKERFILE.read_text(), re.MULTILINE)
    assert image_of_ray is not None
    assert spec["rayVersion"] == image_of_ray[1]
    assert spec["headGroupSpec"]["rayStartParams"]["num-cpus"] == "0", "the head plays no games"
    games_group, networks_group = spec["workerGroupSpecs"]
    limits: list[dict[str, str]] = []
    for group in (spec["headGroupSpec"], games_group, networks_group):
        assert all(isinstance(value, str) for value in group["rayStartParams"].values()), (
            "KubeRay takes texts only"
        )
        (container,) = group["template"]["spec"]["containers"]
        assert container["name"]
        assert container["image"] in {"plyhouse-ray:cpu", "plyhouse-ray:gpu"}
        assert {"cpu", "memory"} <= container["resources"]["requests"].keys()
        limits.append(container["resources"]["limits"])
    for group in (games_group, networks_group):
        assert 0 <= group["minReplicas"] <= group["replicas"] <= group["maxReplicas"]
    assert ["nvidia.com/gpu" in each for each in limits] == [False, False, True]
    # Kubernetes hands the text to a shell, which removes the outer quotes.
    roles = [
        json.loads(json.loads(group["rayStartParams"]["resources"]))
        for group in (games_group, networks_group)
    ]
    assert {name for each in roles for name in each} == set(ClusterRole)
    assert list(roles[0]) == [ClusterRole.PLAY]
