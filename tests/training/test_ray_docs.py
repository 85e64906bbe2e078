"""The commands of docs/scale.md run, on a cluster of two nodes; those for Ray, Docker and Kubernetes are checked."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from ray.scripts.scripts import cli

from tests.server.program import PROGRAM, ROOT
from tests.training.ray_nodes import LocalCluster, local_cluster

pytestmark = [
    pytest.mark.timeout(600),
    # Ray leaves the closing of its own sockets and files to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]

COMMANDS = re.findall(r"^\$ (.+)$", (ROOT / "docs" / "scale.md").read_text(), re.MULTILINE)
OURS = [command for command in COMMANDS if command.endswith("--ray auto")]
OF_RAY = [command for command in COMMANDS if command.startswith("ray ")]
OTHERS = [command for command in COMMANDS if command not in (*OURS, *OF_RAY)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with local_cluster() as started:
        yield started


def test_all_commands_are_known() -> None:
    assert len(OURS) == 9
    programs = {"pip", "make", "docker", "kubectl", "plyhouse"}
    assert {command.split()[0] for command in OTHERS} == programs
    files = [word for command in OTHERS for word in command.split() if word.startswith("examples/")]
    assert len(files) == 3
    assert all((ROOT / file).is_file() for file in files)


@pytest.mark.parametrize("command", OURS)
def test_our_commands_run(cluster: LocalCluster, tmp_path: Path, command: str) -> None:
    words = shlex.split(command.replace("--ray auto", f"--ray {cluster.address}"))
    if words[0] == "plyhouse":
        done = subprocess.run(
            [*PROGRAM, *words[1:]], cwd=tmp_path, capture_output=True, text=True, check=False
        )
    else:
        assert words[:2] == ["python", "-m"]
        words = [str(tmp_path / word) if word.endswith(".jsonl") else word for word in words]
        done = subprocess.run(
            [sys.executable, *words[1:]], cwd=ROOT, capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", OF_RAY)
def test_commands_of_ray_have_these_options(command: str) -> None:
    _, name, *options = shlex.split(command)
    assert cli.commands[name].make_context(name, options).command is cli.commands[name]
