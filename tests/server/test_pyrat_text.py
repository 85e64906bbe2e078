"""PyRat bots as child processes: what becomes of each manner of a bot, and our own engine as one of them."""

import asyncio
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from engines import Position
from programs.pyrat import process as pyrat_process
from programs.pyrat import program as pyrat_program
from programs.pyrat.command import PyratCommand
from programs.pyrat.thinking import searches
from programs.seat_programs import (
    BROKEN,
    GONE,
    LATE,
    ProgramFailed,
    ProgramIdentity,
    SeatProgram,
    TurnTimes,
    UnsuitableProgram,
)
from protocols.pyrat.text.lines import DIRECTIONS
from tests.server.program import PLYHOUSE, ROOT
from tests.server.pyrat_bot_script import LONG
from tests.server.test_arena_command import arena, played

SCRIPT = Path(__file__).parent / "pyrat_bot_script.py"
OURS = f"{shlex.join(PLYHOUSE)} engine --protocol pyrat --samples 20"
PATIENT = TurnTimes(60_000, 60_000)
"""Nothing is late, however busy the machine is."""

SHORT = TurnTimes(1, 60_000)
"""Bots that never answer are late at once."""

PYRAT = ("--game", "pyrat", "--variant", "tiny")


def script(manner: str, *rest: object, settings: str = "") -> str:
    """The command of a scripted bot; ``settings`` end in ``:``."""
    return settings + " ".join(map(str, (sys.executable, SCRIPT, manner, *rest)))


class Table:
    """One bot in one seat of a game on a small board; the other seat stays where it is."""

    def __init__(self, manner: str, *rest: object, seat: int = 0, settings: str = "") -> None:
        self.command = PyratCommand.parse(script(manner, *rest, settings=settings))
        self.position = Position("pyrat", "open", {"width": 5, "height": 5, "cheeseCount": 5, "maxTurns": 12})
        self.notes: list[str] = []
        self.seat = seat
        self.program: SeatProgram | None = None

    async def play(self, turns: int, times: TurnTimes = PATIENT) -> list[str]:
        """Plays some turns, or up to the end, and returns the bot's moves. Raises ProgramFailed."""
        if self.program is None:
            self.program = await self.command.start(self.position, self.seat, times, self.notes.append)
        moves = []
        for _ in range(turns):
            if self.position.to_act:
                moves.append(await self.program.choose(self.position.copy()))
                both = ["STAY", "STAY"]
                both[self.seat] = moves[-1]
                self.position.play("/".join(both))
        return moves

    async def close(self) -> None:
        if self.program is not None:
            await self.program.close(self.position)

    async def failure(self, times: TurnTimes = PATIENT) -> ProgramFailed:
        """How the bot loses its game."""
        with pytest.raises(ProgramFailed) as caught:
            await self.play(12, times)
        await self.close()
        return caught.value

    @property
    def noted(self) -> str:
        return "\n".join(self.notes)


@pytest.mark.parametrize("seat", [0, 1])
async def test_a_bot_is_told_its_whole_game(tmp_path: Path, seat: int) -> None:
    table = Table("notes", tmp_path / "told", seat=seat, settings="Mood=wild:postprocessing=60000:")
    assert await table.command.identify(TurnTimes(1000)) == ProgramIdentity("Script notes")
    (tmp_path / "told").unlink()
    table.position.play("UP/STAY", "STAY/LEFT")  # played before the bot came
    moves = await table.play(12)
    await table.close()
    told = (tmp_path / "told").read_text().splitlines()
    assert told[:3] == ["pyrat", "setoption name Mood value wild", "newgame"]
    assert told[3:11:7] == [
        "maze height:5 width:5",
        "timecontrol move:60000 preprocessing:60000 postprocessing:60000",
    ]
    assert told[9] == f"youare {('rat', 'python')[seat]}"
    assert told[11] == "startpreprocessing"
    turns = ["STAY/STAY", *table.position.history]
    rats = [turn.partition("/") for turn in turns]
    assert [line for line in told if line.startswith("moves")] == [
        f"moves rat:{rat} python:{python}" for rat, _, python in rats
    ]
    assert told.count("go") == len(moves)
    assert told[12:16] == [
        "moves rat:STAY python:STAY",
        "moves rat:UP python:STAY",
        "moves rat:STAY python:LEFT",
        "go",
    ]
    assert told[-2].startswith("gameover winner:")
    assert told[-1] == "startpostprocessing"


async def test_a_late_bot_stays_and_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyrat_program, "GRACE_SECONDS", 0.01)
    monkeypatch.setattr(pyrat_program, "READY_SECONDS", 60.0)
    table = Table("late")
    assert await table.play(12, SHORT) == ["STAY"] * 12
    assert table.position.outcome is not None
    await table.close()
    assert "was late in 12 turns, and stayed" in table.notes[-1]


async def test_a_bot_that_hangs_is_started_again_with_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyrat_program, "READY_SECONDS", 0.01)
    table = Table("deaf", settings="time=1:")
    assert await table.play(1) == ["STAY"]
    monkeypatch.setattr(pyrat_program, "GRACE_SECONDS", 60.0)
    assert set(await table.play(12)) <= set(DIRECTIONS)
    assert table.position.outcome is not None
    await table.close()
    assert "hangs at turn 1, and is started again" in table.noted
    assert "was late in 1 turn, and stayed" in table.noted


async def test_a_bot_that_always_hangs_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyrat_program, "GRACE_SECONDS", 0.01)
    monkeypatch.setattr(pyrat_program, "READY_SECONDS", 0.01)
    monkeypatch.setattr(pyrat_program, "MOST_RESTARTS", 1)
    table = Table("hangs")
    failed = await table.failure(SHORT)
    assert failed.reason == LATE
    assert "hangs; restarts so far: 1." in str(failed)
    assert table.position.history == ["STAY/STAY"] * 2


@pytest.mark.parametrize(
    ("manner", "reason", "text"),
    [
        ("dies", GONE, "has ended (exit status 3: no cheese left to live for)."),
        ("quits", GONE, "has ended (it has closed its output)."),
        ("floods", BROKEN, "has written too much."),
    ],
)
async def test_a_bot_that_fails_loses_with_the_reason(manner: str, reason: str, text: str) -> None:
    table = Table(manner)
    failed = await table.failure()
    assert failed.reason == reason
    assert str(failed) == f"{table.command.text} {text}"
    assert len(table.position.history) == (0 if manner == "floods" else 2), "the moves before it count"


@pytest.mark.parametrize("manner", ["babbles", "cheats"])
async def test_an_answer_that_is_no_move_of_the_seat_is_stay(manner: str) -> None:
    table = Table(manner)
    assert await table.play(12) == ["STAY"] * 12
    await table.close()
    assert "counts as STAY" in table.noted
    assert len(table.notes) <= 10
    assert LONG[:1000] not in table.noted


async def test_a_full_stderr_stops_nobody() -> None:
    table = Table("noisy")
    assert len(await table.play(12)) == 12
    await table.close()


async def test_a_bot_without_a_handshake_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(pyrat_process, "GREETING_SECONDS", 0.01)
        with pytest.raises(ProgramFailed, match="has not answered pyrat with pyratready"):
            await Table("mute").command.identify(TurnTimes(1000))
    for command, text in (
        ("true", "has ended"),
        (script("walks", settings="Depth=3:"), "there is no option Depth"),
    ):
        with pytest.raises(ProgramFailed, match=text):
            await PyratCommand.parse(command).identify(TurnTimes(1000))
    with pytest.raises(OSError, match="/no/such"):
        await PyratCommand.parse("/no/such").identify(TurnTimes(1000))


def walled_up(turns: int) -> Position:
    """A game whose description is longer than a pipe and its buffer: walls between all cells but the first two."""
    cells = [(x, y) for x in range(64) for y in range(64)]
    walls = [
        [here, there]
        for here in cells
        for there in ((here[0] + 1, here[1]), (here[0], here[1] + 1))
        if max(there) < 64 and there != (1, 0)
    ]
    config = {"width": 64, "height": 64, "maxTurns": 1023, "walls": walls, "cheese": [[1, 0]]}
    position = Position("pyrat", "open", config)
    position.play(*["STAY/STAY"] * turns)
    return position


async def test_a_bot_that_does_not_read_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyrat_process, "READING_SECONDS", 0.5)
    table = Table("blind")
    table.position = walled_up(1000)
    failed = await table.failure(TurnTimes(1, 1))
    assert failed.reason == LATE
    assert "does not read its input" in str(failed)


async def test_nothing_is_left_running(tmp_path: Path) -> None:
    table = Table("parent", tmp_path / "pid")
    await table.play(1)
    child = int((tmp_path / "pid").read_text())
    os.kill(child, 0)
    await table.close()
    for _ in range(6000):
        if not _is_running(child):
            return
        await asyncio.sleep(0.01)
    raise AssertionError("its child still runs")


def _is_running(process: int) -> bool:
    """Whether it exists and is no zombie, which its new parent may never collect."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no command"),
        ("'x", "closing quotation"),
        ("time=0:x", "time is '0'"),
        ("preprocessing=soon:x", "preprocessing is 'soon'"),
    ],
)
def test_commands_that_are_none(text: str, why: str) -> None:
    with pytest.raises(UnsuitableProgram, match=why):
        PyratCommand.parse(text)


# ---- the arena -----------------------------------------------------------------------------------


def test_our_engine_plays_whole_games_against_a_scripted_bot(tmp_path: Path) -> None:
    record = tmp_path / "games.txt"
    ours, theirs = (
        f'pyrat:Seed=1:preprocessing=60000:"{OURS}"',
        f"pyrat:{script('walks', settings='Mood=wild:')}",
    )
    found = played(
        "--bots", f"{ours},{theirs}", *PYRAT, "--time", "60000", "--games", "2", "--record", str(record)
    )
    assert found["bots"][0]["wins"] == 2, "it collects cheese, and the other one walks at random"
    assert set(found["pairs"][0]["endings"]) <= {f"{ours} wins ({why})" for why in ("majority", "ply-limit")}
    for line in record.read_text().splitlines():
        game = json.loads(line.split("\t")[0])
        position = Position("pyrat", "tiny", game["config"])
        position.play(*game["moves"])
        assert position.outcome is not None


def test_a_bot_with_a_time_of_its_own_needs_no_other(tmp_path: Path) -> None:
    told = tmp_path / "told"
    found = played("--bots", f"pyrat:time=54321:{script('notes', told)},random", *PYRAT, "--games", "2")
    (pair,) = found["pairs"]
    assert sum(pair["endings"].values()) == 2
    assert "54321" in told.read_text()


def test_a_crash_is_a_forfeit_with_its_reason(tmp_path: Path) -> None:
    record = tmp_path / "games.txt"
    bots = f"pyrat:{script('dies')},random"
    found = played("--bots", bots, *PYRAT, "--time", "60000", "--games", "2", "--record", str(record))
    assert found["pairs"][0]["endings"] == {"random wins (crash)": 2}
    for line in record.read_text().splitlines():
        assert line.split("\t")[3:] == [
            "crash",
            f"{script('dies')} has ended (exit status 3: no cheese left to live for).",
        ]


@pytest.mark.parametrize(
    ("options", "status", "text"),
    [
        (["--bots", "random,pyrat:x", *PYRAT], 2, "pyrat:x plays by time"),
        (["--bots", "random,pyrat:x", *PYRAT, "--samples", "5"], 2, "pyrat:x plays by time"),
        (["--bots", "random,pyrat:x", "--time", "5"], 2, "plays pyrat, not wallwars"),
        (["--bots", "random,pyrat:time=x:y", *PYRAT, "--time", "5"], 2, "time is 'x'"),
        (["--bots", "random,pyrat:/no/such", *PYRAT, "--time", "5"], 1, "/no/such"),
        (["--bots", "random,pyrat:true", *PYRAT, "--time", "5"], 1, "true has ended (exit status 0)"),
    ],
)
def test_unplayable_matches_are_refused(options: list[str], status: int, text: str) -> None:
    done = arena(*options)
    assert done.returncode == status
    assert text in " ".join(done.stderr.replace("│", " ").split())


# ---- our engine ----------------------------------------------------------------------------------

BOARD = [
    "maze height:3 width:3",
    "walls (0,0)-(1,0)",
    "mud (2,1)-(2,2):2",
    "cheese (0,2) (1,1) (2,0)",
    "player1 rat (0,0)",
    "player2 python (2,2)",
]


def engine(*options: str) -> "subprocess.Popen[str]":
    command = [*PLYHOUSE, "engine", *options]
    return subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


class Child:
    """``plyhouse engine --protocol pyrat`` as a child process, spoken to line by line."""

    def __init__(self, *options: str) -> None:
        self.process = engine("--protocol", "pyrat", *options)

    def __enter__(self) -> "Child":
        return self

    def __exit__(self, *_: object) -> None:
        with self.process:
            self.process.kill()

    def tell(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def until(self, keyword: str) -> list[str]:
        """The lines up to one that begins with the keyword."""
        assert self.process.stdout is not None
        lines: list[str] = []
        while not lines or lines[-1].split()[0] != keyword:
            lines.append(self.process.stdout.readline())
            assert lines[-1], "the engine has ended"
        return [line.rstrip("\n") for line in lines]


def test_it_answers_while_it_thinks_and_stops_when_told() -> None:
    with Child() as child:
        child.tell("pyrat")
        assert child.until("pyratready")[2].startswith(
            f"option name Search type combo default {searches()[0]} "
        )
        child.tell("newgame", *BOARD, "youare rat", "timecontrol move:3600000", "startpreprocessing")
        child.until("preprocessingdone")
        child.tell("moves rat:STAY python:STAY", "go", "isready")
        assert child.until("readyok")[-1] == "readyok"
        child.tell("nonsense", "x" * 3_000_000, "isready")
        assert "move" not in [line.split()[0] for line in child.until("readyok")]
        child.tell("stop")
        assert child.until("move")[-1] in {f"move {direction}" for direction in ("UP", "STAY")}
        child.tell("moves rat:UP python:LEFT", "go", "timeout move:STAY", "ready?")
        assert "move" not in [line.split()[0] for line in child.until("ready")]
        child.tell("moves rat:STAY python:DOWN", "go", "stop")
        *told, move = child.until("move")
        assert move.split()[1] in DIRECTIONS
        assert told[-1].startswith("info nodes ")
        child.tell("gameover winner:python score:0-2", "startpostprocessing")
        child.until("postprocessingdone")
        assert child.process.stdin is not None
        child.process.stdin.close()
        assert child.process.wait(timeout=60) == 0
        assert child.process.stderr is not None
        said = child.process.stderr.read()
        assert said.splitlines() == [
            "ignored 'nonsense': unknown command",
            "ignored a line of more than 1048576 bytes",
        ]


def test_equal_seeds_give_equal_moves() -> None:
    """Of searches limited by samples: the time does not run out."""

    def moves() -> list[str]:
        with Child("--samples", "300", "--seed", "5") as child:
            child.tell("pyrat", "newgame", *BOARD, "youare rat", "timecontrol move:3600000", "go")
            found = child.until("move")[-1:]
            for turn in ("rat:UP python:LEFT", "rat:UP python:DOWN"):
                child.tell(f"moves {turn}", "go")
                found += child.until("move")[-2:]
        return [line.split(" time ")[0] for line in found]

    found = moves()
    assert len(found) == 5
    assert found == moves()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--protocol", "uci"], "uci is not one of bgs, pyrat"),
        (["--protocol", "pyrat", "--threads", "2"], "only with --protocol bgs: --threads"),
        (["--protocol", "pyrat", "--pyrat", "x"], "only with --protocol bgs: --pyrat"),
        (["--pyrat", "x", "--samples", "5"], "not with --pyrat: --samples"),
    ],
)
def test_options_that_do_not_go_together(options: list[str], text: str) -> None:
    process = engine(*options)
    _, said = process.communicate("", timeout=100)
    assert process.returncode == 2
    assert text in " ".join(said.replace("│", " ").split())
