"""``plyhouse train`` without torch, which is not installed for tests; with it: ``tests/training``."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from commands.cli import app
from tests.server.program import run_command


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["chess"], "unknown game 'chess'"),
        (
            ["carcassonne", "--board", "8x8"],
            "no networks are trained for carcassonne: --board, --size and --int8 have no",
        ),
        (["carcassonne", "--evaluator", "v3"], "this game has no evaluator 'v3'"),
        (["carcassonne", "--evaluator", "score"], "the evaluator 'score' has no weights to fit"),
        (["hive"], 'training needs torch: install "torch>=2.9"'),
        (
            ["hive", "--board", "8x8"],
            "no networks are trained for hive: --board, --size and --int8 have no meaning",
        ),
        (
            ["hive", "--size", "large"],
            "no networks are trained for hive: --board, --size and --int8 have no meaning",
        ),
        (["wallwars", "--board", "8"], "the board '8' is not columns x rows, such as 8x8"),
        (["wallwars", "--board", "2x2"], "2"),
        (
            ["wallwars", "--variant", "classic", "--minutes", "1"],
            'training needs torch: install "torch>=2.9"',
        ),
    ],
)
def test_what_cannot_be_trained_is_refused_with_the_reason(arguments: list[str], reason: str) -> None:
    result = CliRunner().invoke(app, ["train", *arguments])
    assert result.exit_code == 1
    assert result.stderr.startswith("plyhouse train: ")
    assert reason in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_an_unknown_size_is_refused() -> None:
    result = run_command("train", "wallwars", "--size", "huge")
    assert result.returncode == 2
    assert "huge" in result.stderr


@pytest.mark.slow
def test_the_weights_of_an_evaluator_are_fitted(tmp_path: Path) -> None:
    command = ["train", "carcassonne", "--minutes", "0.1", "--out", str(tmp_path)]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    fitted = (tmp_path / "evaluator.txt").read_text().strip()
    assert fitted.startswith("native/score_base=")
    assert result.output.splitlines()[-1].endswith(fitted)
