"""Programs of every kind and manner that play one seat: their moves, their failures and their processes.

Scripted programs run in this process, unless a test is about processes.
"""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines import Position
from engines.arena import Contender, Match, play_match
from engines.bots import Bot
from engines.pool import Limits
from programs import child_process
from programs.arena.program_player import ProgramBot
from programs.child_process import ChildEndpoint
from programs.kinds import read_program
from programs.pyrat import process as pyrat_process
from programs.pyrat import program as pyrat_program
from programs.pyrat.command import PyratCommand
from programs.pyrat.host_bot import start_of
from programs.seat_programs import (
    BROKEN,
    GONE,
    LATE,
    ProgramFailed,
    ProgramIdentity,
    SeatProgramCommand,
    TurnTimes,
    UnsuitableProgram,
)
from programs.uhp import driven_engine
from programs.uhp import program as uhp_program
from programs.uhp.program import UhpProgramCommand
from protocols.pyrat.host.codec import encode_host
from protocols.pyrat.host.framing import MAX_PACKET_BYTES
from protocols.pyrat.host.match_messages import MatchMessages
from tests.server.pyrat_bot_script import LONG
from tests.server.seat_kinds import (
    BOARDS,
    HOST_TIMES,
    PATIENT,
    PLAYERS,
    Seat,
    command_of,
    script,
    wait_until,
    write_bot,
)

KINDS = list(BOARDS)
LOST, ILLEGAL, DESYNC = "disconnect", "illegal-move", "desync"
SHORT = TurnTimes(1, 60_000)
"""Programs that never answer are late at once."""


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives child processes time to exit by themselves on a busy machine."""
    monkeypatch.setattr(child_process, "LEAVE_SECONDS", 60.0)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits hardly at all for programs that are late."""
    monkeypatch.setattr(uhp_program, "GRACE_SECONDS", -59.99)
    monkeypatch.setattr(pyrat_program, "GRACE_SECONDS", 0.01)
    monkeypatch.setattr(pyrat_program, "READY_SECONDS", 0.01)
    monkeypatch.setattr(pyrat_program, "MOST_RESTARTS", 1)
    monkeypatch.setattr(pyrat_process, "READING_SECONDS", 0.1)


# ---- programs that play --------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("kind", "manner"), PLAYERS)
@pytest.mark.usefixtures("here")
async def test_a_program_plays_a_game(tmp_path: Path, kind: str, manner: str, seat: int) -> None:
    """From the start or from the middle, with moves of its own."""
    at = Seat.of(kind, manner, tmp_path, seat)
    at.position.play(*("wA1", "bA1 wA1-") if kind == "uhp" else ("UP/DOWN", "STAY/STAY"))
    before = at.position.copy()
    moves = await at.play(12)
    assert len(moves) == 12 if kind == "uhp" else at.position.outcome is not None
    for entry in at.position.history[2:]:
        acting = before.to_act
        if seat in acting:
            move = entry.split("/")[acting.index(seat)] if len(acting) > 1 else entry
            assert move in before.legal_moves(seat)
        before.play(entry)
    assert len(set(moves)) > 1
    await at.close()


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.usefixtures("here")
async def test_a_text_bot_is_told_its_whole_game(tmp_path: Path, seat: int) -> None:
    told_file = tmp_path / "told"
    at = Seat.of("pyrat", "notes", tmp_path, seat, told_file, settings="Mood=wild:postprocessing=60000:")
    assert await at.command.identify(TurnTimes(1000)) == ProgramIdentity("Script notes")
    told_file.unlink()
    at.position.play("UP/STAY", "STAY/LEFT")  # played before the bot came
    moves = await at.play(12)
    await at.close()
    told = told_file.read_text().splitlines()
    assert told[:3] == ["pyrat", "setoption name Mood value wild", "newgame"]
    assert told[3:11:7] == [
        "maze height:5 width:5",
        "timecontrol move:60000 preprocessing:60000 postprocessing:60000",
    ]
    assert told[9] == f"youare {('rat', 'python')[seat]}"
    assert told[11] == "startpreprocessing"
    turns = [turn.split("/") for turn in ["STAY/STAY", *at.position.history]]
    lines = [f"moves rat:{rat} python:{python}" for rat, python in turns]
    assert [line for line in told if line.startswith("moves")] == lines
    assert told[12:17] == [lines[0], "go", *lines[1:3], "go"], "bots may follow from their first go only"
    assert told.count("go") == 1 + len(moves)
    assert told[-2].startswith("gameover winner:")
    assert told[-1] == "startpostprocessing"


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.usefixtures("here")
async def test_a_host_bot_is_told_the_result(tmp_path: Path, seat: int) -> None:
    at = Seat.of("pyrat-host", "honest", tmp_path, seat)
    await at.play(12)
    await at.close()
    points = [player["score"] for player in at.position.view()["players"]]
    winner = 2 if points[0] == points[1] else int(points[1] > points[0])
    assert at.notes == [f"game over {winner} {points[0]:g} {points[1]:g} {at.position.ply - 1}"]
    assert start_of(at.position).ply == 0


CELLS = [(x, y) for x in range(64) for y in range(64)]
MUDDY = {
    "width": 64,
    "height": 64,
    "mud": [
        *([[x, y], [x + 1, y], 2 + (x + y) % 14] for x, y in CELLS if x < 63),
        *([[x, y], [x, y + 1], 2 + (x * y) % 14] for x, y in CELLS if y < 63),
    ],
    "cheese": [[x, 32] for x in range(64)],
}
"""The largest board, with mud between all cells."""


@pytest.mark.usefixtures("here")
@pytest.mark.slow
async def test_a_board_of_more_than_64_kib_is_played(tmp_path: Path) -> None:
    position = Position("pyrat", None, MUDDY)
    packet = encode_host(MatchMessages(position, HOST_TIMES).configure())
    assert 1 << 16 < len(packet) < MAX_PACKET_BYTES
    at = Seat(write_bot(tmp_path, "resyncing"), position)
    await at.play(2)
    await at.close()
    assert at.notes == ["full state 1"]


# ---- moves that are late or none -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("manner", "times", "note"),
    [
        ("late", SHORT, "was late in 12 turns, and stayed"),
        ("babbles", PATIENT, "counts as STAY"),
        ("cheats", PATIENT, "counts as STAY"),
    ],
)
@pytest.mark.usefixtures("here")
async def test_an_answer_that_is_late_or_no_move_is_stay(
    tmp_path: Path, manner: str, times: TurnTimes, note: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pyrat_program, "GRACE_SECONDS", 0.01)
    monkeypatch.setattr(pyrat_program, "READY_SECONDS", 60.0)
    at = Seat.of("pyrat", manner, tmp_path)
    assert await at.play(12, times) == ["STAY"] * 12
    assert at.position.outcome is not None
    await at.close()
    assert note in at.noted
    assert len(at.notes) <= 10
    assert LONG[:1000] not in at.noted


@pytest.mark.usefixtures("here")
async def test_a_late_host_bot_stays_or_makes_its_provisional_move(tmp_path: Path) -> None:
    at = Seat.of("pyrat-host", "late", tmp_path)
    moves = await at.play(4, TurnTimes(100, 60_000))
    await at.close()
    assert moves[::2] == ["STAY", "STAY"]
    assert at.notes == [f"stopped in turn {turn}" for turn in range(4)]


@pytest.mark.usefixtures("here")
async def test_a_host_bot_may_move_when_it_is_stopped(tmp_path: Path) -> None:
    found = []
    for manner, times in (("stopped-in-time", TurnTimes(100, 60_000)), ("honest", PATIENT)):
        at = Seat.of("pyrat-host", manner, tmp_path)
        found.append(await at.play(3, times))
        await at.close()
    assert found[0] == found[1]


@pytest.mark.usefixtures("here")
async def test_a_bot_that_hangs_is_started_again_with_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pyrat_program, "READY_SECONDS", 0.01)
    at = Seat.of("pyrat", "deaf", tmp_path, settings="time=1:")
    assert await at.play(1) == ["STAY"]
    monkeypatch.setattr(pyrat_program, "GRACE_SECONDS", 60.0)
    assert len(await at.play(11)) == 11
    await at.close()
    assert "hangs at turn 1, and is started again" in at.noted
    assert "was late in 1 turn, and stayed" in at.noted


@pytest.mark.usefixtures("here")
async def test_an_engine_that_thinks_too_long_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uhp_program, "OVERDUE_DEPTH_SECONDS", 0.01)
    monkeypatch.setattr(uhp_program, "OVERDUE_SECONDS", 60.0)
    command = command_of("uhp", "late", tmp_path, settings="depth=2:")
    assert isinstance(command, UhpProgramCommand)
    shared = command.shared(1)
    position = Position("hive", "Base")
    program = await shared.start(position, 0, PATIENT, print)
    assert await program.choose(position) in position.legal_moves()
    await shared.stop()


@pytest.mark.usefixtures("here")
async def test_a_second_connection_is_refused_and_the_game_goes_on(tmp_path: Path) -> None:
    at = Seat.of("pyrat-host", "twofold", tmp_path)
    await at.play(1)
    await at.close()
    assert (at.position.ply, at.notes) == (1, ["The bot is connected already."])


@pytest.mark.parametrize("manner", ["honest", "wrong-hash"])
async def test_a_host_bot_may_connect_before_its_process_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, manner: str
) -> None:
    """As quick native bots do. One that leaves at once is noticed too."""
    start = ChildEndpoint.start

    async def slow_start(*args: Any, **options: Any) -> ChildEndpoint:
        child = await start(*args, **options)
        await asyncio.sleep(1)
        return child

    monkeypatch.setattr(ChildEndpoint, "start", slow_start)
    at = Seat.of("pyrat-host", manner, tmp_path)
    try:
        if manner == "honest":
            assert len(await at.play(2)) == 2
        else:
            with pytest.raises(ProgramFailed, match="hash incompatible"):
                await at.play(1)
    finally:
        await at.close()


# ---- programs that fail --------------------------------------------------------------------------

FAILURES = {
    ("uhp", "dies"): (0, LOST, "exit status 3: out of honey"),
    ("uhp", "floods"): (0, BROKEN, "too long"),
    ("uhp", "longs"): (0, BROKEN, "too long"),
    ("uhp", "errs"): (0, BROKEN, "err I am tired"),
    ("uhp", "empty"): (0, BROKEN, "named no move"),
    ("uhp", "illegal"): (0, ILLEGAL, "wQ"),
    ("uhp", "garbles"): (0, ILLEGAL, "hello?"),
    ("uhp", "forgets"): (0, DESYNC, "shows another game"),
    ("uhp", "refuses"): (0, DESYNC, "answers “invalidmove"),
    ("uhp", "deaf"): (0, LATE, "in time"),
    ("pyrat", "dies"): (2, GONE, "has ended (exit status 3: no cheese left to live for)."),
    ("pyrat", "quits"): (2, GONE, "has ended (it has closed its output)."),
    ("pyrat", "floods"): (0, BROKEN, "has written too much."),
    ("pyrat", "hangs"): (2, LATE, "hangs; restarts so far: 1."),
    ("pyrat", "blind"): (300, LATE, "does not read its input"),
    ("pyrat-host", "wrong-agent"): (0, BROKEN, "its agent_id is 'somebody else', not 'tests/scripted'"),
    ("pyrat-host", "wrong-hash"): (0, BROKEN, "hash incompatible, the start has the hash 0x"),
    ("pyrat-host", "wrong-turn-hash"): (0, BROKEN, "turn 0 has the hash 0x"),
    ("pyrat-host", "other-seat"): (0, BROKEN, "Action for PYTHON; the bot is RAT"),
    ("pyrat-host", "never-in-sync"): (1, BROKEN, "turn 1 has the hash 0x"),
    ("pyrat-host", "malformed"): (0, BROKEN, "has violated the protocol: malformed packet"),
    ("pyrat-host", "empty"): (0, BROKEN, "a packet of 0 bytes; allowed are 1 to 16777216"),
    ("pyrat-host", "silent"): (0, LATE, "has not sent Identify in time"),
    ("pyrat-host", "absent"): (0, GONE, "has exited without connecting (exit status 1: cannot start)."),
    ("pyrat-host", "dying"): (2, GONE, "has disconnected (exit status 3: no more ideas)."),
}
"""After which ply, for what reason and with which words a program loses."""

HURRIED = {("uhp", "deaf"): PATIENT, ("pyrat", "hangs"): SHORT, ("pyrat", "blind"): TurnTimes(500, 1)}


async def fail(kind: str, manner: str, folder: Path, request: pytest.FixtureRequest) -> None:
    plies, reason, text = FAILURES[kind, manner]
    at = Seat.of(kind, manner, folder)
    if manner == "blind":
        at.position = Position("pyrat", "open", {**at.position.config, "maxTurns": 1023})
        at.position.play(*["STAY/STAY"] * plies)
    if (kind, manner) in HURRIED:
        request.getfixturevalue("hasty")
    with pytest.raises(ProgramFailed) as failed:
        await at.play(12, HURRIED.get((kind, manner), PATIENT))
    await at.close()
    assert failed.value.reason == reason
    assert text in str(failed.value)
    named = {"uhp": "The engine", "pyrat": at.command.text, "pyrat-host": "Scripted has "}[kind]
    assert str(failed.value).startswith(named)
    assert at.position.ply == plies, "the moves before it count"
    last_words = text.partition("exit status 3: ")[2].rstrip(").")
    assert kind == "uhp" or last_words in at.noted, "its stderr is logged"


@pytest.mark.parametrize(("kind", "manner"), FAILURES)
@pytest.mark.usefixtures("here")
async def test_a_program_that_fails_loses_with_the_reason(
    tmp_path: Path, kind: str, manner: str, request: pytest.FixtureRequest
) -> None:
    await fail(kind, manner, tmp_path, request)


@pytest.mark.parametrize(("kind", "manner"), FAILURES)
@pytest.mark.usefixtures("here")
def test_a_match_ends_with_a_result_whatever_a_program_does(
    tmp_path: Path, kind: str, manner: str, request: pytest.FixtureRequest
) -> None:
    if (kind, manner) in HURRIED:
        request.getfixturevalue("hasty")
    game, variant, *_ = BOARDS[kind]
    bad = ProgramBot(manner, command_of(kind, manner, tmp_path), print, may_crash=True)
    bots: list[Contender] = [bad, Bot.parse("random")]
    limits = Limits(None, HURRIED.get((kind, manner), PATIENT).move_ms)
    (played,) = play_match(Match(game, bots, 1, limits, variant, opening_plies=0), jobs=1)
    assert played.reason
    if manner not in ("dies", "quits", "dying", "hangs", "blind", "never-in-sync"):  # It may have won before.
        assert (played.values, played.reason) == ((-1, 1), FAILURES[kind, manner][1])


@pytest.mark.parametrize(
    ("kind", "manner"),
    [
        ("uhp", "dies"),
        pytest.param("uhp", "floods", marks=pytest.mark.slow),
        ("pyrat", "dies"),
        ("pyrat", "quits"),
        ("pyrat-host", "dying"),
    ],
)
async def test_a_process_that_fails(
    tmp_path: Path, kind: str, manner: str, request: pytest.FixtureRequest
) -> None:
    """Its exit status and its last words are found out, and a flood is no longer read."""
    if kind == "pyrat-host":
        request.getfixturevalue("unhurried")
    await fail(kind, manner, tmp_path, request)


@pytest.mark.parametrize(
    ("command", "reason", "text"),
    [
        (f"uhp:{script('mute')}", LATE, "in time"),
        ("uhp:true", LOST, "exit status 0"),
        (
            f"uhp:{script('base', settings='Honey=3:')}",
            BROKEN,
            "Honey=3: The engine answers “err no option Honey”.",
        ),
        (f"pyrat:{script('mute', kind='pyrat')}", LATE, "has not answered pyrat with pyratready"),
        ("pyrat:true", GONE, "true has ended (exit status 0)"),
        (f"pyrat:{script('walks', kind='pyrat', settings='Depth=3:')}", BROKEN, "there is no option Depth"),
    ],
)
@pytest.mark.usefixtures("here")
async def test_a_program_that_cannot_be_used(
    command: str, reason: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "mute" in command:
        monkeypatch.setattr(driven_engine, "START_SECONDS", 0.01)
        monkeypatch.setattr(pyrat_process, "GREETING_SECONDS", 0.01)
    program = read_program(command)
    assert program is not None
    with pytest.raises(ProgramFailed) as failed:
        await program.identify(TurnTimes(1000))
    assert failed.value.reason == reason
    assert text in str(failed.value)


@pytest.mark.parametrize("kind", ["uhp", "pyrat"])
async def test_a_program_that_does_not_exist(kind: str) -> None:
    program = read_program(f"{kind}:/no/such")
    assert program is not None
    with pytest.raises(FileNotFoundError, match="/no/such"):
        await program.identify(TurnTimes(1000))


async def test_games_that_the_protocol_cannot_express_are_refused(tmp_path: Path) -> None:
    position = Position("pyrat", None, {"mudModel": "doc"})
    with pytest.raises(ProgramFailed, match=r"Scripted cannot play this game: .* mudModel 'doc'"):
        await write_bot(tmp_path, "honest").start(position, 0, PATIENT, print)


@pytest.mark.parametrize(
    ("manifest", "why"),
    [
        (None, "bot.toml: No such file or directory"),
        ("[settings", "bot.toml: Expected ']'"),
        ("name = 'x'", "bot.toml: there is no [settings]"),
        ("[settings]\nname = 'x'\nagent_id = 'y'", "[settings] has no text 'run_command'"),
        ("[settings]\nname = 'x'\nagent_id = 3", "[settings] has no text 'agent_id'"),
    ],
)
def test_bad_manifests(tmp_path: Path, manifest: str | None, why: str) -> None:
    if manifest is not None:
        tmp_path.joinpath("bot.toml").write_text(manifest)
    with pytest.raises(UnsuitableProgram) as error:
        read_program(f"pyrat-host:{tmp_path}")
    assert why in str(error.value)


# ---- processes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "most"), [("pyrat", 12), ("pyrat-host", 2)])
async def test_full_outputs_stop_nobody(tmp_path: Path, kind: str, most: int) -> None:
    at = Seat.of(kind, "noisy", tmp_path)
    assert len(await at.play(most)) == most
    await at.close()
    assert sum(len(line) for line in at.notes if "x" * 100 in line) >= 100_000


@pytest.mark.parametrize(("kind", "manner"), [("uhp", "plain"), ("pyrat", "walks"), ("pyrat-host", "honest")])
async def test_nothing_is_left_running(tmp_path: Path, kind: str, manner: str) -> None:
    """Not even what a wrapper has started, and what ignores every signal."""
    wrapper, pids = tmp_path / "wrapper.sh", tmp_path / "pids"
    run = f"(trap '' INT TERM; sleep 600) >&- &\necho $! > {pids}\n{script(manner, kind=kind)}"
    wrapper.write_text(f"#!/bin/sh\n{run}\n")
    wrapper.chmod(0o755)
    if kind == "pyrat-host":
        command: SeatProgramCommand | None = replace(write_bot(tmp_path, manner), run_command=str(wrapper))
    else:
        command = read_program(f"{kind}:{wrapper}")
    assert command is not None
    at = Seat(command, Position(*BOARDS[kind]))
    await at.play(1)
    child = int(pids.read_text())
    assert is_running(child)
    await at.close()
    await asyncio.to_thread(wait_until, lambda: not is_running(child))


def test_a_bot_has_a_day_at_most() -> None:
    command = read_program("pyrat:time=86400000:bot")
    assert isinstance(command, PyratCommand)
    assert command.times == {"time": 86_400_000}
    with pytest.raises(UnsuitableProgram, match="not milliseconds from 1 to 86400000"):
        read_program("pyrat:time=86400001:bot")


def is_running(pid: int) -> bool:
    """Whether there is such a process, other than one that nobody has reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
