"""Training on a Ray cluster of two nodes: the same examples and weights as here, and what happens if nodes are lost."""

import dataclasses
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from engines.executors.ray_cluster import cluster as connected
from engines.executors.ray_executor import RayExecutor
from engines.training.backend import LocalBackend, RayBackend
from engines.training.boards import boards_of
from engines.training.examples import Examples
from engines.training.features import FeatureGames, play_games
from engines.training.fit import Trainer
from engines.training.network import Heads, Network, Size
from engines.training.producer import Producer
from engines.training.ray_self_play import RayProducer
from engines.training.ray_trainer import RayTrainer
from engines.training.run import Run
from engines.training.self_play import SelfPlayOptions
from engines.training.self_play_engines import TeacherEngines
from engines.training.settings import Fit, RunSettings
from tests.training.ray_nodes import LocalCluster, local_cluster

pytestmark = [
    pytest.mark.timeout(600),
    # Ray leaves the closing of its own sockets and files to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:.*:FutureWarning:ray.*", "ignore:.*:DeprecationWarning:ray.*"),
]

BOARDS = boards_of("wallwars", "standard", [(5, 5)])
TINY = Size(blocks=2, channels=8, hidden=16)
SHORT = SelfPlayOptions(visits=30, brief_visits=8, full_share=0.5)
TEACHER = TeacherEngines("native")
LONG = 600.0
"""Seconds in which any number of games ends."""


@pytest.fixture(scope="module")
def nodes() -> Iterator[LocalCluster]:
    with local_cluster() as started:
        yield started


@pytest.fixture
def executor(nodes: LocalCluster) -> Iterator[RayExecutor]:
    with connected(nodes.address) as ray, RayExecutor(ray) as started:
        yield started


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Sums have the same order everywhere."""
    threads = torch.get_num_threads()
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def equal(one: Sequence[Examples], other: Sequence[Examples]) -> bool:
    names = [each.name for each in dataclasses.fields(Examples)]
    return len(one) == len(other) and all(
        np.array_equal(getattr(mine, name), getattr(theirs, name))
        for mine, theirs in zip(one, other, strict=True)
        for name in names
    )


def test_self_play_gives_the_examples_of_a_local_run(executor: RayExecutor) -> None:
    """Two processes play what two threads play, in the first generation and in the next one."""
    local = Producer(BOARDS, SHORT, 3, threads=2, together=2)
    remote = RayProducer(executor.ray, BOARDS, SHORT, 3, together=2)
    for _ in range(2):
        games, parts = local.produce(TEACHER, LONG, games=4)
        same, same_parts = remote.produce(TEACHER, LONG, games=4)
        assert same == games >= 8
        assert equal(same_parts, parts)
        assert sum(map(len, parts)) > 0


def test_self_play_goes_on_when_a_node_is_killed(nodes: LocalCluster, executor: RayExecutor) -> None:
    node = nodes.add()
    producer = RayProducer(executor.ray, BOARDS, SHORT, 3, together=2)
    delivered: list[float] = []

    def watch(done: float) -> None:
        delivered.append(done)
        if len(delivered) == 8:
            nodes.kill(node)

    games, parts = producer.produce(TEACHER, LONG, watch, games=6)
    assert games >= 18, "that of the lost process has played on elsewhere"
    nodes.remove(node)
    again, more = producer.produce(TEACHER, LONG, games=2)
    assert again >= 4
    rows = np.concatenate([part.planes.reshape(len(part), -1) for part in (*parts, *more)])
    assert len(np.unique(rows, axis=0)) > len(rows) / 2, "and other games"


def trained(kind: str, executor: RayExecutor, examples: list[Examples], *, kill: bool = False) -> Any:
    torch.manual_seed(3)
    network, settings = Network(Heads.of(BOARDS[0].layout), TINY), Fit(batch=16)
    symmetries = BOARDS[0].layout.symmetries
    trainer = (
        Trainer(network, settings, 1) if kind == "local" else RayTrainer(executor.ray, network, settings, 1)
    )

    killed: list[float] = []

    def watch(done: float) -> None:
        if kill and done > 0.6 and isinstance(trainer, RayTrainer) and not killed:
            executor.ray.kill(trainer._actor)
            killed.append(done)

    losses = [trainer.fit(examples, lambda each: symmetries, steps, 1.0, watch) for steps in (50, 250)]
    assert [each.steps for each in losses] == [50, 250]
    assert bool(killed) == kill
    return trainer.averaged.state_dict(), [round(each.policy, 6) for each in losses]


def test_fitting_has_the_weights_of_a_local_run(executor: RayExecutor) -> None:
    _, examples = Producer(BOARDS, SHORT, 3, threads=2, together=2).produce(TEACHER, LONG, games=4)
    weights, losses = trained("local", executor, examples)
    for kill in (False, True):
        remote, remote_losses = trained("remote", executor, examples, kill=kill)
        assert all(torch.equal(weights[name], remote[name]) for name in weights)
        assert remote_losses == losses


BRIEF = RunSettings(
    tuple(BOARDS),
    minutes=0.02,
    generation_seconds=4,
    player_games=3,
    teacher_share=0.5,
    teacher_play=SHORT,
    network_play=SHORT,
    plays_in_integers=True,
    fit=Fit(batch=32),
    match_games=2,
    match_samples=10,
    final_games=2,
    final_samples=10,
)


def log_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


@contextmanager
def backend(nodes: LocalCluster) -> Iterator[RayBackend]:
    with connected(nodes.address) as ray, RayExecutor(ray) as started:
        yield RayBackend(started)


def test_a_run_goes_on_in_another_cluster(tmp_path: Path, nodes: LocalCluster) -> None:
    """Its first generation is that of a local run; the next one is played by a network, in another cluster."""
    Run(tmp_path / "local", BRIEF, lambda line: None, backend=LocalBackend(2)).train()
    with backend(nodes) as first:
        Run(tmp_path / "remote", BRIEF, lambda line: None, backend=first).train()
    local, remote = log_of(tmp_path / "local"), log_of(tmp_path / "remote")
    same = ("number", "played_by", "games", "examples", "steps", "policy_loss", "value_loss", "results")
    assert [remote[0][name] for name in same] == [local[0][name] for name in same]
    assert remote[0]["played_by"] == "native"
    longer = dataclasses.replace(
        BRIEF, minutes=3 * sum(sum(each["seconds"].values()) for each in remote) / 60
    )
    with local_cluster() as others, backend(others) as second:
        Run(tmp_path / "remote", longer, lambda line: None, backend=second).train()
    again = log_of(tmp_path / "remote")
    assert again[: len(remote)] == remote
    assert len(again) > len(remote)
    assert again[-1]["played_by"] == f"{len(again) - 1:04}"
    assert (tmp_path / "remote" / "networks" / f"{len(again) - 1:04}-int8.onnx").exists()


def test_a_game_without_planes_plays_on_a_cluster(executor: RayExecutor) -> None:
    settings = FeatureGames("hive", {"Base": 1.0}, samples=10, most_plies=12)
    local = [next(play_games(settings, 1, LONG)) for _ in range(1)]
    games = play_games(settings, 1, LONG, executor)
    remote = next(games)
    games.close()  # type: ignore[attr-defined] # it is a generator
    assert np.array_equal(remote.features, local[0].features)
    assert np.array_equal(remote.values, local[0].values)
