"""``plyhouse arena``: its figures, its files, and engines of the Hive protocol among the players."""

import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engines import Position
from protocols.uhp.game_string import parse, replay, state_of
from tests.server.serving import ROOT
from tests.server.uhp_peers import OURS, script

Json = dict[str, Any]

ARENA = [sys.executable, "-c", "from server.cli import app; app()", "arena"]


def arena(*options: str, columns: int = 200) -> "subprocess.CompletedProcess[str]":
    variables = {"COLUMNS": str(columns), "NO_COLOR": "1"}
    return subprocess.run(
        [*ARENA, *options], capture_output=True, text=True, cwd=ROOT, timeout=100, env=variables, check=False
    )


def played(*options: str) -> Json:
    done = arena(*options, "--json")
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def hive(*bots: str, games: int = 2, record: Path | None = None, variant: str = "Base") -> Json:
    """A match of Hive at a second a move."""
    options = ["--game", "hive", "--variant", variant, "--seconds", "1", "--games", str(games)]
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


def test_more_than_two_meet_in_pairs() -> None:
    found = played("--bots", "greedy,random,random", "--games", "2", "--samples", "5")
    assert [bot["name"] for bot in found["bots"]] == ["greedy", "random_1", "random_2"]
    assert [pair["bots"] for pair in found["pairs"]] == [
        ["greedy", "random_1"],
        ["greedy", "random_2"],
        ["random_1", "random_2"],
    ]
    for bot in found["bots"]:
        assert bot["wins"] + bot["draws"] + bot["losses"] == 4


def test_tables_for_people() -> None:
    done = arena("--bots", "native:puct=1.2,random", "--games", "2", "--samples", "10")
    assert done.returncode == 0, done.stderr
    assert "native:puct=1.2 - random" in done.stdout
    assert "Elo" in done.stdout
    assert done.stdout.splitlines()[-1].strip() == "2 native:puct=1.2 wins (capture)"


def test_long_names_are_told_apart_in_narrow_tables() -> None:
    bots = [f"native:puct=1.{'0' * 60}{digit}" for digit in "12"]
    done = arena("--bots", ",".join(bots), "--games", "2", "--samples", "5", columns=80)
    assert done.returncode == 0, done.stderr
    cells = [line.split("│")[1].strip() for line in done.stdout.splitlines() if line.startswith("│")]
    assert "".join(cells).replace(" ", "") == "".join(bots) + "-".join(bots)


@pytest.mark.parametrize(
    ("options", "status", "text"),
    [
        (["--bots", "native"], 2, "1 given, two play"),
        (["--bots", "native,natve"], 2, "did you mean"),
        (["--bots", "native:time=0,random"], 2, "native:time is '0', not milliseconds"),
        (["--bots", "native,random:time=5"], 2, "unknown parameter 'time' of random"),
        (["--bots", "native,random", "--samples", "1", "--seconds", "1"], 2, "not several"),
        (["--bots", "random,uhp:x", "--game", "hive"], 2, "play by time or depth"),
        (["--bots", "random,uhp:x", "--game", "hive", "--samples", "5"], 2, "play by time or depth"),
        (["--bots", "random,uhp:x", "--game", "hive", "--time", "1500"], 2, "whole seconds"),
        (["--bots", "random,uhp:x", "--seconds", "1"], 2, "plays hive, not wallwars"),
        (["--bots", "random,uhp:depth=x:y", "--game", "hive", "--seconds", "1"], 2, "depth is 'x'"),
        (["--bots", "random,uhp:time=1500:y", "--game", "hive"], 2, "time is '1500'"),
        (["--bots", "random,uhp:time=1000:depth=2:y", "--game", "hive"], 2, "time or a depth, not both"),
        (["--bots", "random,uhp:time=1000:y", "--game", "hive", "--samples", "5"], 2, "by time or depth"),
        (["--bots", "random,uhp:/no/such", "--game", "hive", "--seconds", "1"], 1, "/no/such"),
        (["--bots", "random,uhp:true", "--game", "hive", "--seconds", "1"], 1, "has ended"),
        (["--bots", "native:threads=2,random", "--games", "1"], 1, "threads"),
    ],
)
def test_what_cannot_be_played(options: list[str], status: int, text: str) -> None:
    done = arena(*options)
    assert done.returncode == status
    assert text in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.stderr


def test_an_engine_without_the_expansions() -> None:
    bots = ["--bots", f'random,uhp:"{script("base")}"']
    done = arena(*bots, "--game", "hive", "--seconds", "1")
    assert done.returncode == 2
    assert "lacks mosquito, ladybug, pillbug" in " ".join(done.stderr.replace("│", " ").split())


def test_a_file_is_not_written_over(tmp_path: Path) -> None:
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


# ---- engines of the Hive protocol ------------------------------------------------------------------


def test_engines_of_different_habits_play_whole_games(tmp_path: Path) -> None:
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


def test_a_limit_and_options_of_its_own_for_each_engine(tmp_path: Path) -> None:
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
        "usual": {"bestmove time 00:00:01"},
    }
    assert [name for name, lines in asked.items() if "options set Strength 2" in lines] == ["timed"]


def test_engines_with_limits_of_their_own_need_no_other(tmp_path: Path) -> None:
    bots = f"uhp:depth=2:{script('notes', tmp_path / 'deep')},greedy"
    assert played("--bots", bots, "--game", "hive", "--variant", "Base", "--games", "1")["games"] == 1


def test_a_bot_of_ours_with_a_time_of_its_own() -> None:
    """Without it, its first move would take hours."""
    found = played("--bots", "native:time=2,random", "--games", "2", "--samples", "10000000000")
    assert [bot["name"] for bot in found["bots"]] == ["native:time=2", "random"]


def test_our_engine_behind_the_protocol() -> None:
    found = hive(f"uhp:depth=1:{OURS}", "random")
    assert found["bots"][0]["wins"] + found["bots"][0]["draws"] == 2


@pytest.mark.parametrize(
    ("manner", "reason"),
    [
        ("dies", "disconnect"),
        ("floods", "protocol"),
        ("errs", "protocol"),
        ("illegal", "illegal-move"),
        ("garbles", "illegal-move"),
        ("forgets", "desync"),
        ("late", "timeout"),
    ],
)
def test_an_engine_that_fails_loses_with_the_reason(tmp_path: Path, manner: str, reason: str) -> None:
    record = tmp_path / "games.txt"
    found = hive(f"uhp:{script(manner)}", "random", record=record)
    assert found["pairs"][0]["endings"] == {f"random wins ({reason})": 2}
    assert found["bots"][0]["losses"] == 2
    for seat, line in enumerate(record.read_text().splitlines()):
        game, players, points, told, note = line.split("\t")
        assert game.split(";")[1] == ("BlackWins", "WhiteWins")[seat]
        assert players.split(" - ").index("random") == 1 - seat
        assert (points, told) == (("0 - 1", "1 - 0")[seat], reason)
        assert note.startswith("The engine")


def test_an_engine_behind_a_port_that_hangs_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    done = arena("--bots", f"random,uhp:tcp:127.0.0.1:{port}", "--game", "hive", "--seconds", "1")
    assert done.returncode == 1
    assert "refused" in done.stderr


def test_openings_are_as_long_as_asked(tmp_path: Path) -> None:
    record = tmp_path / "games.txt"
    options = ("--game", "hive", "--samples", "1", "--games", "2", "--opening-plies", "6")
    played("--bots", "greedy,greedy", *options, "--record", str(record))
    first, second = (replay(parse(line.split("\t")[0])) for line in record.read_text().splitlines())
    assert first.history[:6] == second.history[:6]
    assert isinstance(first, Position)
