"""``plyhouse perft``: the positions it accepts."""

import json

import pytest
from typer.testing import CliRunner

from commands.cli import app
from tests.server.program import run_command

LINE = "Base;InProgress;White[2];wS1;bS1 -wS1"


def counted(*options: str) -> list[int]:
    done = CliRunner().invoke(app, ["perft", "--depth", "2", "--json", *options])
    assert done.exit_code == 0, done.output
    return list(json.loads(done.output)["counts"])


def test_a_position_is_json_or_a_record() -> None:
    by_moves = json.dumps({"config": {"variant": "Base"}, "moves": ["wS1", "bS1 -wS1"]})
    assert counted("--game", "hive", "--position", LINE) == [15, 225]
    assert counted("--game", "hive", "--position", by_moves) == [15, 225]
    assert counted("--game", "hive", "--variant", "Base") == [4, 96]


def test_the_first_game_of_the_catalogue_needs_no_name() -> None:
    done = run_command("perft", "--depth", "2", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["counts"] == counted("--game", "wallwars")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--game", "hive", "--variant", "Base+M", "--position", LINE], "this is a position of hive, Base"),
        (["--position", LINE], "this is a position of hive, Base"),
        (["--game", "hive", "--position", f"{LINE};wS1 bS1"], "move 3 (wS1 bS1)"),
        (["--game", "hive", "--position", "somewhere"], "does not look like any of the formats"),
        (["--game", "hive", "--position", "{"], "not JSON"),
    ],
)
def test_invalid_positions_are_refused(options: list[str], why: str) -> None:
    done = CliRunner().invoke(app, ["perft", "--depth", "1", *options])
    assert (done.exit_code, why in done.output) == (1, True), done.output
