"""``examples/evaluators``, run as their readers run them. That in torch is tested in ``tests/training``."""

import subprocess
import sys

import pytest

from tests.server.program import ROOT


@pytest.mark.parametrize("game", ["wallwars", "carcassonne", "pyrat"])
@pytest.mark.slow
def test_the_evaluator_in_numpy_searches_every_game(game: str) -> None:
    program = "examples/evaluators/search.py"
    environment = {"PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, program, game], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    *moves, counters = run.stdout.splitlines()
    assert 2 <= len(moves) <= 5
    assert "evaluations=" in counters
