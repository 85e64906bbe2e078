"""Bots of PyRat's host protocol in processes of their own: whole games, and bots that go astray."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines import Position
from programs import endpoints as line_endpoints
from programs.pyrat.host_bot import PyratHostBot, start_of
from programs.seat_programs import BROKEN, GONE, LATE, ProgramFailed, TurnTimes, UnsuitableProgram
from protocols.pyrat.host.codec import encode_host
from protocols.pyrat.host.framing import MAX_PACKET_BYTES
from protocols.pyrat.host.match_messages import MatchMessages
from tests.server.pyrat_host_bots import PATIENT, TIMES, write_bot

SMALL = {
    "width": 7,
    "height": 5,
    "maxTurns": 12,
    "seed": 3,
    "cheeseCount": 9,
}


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


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives programs time to exit by themselves on a busy machine."""
    monkeypatch.setattr(line_endpoints, "LEAVE_SECONDS", 60.0)


async def play(
    bot: PyratHostBot,
    seat: int,
    times: TurnTimes = TIMES,
    turns: int = 12,
    config: Mapping[str, Any] = SMALL,
) -> tuple[Position, list[str]]:
    """A game against a player that stays, and what the bot has printed."""
    position, lines = Position("pyrat", None, config), list[str]()
    program = await bot.start(position.copy(), seat, times, lines.append)
    try:
        while position.to_act and position.ply < turns:
            moves = ["STAY", "STAY"]
            moves[seat] = await program.choose(position.copy())
            position.play("/".join(moves))
    finally:
        await program.close(position)
    return position, lines


# ---- whole games ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.usefixtures("unhurried")
async def test_a_bot_plays_a_game_and_is_told_its_result(tmp_path: Path, seat: int) -> None:
    position, lines = await play(write_bot(tmp_path, "honest"), seat)
    assert position.outcome is not None
    assert {move.split("/")[1 - seat] for move in position.history} == {"STAY"}
    assert len({move.split("/")[seat] for move in position.history}) > 1
    points = [player["score"] for player in position.view()["players"]]
    winner = 2 if points[0] == points[1] else int(points[1] > points[0])
    assert lines == [f"game over {winner} {points[0]:g} {points[1]:g} {position.ply - 1}"]


@pytest.mark.usefixtures("unhurried")
async def test_a_bot_that_resyncs_in_every_turn_plays_on(tmp_path: Path) -> None:
    position, lines = await play(write_bot(tmp_path, "resyncing"), 0, turns=5)
    assert lines == [f"full state {turn}" for turn in range(1, 5)]
    assert len({move.split("/")[0] for move in position.history}) > 1


@pytest.mark.usefixtures("unhurried")
async def test_a_board_of_more_than_64_kib_is_played(tmp_path: Path) -> None:
    packet = encode_host(MatchMessages(Position("pyrat", None, MUDDY), PATIENT).configure())
    assert 1 << 16 < len(packet) < MAX_PACKET_BYTES
    _, lines = await play(write_bot(tmp_path, "resyncing"), 0, turns=2, config=MUDDY)
    assert lines == ["full state 1"]


@pytest.mark.usefixtures("unhurried")
async def test_a_late_bot_stays_and_is_told_to_stop(tmp_path: Path) -> None:
    position, lines = await play(write_bot(tmp_path, "late"), 0, TurnTimes(100, 60_000), turns=4)
    assert [move.split("/")[0] for move in position.history][::2] == ["STAY", "STAY"]
    assert lines == [f"stopped in turn {turn}" for turn in range(4)]


async def test_a_bot_may_move_when_it_is_stopped(tmp_path: Path) -> None:
    bot = replace(write_bot(tmp_path, "stopped-in-time"), times=replace(PATIENT, grace=60))
    late, _ = await play(bot, 0, TurnTimes(100, 60_000), turns=3)
    honest, _ = await play(write_bot(tmp_path, "honest"), 0, turns=3)
    assert late.history == honest.history


@pytest.mark.usefixtures("unhurried")
async def test_a_second_connection_is_refused_and_the_game_goes_on(tmp_path: Path) -> None:
    position, lines = await play(write_bot(tmp_path, "twofold"), 0, turns=1)
    assert (position.ply, lines) == (1, ["The bot is connected already."])


async def test_a_bot_can_continue_a_game(tmp_path: Path) -> None:
    position = Position("pyrat", None, SMALL)
    position.play("UP/DOWN", "RIGHT/LEFT", "STAY/STAY")
    program = await write_bot(tmp_path, "honest").start(position.copy(), 1, TIMES, print)
    move = await program.choose(position.copy())
    await program.close(position)
    assert move in position.legal_moves(1)
    assert start_of(position).ply == 0


# ---- bots that go astray -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("behaviour", "reason", "text"),
    [
        ("wrong-agent", BROKEN, "its agent_id is 'somebody else', not 'tests/scripted'"),
        ("wrong-hash", BROKEN, "hash incompatible, the start has the hash 0x"),
        ("wrong-turn-hash", BROKEN, "turn 0 has the hash 0x"),
        ("other-seat", BROKEN, "Action for PYTHON; the bot is RAT"),
        ("never-in-sync", BROKEN, "turn 1 has the hash 0x"),
        ("dying", GONE, "has disconnected (exit status 3: no more ideas)."),
        ("absent", GONE, "has exited without connecting (exit status 1: cannot start)."),
        ("malformed", BROKEN, "has violated the protocol: malformed packet"),
        ("empty", BROKEN, "a packet of 0 bytes; allowed are 1 to 16777216"),
    ],
)
@pytest.mark.usefixtures("unhurried")
async def test_a_bot_that_goes_astray_fails(tmp_path: Path, behaviour: str, reason: str, text: str) -> None:
    with pytest.raises(ProgramFailed) as failed:
        await play(write_bot(tmp_path, behaviour), 0)
    assert failed.value.reason == reason
    assert text in str(failed.value)
    assert str(failed.value).startswith("Scripted has ")


async def test_a_bot_that_does_not_identify_itself_fails(tmp_path: Path) -> None:
    bot = replace(write_bot(tmp_path, "silent"), times=replace(PATIENT, identify=0.1))
    with pytest.raises(ProgramFailed, match="Scripted has not sent Identify in time") as failed:
        await play(bot, 0)
    assert failed.value.reason == LATE


async def test_the_rest_of_a_bot_is_terminated(tmp_path: Path) -> None:
    position, lines = await play(write_bot(tmp_path, "noisy"), 0, turns=2)
    assert position.ply == 2
    child = int(next(line for line in lines if line.startswith("child ")).split()[1])
    assert sum(len(line) for line in lines if set(line) == {"x"}) >= 200_000
    await asyncio.to_thread(wait_for_end, child)


def wait_for_end(pid: int) -> None:
    """Waits until the process has ended."""
    while is_running(pid):
        time.sleep(0.05)


def is_running(pid: int) -> bool:
    """Whether a process exists that is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_games_that_the_protocol_cannot_express_are_refused(tmp_path: Path) -> None:
    position = Position("pyrat", None, SMALL | {"mudModel": "doc"})
    with pytest.raises(ProgramFailed, match=r"Scripted cannot play this game: .* mudModel 'doc'"):
        await write_bot(tmp_path, "honest").start(position, 0, TIMES, print)


# ---- manifests -----------------------------------------------------------------------------------


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
        PyratHostBot.read(str(tmp_path))
    assert why in str(error.value)
