"""``plyhouse tournament``: its rounds, tables and log, and what it does when bots or processes fail."""

import csv
import io
import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.server.program import ForkedCommand
from tests.server.run_here import run_here
from tests.server.seat_kinds import script

Json = dict[str, Any]

FIVE = ("--bots", "native,greedy,native:puct=3,random,random", "--samples", "5", "--seed", "1")


def tournament(*options: str) -> "subprocess.CompletedProcess[str]":
    return run_here("tournament", *options, environment={"COLUMNS": "200", "NO_COLOR": "1"})


def played(*options: str) -> Json:
    done = tournament(*options, "--format", "json")
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_a_round_robin_has_the_results_of_the_arena() -> None:
    found = played(*FIVE)
    assert (found["system"], found["gamesPerPair"], len(found["rounds"])) == ("round-robin", 2, 5)
    arena = json.loads(run_here("arena", *FIVE, "--games", "2", "--json").stdout)
    points = {bot["name"]: bot["wins"] + bot["draws"] / 2 for bot in arena["bots"]}
    assert {row["name"]: row["points"] for row in found["table"]} == points
    assert len({one["bye"] for one in found["rounds"]}) == 5, "each has one bye, which is worth nothing"
    assert [row["points"] for row in found["table"]] == sorted(points.values(), reverse=True)
    assert list(found["table"][0]["tieBreaks"]) == ["direct", "sonneborn-berger", "wins"]


def test_swiss_rounds() -> None:
    done = tournament(
        *FIVE, "--system", "swiss", "--rounds", "2", "--tie-breaks", "wins,buchholz", "--format", "json"
    )
    found = json.loads(done.stdout)
    said = [line.partition(":")[0] for line in done.stderr.splitlines()]
    assert said == ["round 1 of 2, in front", "round 2 of 2, in front"]
    pairs = [frozenset(pair["bots"]) for one in found["rounds"] for pair in one["pairs"]]
    assert len(pairs) == len(set(pairs)) == 4
    assert len({one["bye"] for one in found["rounds"]}) == 2
    assert sum(row["points"] for row in found["table"]) == 2 * 2 * 3, "a bye is worth two games"
    assert sorted(row["byes"] for row in found["table"]) == [0, 0, 0, 1, 1]
    assert list(found["table"][0]["tieBreaks"]) == ["wins", "buchholz"]


def test_a_gauntlet() -> None:
    found = played(*FIVE, "--system", "gauntlet", "--games", "1")
    pairs = [pair["bots"] for one in found["rounds"] for pair in one["pairs"]]
    assert pairs == [
        ["native", "greedy"],
        ["native:puct=3", "native"],
        ["native", "random_1"],
        ["random_2", "native"],
    ]


def test_the_cross_table() -> None:
    options = ("--bots", "native,random,random", "--samples", "20", "--system", "swiss")
    done = tournament(*options)
    assert done.returncode == 0, done.stderr
    rows = [
        [cell.strip() for cell in line.strip("│").split("│")]
        for line in done.stdout.splitlines()
        if "│" in line
    ]
    assert rows[0][:3] == ["1", "native", "4"]
    assert "byes" in done.stdout
    assert [row[0] for row in rows[3:]] == ["1", "2", "3"]
    head, first, *_ = csv.reader(io.StringIO(tournament(*options, "--format", "csv").stdout))
    assert head[:8] == ["place", "bot", "points", "byes", "buchholz", "sonneborn-berger", "direct", "native"]
    assert first[:3] == ["1", "native", "4"]
    assert first[7:] == ["", *rows[3][2:]]


def test_tables_of_three() -> None:
    bots = ("--bots", "random,random,random,random", "--game", "toy-draw", "--seats", "3", "--games", "3")
    found = played(*bots, "--rounds", "4")
    assert (found["seats"], len(found["rounds"])) == (3, 4)
    for one in found["rounds"]:
        [table] = one["tables"]
        assert len(set(table["bots"]) | set(one["byes"])) == 4
        assert sum(table["points"]) == pytest.approx(3 * 1.5)
    assert sum(row["points"] for row in found["table"]) == pytest.approx(4 * (3 * 1.5 + 1.5))
    assert {row["byes"] for row in found["table"]} == {1}
    assert list(found["table"][0]["tieBreaks"]) == ["direct", "sonneborn-berger"]
    lone = played("--bots", "random,random,random", *bots[2:6], "--games", "1", "--rounds", "3")
    tables = [frozenset(one["tables"][0]["bots"]) for one in lone["rounds"]]
    assert len(set(tables)) == 1
    firsts = {one["tables"][0]["bots"][0] for one in lone["rounds"]}
    assert len(firsts) == 3, "everybody has the first seat once"


@pytest.mark.parametrize("system", ["swiss", "round-robin", "tables"])
def test_a_killed_tournament_continues(tmp_path: Path, system: str) -> None:
    log = tmp_path / "tournament.log"
    bots = (
        "--bots",
        "montecarlo,random,random,random",
        "--game",
        "toy-draw",
        "--samples",
        "4000",
        "--games",
        "6",
    )
    tables = ("--seats", "3", "--rounds", "3")
    options = (*bots, *(tables if system == "tables" else ("--system", system)), "--jobs", "2")
    child = ForkedCommand(["tournament", *options, "--resume", str(log)], tmp_path / "said", {})
    while child.poll() is None and (not log.exists() or log.read_bytes().count(b"\n") < 4):
        time.sleep(0.01)
    child.stop(signal.SIGKILL)
    assert log.read_bytes().count(b"\n") >= 4
    assert played(*options, "--resume", str(log)) == played(*options)


def test_a_crash_loses_the_game(tmp_path: Path) -> None:
    record = tmp_path / "games.txt"
    bot = f"uhp:{script('dies')}"
    options = ("--game", "hive", "--variant", "Base", "--seconds", "60", "--opening-plies", "0")
    done = tournament("--bots", f"{bot},random", *options, "--record", str(record))
    assert done.returncode == 3
    assert "crashed" in done.stdout
    assert [line.split("\t")[3] for line in record.read_text().splitlines()] == ["crash", "crash"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--rounds", "4", "--system", "swiss"), "4 given, 5 bots can play 3"),
        (("--rounds", "4"), "a round-robin of 5 bots has 5 rounds"),
        (("--tie-breaks", "buchhloz"), "did you mean 'buchholz'"),
        (("--tie-breaks", "wins,wins"), "'wins' is given twice"),
        (("--game", "chess"), "unknown game 'chess'"),
        (("--seats", "3"), "3 given, wallwars has 2"),
        (("--seats", "3", "--game", "toy-draw", "--tie-breaks", "wins"), "'wins' is for games of 2 seats"),
        (("--seats", "3", "--game", "toy-draw", "--system", "gauntlet", "--rounds", "1"), "has 2 rounds"),
    ],
)
def test_bad_options_are_refused(options: tuple[str, ...], why: str) -> None:
    done = tournament(*FIVE, *options)
    assert done.returncode == 2
    assert why in " ".join(done.stderr.replace("│", "").split())
