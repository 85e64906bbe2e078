"""``plyhouse arena``: its statistics, its files, and programs as players."""

import json
import shlex
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from engines import Position
from protocols.uhp.game_string import parse, replay, state_of
from tests.server.program import PLYHOUSE, ROOT, run_command
from tests.server.seat_kinds import OURS, script, write_bot

Json = dict[str, Any]


def arena(*options: str, columns: int = 200) -> "subprocess.CompletedProcess[str]":
    variables = {"COLUMNS": str(columns), "NO_COLOR": "1"}
    return run_command("arena", *options, environment=variables)


def played(*options: str) -> Json:
    done = arena(*options, "--json")
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def hive(*bots: str, games: int = 2, record: Path | None = None, variant: str = "Base") -> Json:
    """Plays a match of Hive. By default no engine is late, however busy the machine is."""
    options = ["--game", "hive", "--variant", variant, "--seconds", "60", "--games", str(games)]
    recording = [] if record is None else ["--record", str(record)]
    return played("--bots", ",".join(bots), *options, *recording)


def test_results_of_two() -> None:
    found = played("--bots", "native,random", "--games", "4", "--samples", "20", "--seed", "3")
    assert [found[key] for key in ("game", "variant", "games", "seed")] == ["wallwars", "standard", 4, 3]
    native, chance = found["bots"]
    assert (native["name"], native["wins"], native["losses"], native["score"]) == ("native", 4, 0, 1.0)
    assert native["wilson95"] == [0.5101, 1.0]
    assert (chance["losses"], chance["meanPoints"], chance["sdPoints"]) == (4, None, None)
    (pair,) = found["pairs"]
    assert pair["bots"] == ["native", "random"]
    assert (pair["elo"], pair["elo95"]) == (None, [7.0, None])
    assert sum(pair["endings"].values()) == 4


def test_more_than_two_play_in_pairs() -> None:
    found = played("--bots", "greedy,random,random", "--games", "2", "--samples", "5")
    assert [bot["name"] for bot in found["bots"]] == ["greedy", "random_1", "random_2"]
    assert [pair["bots"] for pair in found["pairs"]] == [
        ["greedy", "random_1"],
        ["greedy", "random_2"],
        ["random_1", "random_2"],
    ]
    for bot in found["bots"]:
        assert bot["wins"] + bot["draws"] + bot["losses"] == 4


def test_three_seats_and_points() -> None:
    bots = ["--bots", "montecarlo,random,random", "--game", "toy-draw", "--seats", "3"]
    found = played(*bots, "--games", "12", "--samples", "20")
    assert (found["seats"], found["games"]) == (3, 12)
    assert [bot["name"] for bot in found["elo"]] == ["montecarlo", "random_1", "random_2"]
    for bot in found["bots"]:
        assert bot["wins"] + bot["draws"] + bot["losses"] == 12
        assert 0 < bot["meanPoints"] < 90
        assert bot["sdPoints"] > 0
    (combination,) = found["pairs"]
    assert [bot["name"] for bot in combination["standings"]] == combination["bots"]
    assert sum(combination["endings"].values()) == 12


def test_uneven_numbers_of_games_are_announced() -> None:
    bots = ["--bots", "random,random,random", "--game", "toy-draw", "--seats", "3"]
    note = "4 games are not a multiple of 3 seats: the last start is not played in every rotation"
    assert note in arena(*bots, "--games", "4").stderr
    assert arena(*bots, "--games", "3").stderr == ""


def test_the_same_seed_gives_the_same_result_for_any_number_of_jobs() -> None:
    options = ["--bots", "montecarlo,random,random", "--game", "toy-draw", "--games", "6", "--samples", "20"]
    one, three = (played(*options, "--seed", "7", "--jobs", jobs) for jobs in ("1", "3"))
    assert {**one, "secondsPerGame": 0} == {**three, "secondsPerGame": 0}


def test_a_round_robin_has_a_rating_table() -> None:
    bots = ["--bots", "random,montecarlo,random,random", "--game", "toy-draw", "--seats", "3"]
    done = arena(*bots, "--games", "6", "--samples", "20", "--table")
    assert done.returncode == 0, done.stderr
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in done.stdout.splitlines()]
    ratings = [row for row in rows if len(row) == 3 and row[2].startswith("±")]
    assert len(ratings) == 4
    assert ratings[0][0] == "montecarlo"
    assert [float(row[1]) for row in ratings] == sorted((float(row[1]) for row in ratings), reverse=True)
    assert sum(len(row) == 3 and row[0].count(" - ") == 2 for row in rows) == 4, "four combinations"


def test_a_killed_match_continues(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    bots = ["--bots", "montecarlo,random,random", "--game", "toy-draw", "--seats", "3"]
    options = [*bots, "--games", "60", "--samples", "5000", "--seed", "2"]
    child = subprocess.Popen([*PLYHOUSE, "arena", *options, "--resume", str(log)], cwd=ROOT)
    while child.poll() is None and (not log.exists() or log.read_bytes().count(b"\n") < 4):
        time.sleep(0.01)
    child.kill()
    child.wait(timeout=60)
    logged = log.read_bytes().count(b"\n") - 1
    assert 3 <= logged < 60, "killed on the way"
    done = arena(*options, "--resume", str(log), "--json")
    assert done.returncode == 0, done.stderr
    assert f"{log} has {logged} of 60 games" in done.stderr
    whole = played(*options)
    assert {**json.loads(done.stdout), "secondsPerGame": 0} == {**whole, "secondsPerGame": 0}


def test_tables_for_people() -> None:
    done = arena("--bots", "native:puct=1.2,random", "--games", "2", "--samples", "10")
    assert done.returncode == 0, done.stderr
    assert "native:puct=1.2 - random" in done.stdout
    assert "Elo" in done.stdout
    assert done.stdout.splitlines()[-1].strip() == "2 native:puct=1.2 wins (capture)"


def test_long_names_stay_distinct_in_narrow_tables() -> None:
    bots = [f"native:puct=1.{'0' * 60}{digit}" for digit in "12"]
    done = arena("--bots", ",".join(bots), "--games", "2", "--samples", "5", columns=80)
    assert done.returncode == 0, done.stderr
    cells = [line.split("│")[1].strip() for line in done.stdout.splitlines() if line.startswith("│")]
    assert "".join(cells).replace(" ", "") == "".join(bots) + "-".join(bots)


def test_a_file_is_not_overwritten(tmp_path: Path) -> None:
    record = tmp_path / "games.txt"
    record.write_text("precious")
    done = arena("--bots", "random,random", "--games", "1", "--record", str(record))
    assert (done.returncode, record.read_text()) == (1, "precious")
    assert "games.txt" in done.stderr


def test_every_game_is_written(tmp_path: Path) -> None:
    record = tmp_path / "games.txt"
    played("--bots", "random,greedy", "--games", "2", "--samples", "5", "--record", str(record))
    lines = [line.split("\t") for line in record.read_text().splitlines()]
    assert [line[1] for line in lines] == ["random - greedy", "greedy - random"]
    assert {line[2] for line in lines} <= {"1 - 0", "0 - 1", "0.5 - 0.5"}
    assert all(len(line) == 5 and json.loads(line[0])["moves"] for line in lines)


# ---- UHP engines -----------------------------------------------------------------------------------


def test_engines_with_different_conventions_play_whole_games(tmp_path: Path) -> None:
    record = tmp_path / "games.txt"
    found = hive(
        f"uhp:{script('rederives')}",
        f"uhp:{script('keeps', settings='Strength=2:')}",
        games=4,
        record=record,
        variant="Base+MLP",
    )
    assert set(found["pairs"][0]["endings"]) <= {
        f"{who} ({why})"
        for who in ("draw", *(f"{bot['name']} wins" for bot in found["bots"]))
        for why in ("board", "repetition", "ply-limit")
    }
    lines = [line.split("\t") for line in record.read_text().splitlines()]
    games = [replay(parse(line[0])) for line in lines]
    assert [state_of(game) for game in games] == [line[0].split(";")[1] for line in lines]
    openings = [game.history[:2] for game in games]
    assert openings[0] == openings[1], "a pair shares an opening"
    assert openings[2] == openings[3]


def test_each_engine_has_its_own_limit_and_options(tmp_path: Path) -> None:
    bots = [
        f"uhp:time=3000:Strength=2:{script('notes', tmp_path / 'timed')}",
        f"uhp:depth=2:{script('notes', tmp_path / 'deep')}",
        f"uhp:{script('notes', tmp_path / 'usual')}",
    ]
    hive(*bots)
    asked = {path.name: set(path.read_text().splitlines()) for path in tmp_path.iterdir()}
    limits = {name: {line for line in lines if line.startswith("bestmove")} for name, lines in asked.items()}
    assert limits == {
        "timed": {"bestmove time 00:00:03"},
        "deep": {"bestmove depth 2"},
        "usual": {"bestmove time 00:01:00"},
    }
    assert [name for name, lines in asked.items() if "options set Strength 2" in lines] == ["timed"]


def test_engines_with_their_own_limits_need_no_default(tmp_path: Path) -> None:
    bots = f"uhp:depth=2:{script('notes', tmp_path / 'deep')},greedy"
    assert played("--bots", bots, "--game", "hive", "--variant", "Base", "--games", "1")["games"] == 1


def test_a_built_in_bot_with_its_own_time() -> None:
    """Without it, its first move would take hours."""
    found = played("--bots", "native:time=2,random", "--games", "2", "--samples", "10000000000")
    assert [bot["name"] for bot in found["bots"]] == ["native:time=2", "random"]


def test_the_built_in_engine_over_uhp() -> None:
    found = hive(f"uhp:depth=1:{OURS}", "random")
    assert found["bots"][0]["wins"] + found["bots"][0]["draws"] == 2


@pytest.mark.parametrize(
    ("kind", "manner", "reason", "note"),
    [
        ("uhp", "dies", "disconnect", "The engine has ended (exit status 3: out of honey)."),
        ("uhp", "illegal", "illegal-move", "wQ"),
        ("pyrat", "dies", "crash", "has ended (exit status 3: no cheese left to live for)."),
        ("pyrat-host", "dying", "crash", "Scripted has disconnected (exit status 3: no more ideas)."),
    ],
)
def test_a_failing_program_loses_with_the_reason(
    tmp_path: Path, kind: str, manner: str, reason: str, note: str
) -> None:
    record, text = tmp_path / "games.txt", script(manner, kind=kind)
    bot = f"{kind}:{write_bot(tmp_path, manner).folder if kind == 'pyrat-host' else text}"
    game = ("hive", "Base") if kind == "uhp" else ("pyrat", "tiny")
    options = [
        "--game",
        game[0],
        "--variant",
        game[1],
        "--seconds",
        "60",
        "--games",
        "2",
        "--opening-plies",
        "0",
    ]
    found = played("--bots", f"{bot},random", *options, "--record", str(record))
    assert found["pairs"][0]["endings"] == {f"random wins ({reason})": 2}
    assert found["bots"][0]["losses"] == 2
    for seat, line in enumerate(record.read_text().splitlines()):
        played_game, players, points, told, said = line.split("\t")
        assert kind != "uhp" or played_game.split(";")[1] == ("BlackWins", "WhiteWins")[seat]
        assert players.split(" - ").index("random") == 1 - seat
        assert (points, told) == (("0 - 1", "1 - 0")[seat], reason)
        assert note in said


def test_openings_have_the_requested_length(tmp_path: Path) -> None:
    record = tmp_path / "games.txt"
    options = ("--game", "hive", "--samples", "1", "--games", "2", "--opening-plies", "6")
    played("--bots", "greedy,greedy", *options, "--record", str(record))
    first, second = (replay(parse(line.split("\t")[0])) for line in record.read_text().splitlines())
    assert first.history[:6] == second.history[:6]
    assert isinstance(first, Position)


# ---- bots of PyRat -------------------------------------------------------------------------------

PYRAT = ("--game", "pyrat", "--variant", "tiny", "--games", "2")
OUR_BOT = f"{shlex.join(PLYHOUSE)} engine --protocol pyrat --samples 20"


def test_our_engine_plays_whole_games_against_a_scripted_bot(tmp_path: Path) -> None:
    record = tmp_path / "games.txt"
    ours = f'pyrat:Seed=1:preprocessing=60000:"{OUR_BOT}"'
    theirs = f"pyrat:{script('walks', kind='pyrat', settings='Mood=wild:')}"
    found = played("--bots", f"{ours},{theirs}", *PYRAT, "--time", "60000", "--record", str(record))
    assert found["bots"][0]["wins"] == 2, "it collects cheese, and the other one walks at random"
    assert set(found["pairs"][0]["endings"]) <= {f"{ours} wins ({why})" for why in ("majority", "ply-limit")}
    for line in record.read_text().splitlines():
        game = json.loads(line.split("\t")[0])
        position = Position("pyrat", "tiny", game["config"])
        position.play(*game["moves"])
        assert position.outcome is not None


def test_a_bot_with_a_time_of_its_own_needs_no_other(tmp_path: Path) -> None:
    told = tmp_path / "told"
    found = played("--bots", f"pyrat:time=54321:{script('notes', told, kind='pyrat')},random", *PYRAT)
    (pair,) = found["pairs"]
    assert sum(pair["endings"].values()) == 2
    assert "54321" in told.read_text()


def test_a_host_bot_plays(tmp_path: Path) -> None:
    name = f"pyrat-host:{write_bot(tmp_path, 'honest').folder}"
    done = arena("--bots", f"{name},random", *PYRAT, "--time", "60000", "--json")
    assert f"{name} is Script; its games cannot be repeated with a seed" in done.stderr
    endings = json.loads(done.stdout)["pairs"][0]["endings"]
    assert sum(endings.values()) == 2
    assert {ending.rpartition("(")[2] for ending in endings} <= {"majority)", "cheese)", "ply-limit)"}
