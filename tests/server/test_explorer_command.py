"""``plyhouse explorer``: files of self-play, and counting again."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from commands.cli import app
from engines.explorer.opening_tree import read_tree
from server.domain.explored import PEOPLE
from server.ports.store import Heartbeat
from server.store.sql_store import SqlStore
from tests.server.databases import sqlite_database
from tests.server.program import run_command
from tests.server.test_explorer_store import assert_counts, count_all, finished

PLAY = [
    "explorer",
    "play",
    "wallwars",
    "--board",
    "3x3",
    "--level",
    "beginner",
    "--games",
    "5",
    "--least",
    "1",
]


def test_a_file_of_openings_is_written_once(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    arguments = [*PLAY, "--depth", "3", "--out", str(file)]
    done = run_command(*arguments)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{file}: the openings of 5 games\n"
    assert read_tree(file).made["games"] == 5
    head, *lines = file.read_text().splitlines()
    assert json.loads(head)["config"] == {"boardWidth": 3, "boardHeight": 3}
    assert {int(line.split()[0]) for line in lines} == {0, 1, 2}
    again = CliRunner().invoke(app, arguments)
    assert (again.exit_code, again.stderr) == (1, f"plyhouse explorer play: {file} exists already\n")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["play", "chess"], "unknown game 'chess'"),
        (["play", "hive", "--variant", "Base+X"], "variant"),
        (["play", "hive", "--level", "best"], "there is no level best, only beginner, novice"),
        (["rebuild", "--database", "sqlite:////no/such.db"], "there is no database /no/such.db"),
    ],
)
def test_what_cannot_be_done_is_said(
    arguments: list[str], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["explorer", *arguments])
    assert done.exit_code == 1
    assert done.stderr.startswith(f"plyhouse explorer {arguments[0]}: ")
    assert reason in done.stderr
    assert list(tmp_path.iterdir()) == []


async def test_openings_are_counted_again_once_no_server_runs(tmp_path: Path) -> None:
    url = sqlite_database(tmp_path)
    rebuild = ["explorer", "rebuild", "--database", url]
    games = [
        (number, (number, 0, PEOPLE, visibility))
        for number, visibility in enumerate(["public"] * 2 + ["unlisted"])
    ]
    store = SqlStore(url)
    for number, plan in games:
        await store.append(finished(number, plan))
    await count_all(store)
    await store.beat(Heartbeat("one", 1, "none"))
    refused = CliRunner().invoke(app, rebuild)
    assert refused.exit_code == 1
    assert "stop the servers first" in refused.stderr
    await store.retire("one")
    done = CliRunner().invoke(app, rebuild)
    assert (done.exit_code, done.stdout) == (0, "2 games are counted again when a server starts\n")
    assert len(await store.uncounted(9)) == 2
    await count_all(store)
    await assert_counts(store, games)
    await store.close()
