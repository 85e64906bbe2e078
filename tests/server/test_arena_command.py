"""``plyhouse arena``: its statistics, its files, and programs as players."""

import json
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from engines import Position
from engines.opening_suite import shipped_suite
from protocols.uhp.game_string import parse, replay, state_of
from tests.server.program import PLYHOUSE, ForkedCommand
from tests.server.run_here import run_here
from tests.server.seat_kinds import OURS, script, write_bot

Json = dict[str, Any]

HIVE_OPENINGS = shipped_suite("hive", "Base+MLP")


def arena(*options: str, columns: int = 200) -> "subprocess.CompletedProcess[str]":
    variables = {"COLUMNS": str(columns), "NO_COLOR": "1"}
    return run_here("arena", *options, environment=variables)


def played(*options: str, status: int = 0) -> Json:
    done = arena(*options, "--json")
    assert done.returncode == status, done.stderr
    return dict(json.loads(done.stdout))


def test_a_built_in_bot_with_its_own_time() -> None:
    """Without it, its first move would take hours."""
    found = played("--bots", "native:time=2,random", "--games", "2", "--samples", "10000000000")
    assert [bot["name"] for bot in found["bots"]] == ["native:time=2", "random"]


def test_openings_have_the_requested_length(tmp_path: Path) -> None:
    record = tmp_path / "games.txt"
    options = ("--game", "hive", "--samples", "1", "--games", "2", "--opening-plies", "6")
    played("--bots", "greedy,greedy", *options, "--record", str(record))
    first, second = games_of(record)
    assert first.history[:6] == second.history[:6]


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
    options = [*bots, "--games", "24", "--samples", "3000", "--seed", "2"]
    child = ForkedCommand(["arena", *options, "--resume", str(log)], tmp_path / "said", {})
    while child.poll() is None and (not log.exists() or log.read_bytes().count(b"\n") < 4):
        time.sleep(0.01)
    child.stop(signal.SIGKILL)
    logged = log.read_bytes().count(b"\n") - 1
    assert 3 <= logged < 24, "killed on the way"
    done = arena(*options, "--resume", str(log), "--json")
    assert done.returncode == 0, done.stderr
    assert f"{log} has {logged} of 24 games" in done.stderr
    whole = played(*options)
    assert {**json.loads(done.stdout), "secondsPerGame": 0} == {**whole, "secondsPerGame": 0}


@pytest.mark.slow
def test_an_interrupt_ends_games_that_would_take_minutes(tmp_path: Path) -> None:
    record = tmp_path / "games"
    options = ["--bots", "native:time=2000,native:time=2001", "--jobs", "1", "--record", str(record)]
    child = ForkedCommand(["arena", *options], tmp_path / "said", {})
    while not record.exists():
        assert child.poll() is None, (tmp_path / "said").read_text()
        time.sleep(0.01)
    time.sleep(1)  # The game has probably begun. If not, it ends sooner.
    assert child.stop(signal.SIGINT) == 130  # Within a minute.


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


def test_a_gauntlet_is_of_the_first_bot_against_each_other() -> None:
    found = played("--bots", "greedy,random,random", "--games", "2", "--samples", "5", "--gauntlet")
    assert [pair["bots"] for pair in found["pairs"]] == [["greedy", "random_1"], ["greedy", "random_2"]]
    assert [bot["wins"] + bot["draws"] + bot["losses"] for bot in found["bots"]] == [4, 2, 2]


# ---- sequential tests --------------------------------------------------------------------------------

TESTED = ("--bots", "native,random", "--samples", "5", "--sprt", "elo0=0,elo1=400", "--jobs", "2")


@pytest.mark.slow
def test_a_sequential_test_ends_the_match(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    found = played(*TESTED, "--resume", str(log))
    test = found["sprt"]
    assert (test["model"], test["elo0"], test["elo1"], test["alpha"], test["beta"]) == (
        "logistic",
        0,
        400,
        0.05,
        0.05,
    )
    assert (test["verdict"], test["lower"], test["upper"]) == ("H1", -2.9444, 2.9444)
    assert test["llr"] >= test["upper"]
    assert found["games"] == 2 * sum(test["pentanomial"]) < 100
    assert log.read_bytes().count(b"\n") == 1 + found["games"], "later games are dropped"
    again = arena(*TESTED, "--resume", str(log), "--json")
    assert {**json.loads(again.stdout), "secondsPerGame": 0} == {**found, "secondsPerGame": 0}
    assert log.read_bytes().count(b"\n") == 1 + found["games"], "no game was played again"


def test_a_sequential_test_may_end_without_a_verdict() -> None:
    done = arena(*TESTED, "--games", "2")
    assert done.returncode == 0, done.stderr
    assert "neither hypothesis: more games are needed" in done.stdout


def test_a_sequential_test_says_how_it_stands() -> None:
    options = ("--bots", "random,random", "--game", "toy-draw", "--sprt", "elo0=0,elo1=5", "--games", "200")
    said = arena(*options).stderr.splitlines()
    assert [line.partition(":")[0] for line in said] == ["100 games", "200 games"]
    assert "LLR" in said[0]
    assert "(-2.94 .. 2.94)" in said[0]
    assert "more games" in said[0]


# ---- openings and adjudication -----------------------------------------------------------------------


def test_made_openings_are_played(tmp_path: Path) -> None:
    file, record = tmp_path / "small.jsonl", tmp_path / "games.txt"
    options = ("--board", "4x4", "--plies", "2", "--count", "2", "--limit", "0.3", "--samples", "50")
    made = run_here("openings", "wallwars", *options, "--out", str(file))
    assert made.stdout == f"{file}: 2 openings\n", made.stderr
    openings = {tuple(json.loads(line)["moves"]) for line in file.read_text().splitlines()[1:]}
    assert len(openings) == 2
    played_from = ("--openings", str(file), "--games", "6", "--samples", "5", "--record", str(record))
    done = arena("--bots", "random,random", *played_from)
    assert done.returncode == 0, done.stderr
    again = "from start 3 on, openings are played again, with 2 random plies after each"
    assert again in done.stderr
    games = [json.loads(line.split("\t")[0]) for line in record.read_text().splitlines()]
    assert all(game["config"]["boardWidth"] == 4 for game in games)
    starts = [tuple(game["moves"][:2]) for game in games]
    assert starts[0] == starts[1] == starts[4] == starts[5]
    assert starts[2] == starts[3]
    assert set(starts) == openings
    assert games[0]["moves"][:4] != games[4]["moves"][:4]


def test_an_existing_file_of_openings_is_kept(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text("precious")
    done = run_here("openings", "wallwars", "--out", str(tmp_path / "mine.jsonl"))
    assert (done.returncode, (tmp_path / "mine.jsonl").read_text()) == (1, "precious")
    assert done.stderr.endswith("mine.jsonl exists already\n")


def test_bots_that_agree_end_their_game(tmp_path: Path) -> None:
    record = tmp_path / "games.txt"
    options = ("--samples", "50", "--games", "2", "--adjudicate", "resign=0.4x2", "--record", str(record))
    found = played("--bots", "native,greedy", *options)
    assert {ending.partition(" wins ")[2] for ending in found["pairs"][0]["endings"]} == {
        "(adjudicated: resign)"
    }
    assert [bot["failures"] for bot in found["bots"]] == [{}, {}], "a resignation is no failure"
    for line in record.read_text().splitlines():
        assert json.loads(line.split("\t")[0])["moves"][-1].startswith("!")
        assert line.split("\t")[3] == "adjudicated: resign"


def test_bots_that_do_not_judge_need_a_ply_limit() -> None:
    done = arena("--bots", "native,random", "--games", "2", "--adjudicate", "draw=0.1x2@4")
    assert done.returncode == 1
    assert done.stderr == (
        "plyhouse arena: random does not say how it judges a position: its games can be adjudicated by plies only\n"
    )
    found = played("--bots", "native,random", "--games", "2", "--samples", "5", "--adjudicate", "plies=4")
    assert found["pairs"][0]["endings"] == {"draw (adjudicated: ply limit)": 2}


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--sprt", "elo0=5,elo1=5"), "elo0 is 5 and elo1 5"),
        (("--sprt", "elo1=5", "--games", "3"), "a test plays pairs of games, not 3"),
        (
            ("--sprt", "elo1=5", "--bots", "random,random,random"),
            "a test is of two bots in games of two seats",
        ),
        (("--openings", "nowhere.jsonl"), "the openings nowhere.jsonl cannot be read"),
        (
            ("--openings", "shipped", "--variant", "survival"),
            "no openings for wallwars survival come with Plyhouse",
        ),
        (("--openings", str(HIVE_OPENINGS)), "has openings of hive Base+MLP, not of wallwars standard"),
        (("--openings", "shipped", "--opening-plies", "2"), "give openings or a number of random plies"),
        (("--adjudicate", "resign"), "resign is '', not LIMITxMOVES"),
        (
            (
                "--game",
                "toy-draw",
                "--seats",
                "3",
                "--bots",
                "random,random,random",
                "--adjudicate",
                "draw=.1x2",
            ),
            "bots agree in games of two seats only",
        ),
    ],
)
def test_bad_options_are_refused(options: tuple[str, ...], why: str) -> None:
    done = arena("--bots", "random,random", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert why in " ".join(done.stderr.replace("│", "").split())


# ---- programs --------------------------------------------------------------------------------------

HIVE = ["--game", "hive", "--variant", "Base", "--seconds", "60", "--games", "2"]
PYRAT = ["--game", "pyrat", "--variant", "tiny", "--seconds", "60", "--games", "2"]
"""Matches in which no program is late, however busy the machine is."""

OUR_BOT = f"{shlex.join(PLYHOUSE)} engine --protocol pyrat --samples 20"
WALKS = f"pyrat:{script('walks', kind='pyrat', settings='Mood=wild:')}"


def games_of(record: Path) -> list[Position]:
    """The final positions of the games in a file."""
    found = []
    for line in record.read_text().splitlines():
        text = line.split("\t")[0]
        if text.startswith("{"):
            game = json.loads(text)
            found.append(Position("pyrat", "tiny", game["config"]))
            found[-1].play(*game["moves"])
        else:
            found.append(replay(parse(text)))
            assert state_of(found[-1]) == text.split(";")[1]
    return found


@pytest.mark.parametrize(
    ("first", "second", "options"),
    [
        (f"uhp:{script('rederives')}", f"uhp:{script('keeps', settings='Strength=2:')}", HIVE),
        (f"uhp:depth=1:{OURS}", "random", HIVE),
        (f'pyrat:Seed=1:preprocessing=60000:"{OUR_BOT}"', WALKS, PYRAT),
        ("pyrat-host:{bot}", "random", PYRAT),
    ],
)
def test_programs_play_whole_games(tmp_path: Path, first: str, second: str, options: list[str]) -> None:
    record = tmp_path / "games.txt"
    bots = f"{first.format(bot=write_bot(tmp_path, 'honest').folder)},{second}"
    done = arena("--bots", bots, *options, "--record", str(record), "--json")
    assert "; its games cannot be repeated with a seed" in done.stderr
    found = json.loads(done.stdout)
    endings = {ending.rpartition("(")[2] for ending in found["pairs"][0]["endings"]}
    assert endings <= {f"{why})" for why in ("board", "repetition", "ply-limit", "majority", "cheese")}
    if OURS in first or OUR_BOT in first:
        assert found["bots"][0]["losses"] == 0, "the other one walks at random"
    one, other = games_of(record)
    assert one.outcome is not None
    assert other.outcome is not None
    if options is HIVE:
        assert one.history[:2] == other.history[:2], "a pair shares an opening"


def test_each_engine_has_its_own_limit_and_options(tmp_path: Path) -> None:
    bots = [
        f"uhp:time=3000:Strength=2:{script('notes', tmp_path / 'timed')}",
        f"uhp:depth=2:{script('notes', tmp_path / 'deep')}",
        f"uhp:{script('notes', tmp_path / 'usual')}",
    ]
    played("--bots", ",".join(bots), *HIVE)
    asked = {path.name: set(path.read_text().splitlines()) for path in tmp_path.iterdir()}
    limits = {name: {line for line in lines if line.startswith("bestmove")} for name, lines in asked.items()}
    assert limits == {
        "timed": {"bestmove time 00:00:03"},
        "deep": {"bestmove depth 2"},
        "usual": {"bestmove time 00:01:00"},
    }
    assert [name for name, lines in asked.items() if "options set Strength 2" in lines] == ["timed"]


def test_programs_with_their_own_limits_need_no_default(tmp_path: Path) -> None:
    told = tmp_path / "told"
    bots = f"uhp:depth=2:{script('plain')},greedy"
    assert played("--bots", bots, "--game", "hive", "--variant", "Base", "--games", "1")["games"] == 1
    bots = f"pyrat:time=54321:{script('notes', told, kind='pyrat')},random"
    assert played("--bots", bots, "--game", "pyrat", "--variant", "tiny", "--games", "1")["games"] == 1
    assert "54321" in told.read_text()


@pytest.mark.parametrize(
    ("kind", "command", "why"),
    [
        ("uhp:depth=1", "nosuchprogram", "No such file or directory"),
        ("uhp:depth=1", f"{sys.executable} -c exit(3)", "The engine has ended (exit status 3)."),
        ("pyrat:time=9", "nosuchprogram", "No such file or directory"),
    ],
)
def test_a_program_that_does_not_start_is_named(kind: str, command: str, why: str) -> None:
    bot = f"{kind}:{command}"
    match = ["--game", "hive", "--variant", "Base"] if kind.startswith("uhp") else ["--game", "pyrat"]
    done = arena("--bots", f"{bot},random", *match, "--games", "2")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1] == f"plyhouse arena: {bot} does not start: {why}"


@pytest.mark.parametrize(
    ("kind", "manner", "reason", "note"),
    [
        ("uhp", "dies", "crash", "The engine has ended (exit status 3: out of honey)."),
        ("uhp", "illegal", "illegal-move", "wQ"),
        ("pyrat", "dies", "crash", "has ended (exit status 3: no cheese left to live for)."),
        pytest.param(
            *("pyrat-host", "dying", "crash", "Scripted has disconnected (exit status 3: no more ideas)."),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_failing_program_loses_with_the_reason(
    tmp_path: Path, kind: str, manner: str, reason: str, note: str
) -> None:
    record, text = tmp_path / "games.txt", script(manner, kind=kind)
    bot = f"{kind}:{write_bot(tmp_path, manner).folder if kind == 'pyrat-host' else text}"
    match = [*(HIVE if kind == "uhp" else PYRAT), "--opening-plies", "0"]
    options = [*match, "--tolerate", "--record", str(record)]
    if reason == "crash":
        done = arena("--bots", f"{bot},random", *match)
        assert (done.returncode, done.stdout) == (1, "")
        crashed = done.stderr.splitlines()[-1]
        assert crashed.startswith(f"plyhouse arena: {bot} has crashed: ")
        assert note in crashed
    found = played("--bots", f"{bot},random", *options, status=3)
    assert found["pairs"][0]["endings"] == {f"random wins ({reason})": 2}
    assert found["bots"][0]["losses"] == 2
    assert [row["failures"] for row in found["bots"]] == [{reason: 2}, {}]
    for seat, line in enumerate(record.read_text().splitlines()):
        game, players, points, told, said = line.split("\t")
        assert kind != "uhp" or game.split(";")[1] == ("BlackWins", "WhiteWins")[seat]
        assert players.split(" - ").index("random") == 1 - seat
        assert (points, told) == (("0 - 1", "1 - 0")[seat], reason)
        assert note in said
