"""Matches, books, openings and puzzles on a Ray cluster of two nodes: they give what threads give."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines import Position
from engines.arena import Contender, Match, Played, play_match
from engines.bots import Bot
from engines.executors import ray_cluster
from engines.executors.build import this_build
from engines.executors.executor import LocalExecutor, in_order
from engines.executors.ray_cluster import ClusterFailed
from engines.executors.ray_executor import RayExecutor
from engines.pool import Limits
from tests.server.program import PROGRAM
from tests.server.seat_kinds import script
from tests.training.ray_nodes import LocalCluster, local_cluster

pytestmark = [
    pytest.mark.timeout(300),
    # Ray leaves the closing of its own sockets and files to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:.*:FutureWarning:ray.*", "ignore:.*:DeprecationWarning:ray.*"),
]

NETWORK = Path("engines/models/wallwars-small.onnx")
BOTS: list[Contender] = [Bot.parse("native"), Bot.parse("puct")]


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with local_cluster() as started:
        yield started


def plyhouse(*arguments: str) -> "subprocess.CompletedProcess[str]":
    variables = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1"}
    return subprocess.run([*PROGRAM, *arguments], capture_output=True, text=True, env=variables, check=False)


def results(*arguments: str) -> dict[str, Any]:
    done = plyhouse("arena", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    found = dict(json.loads(done.stdout))
    del found["secondsPerGame"]
    return found


def facts(played: list[Played]) -> list[tuple[object, ...]]:
    return [(game.moves, game.values, game.takes, game.reason, game.position.key) for game in played]


@pytest.mark.parametrize(
    "options",
    [
        ("--bots", "native,puct,random", "--samples", "40", "--games", "4"),
        ("--game", "carcassonne", "--bots", "native,mcts", "--samples", "5", "--games", "2"),
        ("--bots", "native,random", "--samples", "5", "--sprt", "elo0=0,elo1=400"),
        ("--bots", "native,network", "--samples", "10", "--games", "2", "--model", str(NETWORK)),
    ],
    ids=["round robin", "hidden order", "sequential test", "network"],
)
def test_a_match_has_the_results_of_a_local_one(cluster: LocalCluster, options: tuple[str, ...]) -> None:
    assert results(*options, "--ray", cluster.address) == results(*options, "--jobs", "2")


def test_a_command_outside_of_the_cluster_plays_there(cluster: LocalCluster) -> None:
    options = ("--bots", "native,network", "--samples", "10", "--games", "2", "--model", str(NETWORK))
    assert results(*options, "--ray", cluster.client_address) == results(*options)


def test_nodes_for_networks_compute_those_of_all_games(cluster: LocalCluster) -> None:
    options = ("--bots", "native,network", "--samples", "10", "--games", "4", "--model", str(NETWORK))
    node = cluster.add(cpus=0, plyhouse_inference=1)
    try:
        remote = results(*options, "--ray", cluster.address)
    finally:
        cluster.remove(node)
    assert remote == results(*options, "--jobs", "2")


def test_a_killed_node_loses_no_finished_game(cluster: LocalCluster) -> None:
    match = Match("wallwars", BOTS, 12, Limits(300))
    finished: list[Played] = []
    node = cluster.add()

    def note(game: Played) -> None:
        finished.append(game)
        if len(finished) == 3:
            cluster.kill(node)

    with ray_cluster.cluster(cluster.address) as ray, RayExecutor(ray) as executor:
        assert executor.slots == 3
        remote = play_match(match, executor, note)
    cluster.remove(node)
    assert finished == remote
    assert facts(remote) == facts(play_match(match, 2))


def test_a_task_whose_process_is_killed_is_run_again(cluster: LocalCluster, tmp_path: Path) -> None:
    def dies_once(mark: str) -> str:
        if not os.path.exists(mark):
            open(mark, "x").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return mark

    def dies() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    marks = [str(tmp_path / name) for name in "abcd"]
    with ray_cluster.cluster(cluster.address) as ray, RayExecutor(ray) as executor:
        assert list(in_order(executor, dies_once, marks)) == marks
        with pytest.raises(ClusterFailed, match="the Ray cluster lost a task: "):
            executor.submit(dies).result()


def test_a_task_fails_as_it_does_locally(cluster: LocalCluster) -> None:
    bots = f'uhp:"{script("dies")}",random'
    options = (
        "arena",
        "--game",
        "hive",
        "--variant",
        "Base",
        "--bots",
        bots,
        "--time",
        "1000",
        "--games",
        "2",
    )
    local, remote = plyhouse(*options), plyhouse(*options, "--ray", cluster.address)
    assert (local.returncode, remote.returncode) == (1, 1)
    assert " has crashed: " in local.stderr
    assert remote.stderr.splitlines()[-1] == local.stderr.splitlines()[-1]


def test_an_interrupt_ends_everything(cluster: LocalCluster) -> None:
    options = ("arena", "--bots", "native,puct", "--samples", "100000000", "--ray", cluster.address)
    with subprocess.Popen([*PROGRAM, *options], stderr=subprocess.PIPE, text=True) as command:
        try:
            assert command.stderr is not None
            assert command.stderr.readline() == f"the Ray cluster at {cluster.address} has 2 nodes, 2 cores\n"
            time.sleep(1)
            command.send_signal(signal.SIGINT)
            assert command.wait(60) == 130
        finally:
            command.kill()
    # The cores are free again.
    done = results("--bots", "native,random", "--samples", "5", "--games", "2", "--ray", cluster.address)
    assert done["games"] == 2


@pytest.mark.parametrize(
    ("ours", "says"),
    [
        ({"version": "9.9.9"}, f"has Plyhouse {this_build().version}, and this is 9.9.9"),
        ({"sources": "0" * 64}, f"has another build of Plyhouse {this_build().version} ("),
        ({"core": "0" * 64}, f"has another build of Plyhouse {this_build().version}: its core is "),
    ],
)
def test_another_version_is_refused(
    cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch, ours: dict[str, str], says: str
) -> None:
    monkeypatch.setattr(ray_cluster, "this_build", lambda: replace(this_build(), **ours))
    with pytest.raises(ClusterFailed) as refused, ray_cluster.cluster(cluster.address):
        pass
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


WRITERS = {
    "book": ("wallwars", "--board", "5x5", "--positions", "12", "--samples", "100", "--games", "4"),
    "openings": ("wallwars", "--board", "5x5", "--count", "3", "--samples", "100"),
    "explorer play": ("wallwars", "--board", "5x5", "--games", "8"),
    "puzzles": ("wallwars", "--board", "5x5", "--count", "4", "--gap", "1", "--effort", "1", "--games", "12"),
}


@pytest.mark.parametrize("command", WRITERS)
def test_files_are_those_of_a_local_run(cluster: LocalCluster, tmp_path: Path, command: str) -> None:
    files = tmp_path / "local", tmp_path / "remote"
    for file, more in zip(files, ((), ("--ray", cluster.address)), strict=True):
        done = plyhouse(*command.split(), *WRITERS[command], "--out", str(file), *more)
        assert done.returncode == 0, done.stderr
    assert files[1].read_bytes() == files[0].read_bytes()
    assert len(files[0].read_text().splitlines()) > 3


def test_a_calibration_plays_on_nodes_without_its_code(cluster: LocalCluster, tmp_path: Path) -> None:
    files = tmp_path / "local", tmp_path / "remote"
    for file, more in zip(files, ((), ("--ray", cluster.address)), strict=True):
        command = [sys.executable, "-m", "benchmarks.calibration", "play", str(file)]
        options = ("--only", "wallwars/standard", "--games", "2")
        subprocess.run([*command, *options, *more], check=True)
    assert files[1].read_text() == files[0].read_text()


def test_tasks_of_one_executor_share_their_function(cluster: LocalCluster) -> None:
    position = Position("hive")
    with ray_cluster.cluster(cluster.address) as ray, RayExecutor(ray) as executor, LocalExecutor(2) as local:
        for one in (executor, local):
            perfts = [one.submit(Position.perft, position, depth).result() for depth in (1, 2)]
            assert perfts == [position.perft(1), position.perft(2)]
        with pytest.raises(ValueError, match="unknown game 'chess'"):
            executor.submit(Position, "chess").result()
