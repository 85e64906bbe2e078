"""``plyhouse analyze``: the same numbers as the server, tables, and refusals in one line."""

import asyncio
import json
import subprocess
from pathlib import Path

import pytest

from tests.server.program import ROOT
from tests.server.run_here import run_here
from tests.server.services import opened, settings

GOLDEN = ROOT / "tests" / "golden" / "records"
RECORD = '[Board "3x3"]\n[Player1 "A[b]da\u202e"]\n[Result "*"]\n\n1. Ma2 Cb2\n2. ---\n*\n'


def analyze(
    folder: Path, *arguments: str, given: str = "", **environment: str
) -> "subprocess.CompletedProcess[str]":
    """Runs the command in an empty folder."""
    variables = {"NO_COLOR": "1", "COLUMNS": "120", "PLYHOUSE_MODELS": "none", **environment}
    return run_here("analyze", *arguments, given=given.encode(), folder=folder, environment=variables)


@pytest.mark.parametrize(
    "name", ["standard.txt", "everything.json", "puzzle.txt", "hive.txt", "replay.pyrat"]
)
async def test_it_prints_what_the_server_returns(tmp_path: Path, name: str) -> None:
    done = await asyncio.to_thread(analyze, tmp_path, str(GOLDEN / name), "--samples", "40", "--json")
    assert done.returncode == 0, done.stderr
    async with opened(settings(tmp_path)) as client:
        body = {"text": (GOLDEN / name).read_text(), "samples": 40}
        answer = await client.post("/api/analysis?wait=1", json=body)
        assert {"analysisId": answer.json()["analysisId"], **json.loads(done.stdout)} == answer.json()


def test_a_search_may_use_several_threads(tmp_path: Path) -> None:
    done = analyze(tmp_path, str(GOLDEN / "hive.txt"), "--samples", "3000", "--threads", "2", "--json")
    assert done.returncode == 0, done.stderr
    assert {one["source"] for one in json.loads(done.stdout)["positions"]} <= {"native", "rules"}


def test_it_leaves_no_files_behind(tmp_path: Path) -> None:
    assert analyze(tmp_path, "-", "--samples", "1", given=RECORD).returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_tables_for_people(tmp_path: Path) -> None:
    done = analyze(tmp_path, "-", "--samples", "300", given=RECORD)
    assert done.returncode == 0, done.stderr
    rows = [[cell.strip() for cell in row.strip("│┃").split("│")] for row in done.stdout.splitlines()]
    table = [row for row in rows if row[0].isdigit()]
    assert [(row[0], row[1], row[2]) for row in table] == [
        ("0", "", ""),
        ("1", "A[b]da", "Ma2"),
        ("2", "seat 1", "Cb2"),
        ("3", "A[b]da", "---"),
        ("4", "seat 1", ""),
    ]
    assert table[1][-1] in ("mistake", "blunder")
    assert table[3][-1], "the pass that loses is marked"
    assert table[4][4].startswith("Ca2")
    assert [row[0] for row in rows if len(row) == 6] == ["A[b]da", "seat 1"]


def test_the_table_of_a_simultaneous_game_has_a_row_for_each_seat(tmp_path: Path) -> None:
    done = analyze(tmp_path, str(GOLDEN / "maze.pyrat"), "--samples", "50")
    assert done.returncode == 0, done.stderr
    rows = [[cell.strip() for cell in row.strip("│┃").split("│")] for row in done.stdout.splitlines()]
    table = [row for row in rows if row[0].isdigit()]
    assert [row[2] for row in table[1:5]] == ["UP", "LEFT", "RIGHT", "DOWN"]
    assert all(row[4] in ("UP", "RIGHT", "DOWN", "LEFT", "STAY") for row in table[1:])
    assert len(table) == 11, "the game is over, and nobody has to move"


def test_notes_go_to_stderr(tmp_path: Path) -> None:
    done = analyze(tmp_path, str(GOLDEN / "puzzle.txt"), "--samples", "5", "--json")
    assert "Turn 3 has 2 alternatives: the first is taken." in done.stderr
    assert json.loads(done.stdout)["status"] == "done"


def test_a_format_can_be_forced(tmp_path: Path) -> None:
    done = analyze(tmp_path, "-", "--format", "json", given=RECORD)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("plyhouse analyze: not JSON")


@pytest.mark.parametrize(
    ("arguments", "given", "status", "text"),
    [
        (["nothere.txt"], "", 1, "nothere.txt: No such file or directory"),
        (["."], "", 1, ".: Is a directory"),
        (["-"], "", 1, "this does not look like any of the formats json, uhp, sgf, prf, puzzle, wallwars"),
        (["-"], RECORD.replace("Cb2", "Cb9"), 1, "line 5, move 2 (Cb9): Cb9 is off the 3x3 board"),
        (["-"], "x" * 524_289, 1, "a record has at most 524288 bytes"),
        (["-"], '{"game": "toy-goofspiel"}', 1, "no evaluator supports toy-goofspiel"),
        (["-", "--samples", "0"], "", 2, "samples"),
        (["-", "--threads", "0"], "", 2, "threads"),
        (["-", "--threads", "2"], RECORD, 1, "no evaluator supports wallwars on several threads"),
        (["-", "--format", "pgn"], "", 2, "pgn is not one of auto, json, uhp, sgf, prf, puzzle, wallwars"),
        ([], "", 2, "Missing argument"),
    ],
)
def test_refusals(tmp_path: Path, arguments: list[str], given: str, status: int, text: str) -> None:
    done = analyze(tmp_path, *arguments, given=given)
    assert (done.returncode, done.stdout) == (status, "")
    assert text in done.stderr
    assert "Traceback" not in done.stderr


def test_binary_input_is_refused(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_bytes(b'[Board "3x3"]\xff')
    done = analyze(tmp_path, "game.txt")
    assert (done.returncode, done.stderr) == (1, "plyhouse analyze: game.txt: not UTF-8 at byte 13\n")


def test_invalid_settings_are_refused(tmp_path: Path) -> None:
    done = analyze(tmp_path, "-", given=RECORD, PLYHOUSE_SAMPLES="many")
    assert done.returncode == 2
    assert done.stderr.startswith("plyhouse analyze: PLYHOUSE_SAMPLES: Input should be a valid integer")
    assert done.stderr.count("\n") == 1
