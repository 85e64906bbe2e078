"""The example of reinforcement learning: it runs in every game, and learns."""

import re
import subprocess
import sys

import pytest

from tests.server.program import ROOT

pytestmark = pytest.mark.timeout(900)

PROGRAM = ROOT / "examples" / "environments" / "learn.py"


def scores(*arguments: str) -> list[float]:
    """The mean result before and after."""
    command = [sys.executable, "-W", "ignore", str(PROGRAM), *arguments]
    shown = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    return [float(score) for score in re.findall(r"[+-]\d\.\d\d", shown)]


@pytest.mark.parametrize("game", ["wallwars", "hive", "carcassonne"])
def test_the_example_runs(game: str) -> None:
    assert len(scores(game, "--steps", "2048", "--games", "4")) == 2


@pytest.mark.parametrize("game", ["pyrat", "wallwars"])
def test_the_example_learns(game: str) -> None:
    before, after = scores(game)
    assert after > max(0.7, before + 0.2)
