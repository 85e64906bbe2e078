"""UHP engines and how they are named: what they answer, as scripts, as processes and behind sockets."""

import asyncio
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

import pytest

from drivers.asked_engine import AskedEngine
from engines import Position
from programs.child_process import ChildEndpoint
from programs.own_values import value_after
from programs.seat_programs import ProgramIdentity, TurnTimes, UnsuitableProgram, ignore_line
from programs.uhp.command import UhpCommand
from programs.uhp.driven_engine import DrivenUhpEngine
from programs.uhp.program import UhpProgramCommand
from protocols.uhp.answers import Done, EngineFailed
from protocols.uhp.game_string import GameString, parse, play, replay
from protocols.uhp.requests import Depth, MoveTime, SetOption
from tests.server.seat_kinds import OURS, script

SECOND = MoveTime(1)


@asynccontextmanager
async def running(command: str) -> AsyncIterator[DrivenUhpEngine]:
    started, _ = await DrivenUhpEngine.start(UhpCommand.parse(command), ignore_line)
    async with aclosing(started) as engine:
        yield engine


async def test_a_banner_that_comes_before_it_is_awaited_counts() -> None:
    async def send(_: str) -> None:
        raise AssertionError

    engine = AskedEngine(send)
    for line in ("id Quick v1", "ok"):
        engine.receive(line)
    assert (await engine.read_banner(60)).name == "Quick v1"


async def test_an_answer_that_meets_the_time_limit_counts() -> None:
    async def send(_: str) -> None:
        raise AssertionError

    engine = AskedEngine(send)
    banner = asyncio.ensure_future(engine.read_banner(0.01))
    await asyncio.sleep(0)
    for line in ("id Punctual v1", "ok"):
        asyncio.get_running_loop().call_soon(engine.receive, line)
    time.sleep(0.05)  # noqa: ASYNC251 - the answer and the time limit are handled in one turn of the loop
    assert (await banner).name == "Punctual v1"


async def test_an_answer_counts_even_if_the_line_is_not_sent_in_time() -> None:
    async def send(_: str) -> None:
        engine.receive("ok")
        await asyncio.Event().wait()

    engine = AskedEngine(send)
    engine.receive("ok")
    await engine.read_banner(60)
    assert await engine.ask(SetOption("Threads", "1"), 0.05) == Done()


# ---- how they are named ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("nokamute", (("nokamute",), None, {}, None)),
        ('"/opt/My Engine/e --fast"', (("/opt/My", "Engine/e", "--fast"), None, {}, None)),
        ("'/opt/My Engine/e' --fast", (("/opt/My Engine/e", "--fast"), None, {}, None)),
        ("Threads=1:MiB=64:nokamute", (("nokamute",), None, {"Threads": "1", "MiB": "64"}, None)),
        ("depth=2:nokamute --x=1:2", (("nokamute", "--x=1:2"), None, {}, Depth(2))),
        ("tcp:localhost:7000", ((), ("localhost", 7000), {}, None)),
        ("depth=3:tcp:[::1]:7000", ((), ("::1", 7000), {}, Depth(3))),
        ("time=60000:Threads=1:x", (("x",), None, {"Threads": "1"}, MoveTime(60))),
    ],
)
def test_commands(text: str, parts: tuple[object, ...]) -> None:
    """Program and arguments, or an address; options; the limit of a move."""
    command = UhpCommand.parse(text)
    assert (command.words, command.address, command.options, command.limit) == parts


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no command"),
        ("depth=2:", "no command"),
        ("depth=0:x", "depth is '0'"),
        ("depth=two:x", "depth is 'two'"),
        ("depth=9999999999:x", "depth is '9999999999'"),
        ("time=500:x", "time is '500', not a whole number of seconds in milliseconds"),
        ("time=1000:depth=2:x", "give a time or a depth, not both"),
        ("NumThreads=:x", "NumThreads has no value"),
        ("tcp:localhost", "not tcp:host:port"),
        ("tcp:localhost:99999", "not tcp:host:port"),
        ("'x", "closing quotation"),
    ],
)
def test_unusable_commands(text: str, why: str) -> None:
    with pytest.raises(UnsuitableProgram, match=why):
        UhpCommand.parse(text)


# ---- what they answer ------------------------------------------------------------------------------


@pytest.mark.parametrize("manner", ["rederives", "keeps", "plain"])
@pytest.mark.usefixtures("here")
async def test_a_whole_game_is_followed_however_it_is_written(manner: str) -> None:
    async with running(script(manner)) as engine:
        position = Position("hive", "Base+MLP")
        while position.to_act and position.ply < 40:
            await engine.go_to(position)
            position.play(await engine.best_move(SECOND, 60.0))
        assert position.ply > 10
        for _ in range(3):
            position.undo()
        await engine.go_to(position)
        await engine.go_to(Position("hive", "Base"))


@pytest.mark.parametrize("manner", ["forgets", "refuses"])
@pytest.mark.usefixtures("here")
async def test_an_engine_that_has_lost_the_game_is_right_again_when_set_up_anew(manner: str) -> None:
    async with running(script(manner)) as engine:
        position = Position("hive", "Base")
        await engine.go_to(position)
        play(position, "wA1")
        with pytest.raises(EngineFailed):
            await engine.go_to(position)
        await engine.go_to(position)


TALKATIVE = """
import os
os.write(1, b"id Talker\\nok\\nerr ready\\n")  # at once
for line in iter(input, "exit"):
    print("ok", flush=True)
"""


async def test_output_between_two_answers_belongs_to_neither() -> None:
    child = await ChildEndpoint.start([sys.executable, "-c", TALKATIVE])
    async with aclosing(DrivenUhpEngine(child)) as engine:
        assert (await engine.read_banner(60.0)).name == "Talker"
        assert await engine.ask(SetOption("Threads", "1"), 60.0) == Done()


async def identify(command: str) -> ProgramIdentity:
    return await UhpProgramCommand.parse(command).identify(TurnTimes(1000))


async def test_our_own_engine() -> None:
    assert (await identify(OURS)).lacks == {}
    async with running(OURS) as engine:
        await engine.go_to(Position("hive", "Base"))
        assert (await engine.best_move(Depth(1), 10.0))[:2] in ("wS", "wB", "wG", "wA")


@pytest.mark.usefixtures("here")
async def test_what_an_engine_lacks() -> None:
    known = await identify(script("base", settings="Strength=3:"))
    assert known.lacks["Base+M"] == "it lacks mosquito"
    assert "Base" not in known.lacks


async def test_an_engine_behind_a_socket() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        server = threading.Thread(target=serve_once, args=(listener,))
        server.start()
        async with running(f"tcp:127.0.0.1:{port}") as engine:
            await engine.go_to(replay(GameString("Base", ("wA1",))))
            assert "wA1" in (await engine.best_move(SECOND, 60.0))
            engine.interrupt()
        server.join(10)
        assert not server.is_alive()
    with pytest.raises(OSError, match="refused"):
        await identify(f"tcp:127.0.0.1:{port}")


def serve_once(listener: socket.socket) -> None:
    """Puts a scripted engine behind the next connection, as inetd would."""
    connection, _ = listener.accept()
    with connection, connection.makefile("rb") as reader:
        words = UhpCommand.parse(script("rederives")).words
        subprocess.run(words, stdin=reader, stdout=connection.fileno(), check=True, timeout=60)


async def test_a_process_that_is_interrupted_answers() -> None:
    async with running(script("late")) as engine:
        await engine.go_to(Position("hive", "Base"))
        alarm = threading.Timer(0.3, engine.interrupt)
        alarm.start()
        assert await engine.best_move(SECOND, 60.0)


def test_the_value_of_a_move_that_ends_the_game_is_exact() -> None:
    game = "Base;wS1;bS1 wS1-;wQ -wS1;bQ bS1/;wG1 -wQ;bG1 \\bQ;wG1 bQ\\;bG2 bQ/;wA1 wQ\\;bA1 bG2/;wA1 bG2\\"
    position = replay(parse(game))
    assert value_after(position, "bA1 /bG1") == (1.0, -1.0)
    assert all(-1 <= value <= 1 for value in value_after(Position("hive", "Base"), "wA1"))
