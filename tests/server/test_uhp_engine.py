"""UHP engines as child processes and behind sockets: what they answer, and every way in which they do not."""

import asyncio
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest

from drivers.asked_engine import AskedEngine
from engines import Position
from programs.endpoints import ChildEndpoint
from programs.seat_programs import ProgramFailed, ProgramIdentity, TurnTimes, UnsuitableProgram
from programs.uhp import driven_engine as driven_uhp_engine
from programs.uhp.command import UhpCommand
from programs.uhp.driven_engine import DrivenUhpEngine, ignore_line
from programs.uhp.program import UhpProgramCommand
from protocols.uhp.answers import Done, EngineFailed
from protocols.uhp.game_string import GameString, play, replay
from protocols.uhp.requests import Depth, MoveTime, SetOption
from tests.server.uhp_peers import OURS, script

SECOND = MoveTime(1)


@asynccontextmanager
async def running(command: str) -> AsyncIterator[DrivenUhpEngine]:
    async with aclosing(await DrivenUhpEngine.start(UhpCommand.parse(command), ignore_line)) as engine:
        await engine.begin()
        yield engine


async def test_a_banner_that_comes_before_it_is_awaited_counts() -> None:
    async def send(_: str) -> None:
        raise AssertionError

    engine = AskedEngine(send)
    for line in ("id Quick v1", "ok"):
        engine.receive(line)
    assert (await engine.read_banner(60)).name == "Quick v1"


async def test_an_answer_that_meets_the_time_limit_counts() -> None:
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours)

    async def send(_: str) -> None:
        raise AssertionError

    async def read() -> None:
        while line := await reader.readline():
            engine.receive(line.decode().strip())

    engine = AskedEngine(send)
    reading = asyncio.ensure_future(read())
    banner = asyncio.ensure_future(engine.read_banner(0.05))
    await asyncio.sleep(0.01)
    theirs.sendall(b"id Punctual v1\nok\n")
    time.sleep(0.1)  # noqa: ASYNC251 - the answer and the time limit are handled in one turn of the loop
    assert (await banner).name == "Punctual v1"
    theirs.close()
    await reading
    writer.close()
    await writer.wait_closed()


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
    ("text", "words", "address", "options", "limit"),
    [
        ("nokamute", ("nokamute",), None, {}, None),
        ('"/opt/My Engine/e --fast"', ("/opt/My", "Engine/e", "--fast"), None, {}, None),
        ("'/opt/My Engine/e' --fast", ("/opt/My Engine/e", "--fast"), None, {}, None),
        (
            "NumThreads=1:TableSizeMiB=64:nokamute",
            ("nokamute",),
            None,
            {"NumThreads": "1", "TableSizeMiB": "64"},
            None,
        ),
        ("depth=2:nokamute --x=1:2", ("nokamute", "--x=1:2"), None, {}, Depth(2)),
        ("tcp:localhost:7000", (), ("localhost", 7000), {}, None),
        ("depth=3:tcp:[::1]:7000", (), ("::1", 7000), {}, Depth(3)),
        ("time=60000:Threads=1:x", ("x",), None, {"Threads": "1"}, MoveTime(60)),
    ],
)
def test_commands(
    text: str,
    words: tuple[str, ...],
    address: tuple[str, int] | None,
    options: dict[str, str],
    limit: MoveTime | Depth | None,
) -> None:
    command = UhpCommand.parse(text)
    assert (command.words, command.address, command.options, command.limit) == (
        words,
        address,
        options,
        limit,
    )


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


# ---- engines that work -----------------------------------------------------------------------------


@pytest.mark.parametrize("manner", ["rederives", "keeps", "well"])
async def test_a_whole_game_is_followed_however_it_is_written(manner: str) -> None:
    async with running(script(manner)) as engine:
        position = Position("hive", "Base+MLP")
        while position.to_act and position.ply < 40:
            await engine.go_to(position)
            position.play(await engine.best_move(SECOND, 5.0))
        assert position.ply > 10
        for _ in range(3):
            position.undo()
        await engine.go_to(position)
        await engine.go_to(Position("hive", "Base"))


TALKATIVE = """
import os
os.write(1, b"id Talker\\nok\\nerr ready\\n")  # at once
for line in iter(input, "exit"):
    print("ok", flush=True)
"""


async def test_output_between_two_answers_belongs_to_neither() -> None:
    async with aclosing(
        DrivenUhpEngine(await ChildEndpoint.start([sys.executable, "-c", TALKATIVE]))
    ) as engine:
        assert (await engine.read_banner(60.0)).name == "Talker"
        wanted = SetOption("Threads", "1")
        assert await engine.ask(wanted, 60.0) == Done()


async def identify(command: str) -> ProgramIdentity:
    return await UhpProgramCommand.parse(command).identify(TurnTimes(1000))


async def test_our_own_engine() -> None:
    assert (await identify(OURS)).lacks == {}
    async with running(OURS) as engine:
        await engine.go_to(Position("hive", "Base"))
        assert (await engine.best_move(Depth(1), 10.0))[:2] in ("wS", "wB", "wG", "wA")


async def test_identities_and_options() -> None:
    known = await identify(script("base", settings="Strength=3:"))
    assert known.lacks["Base+M"] == "it lacks mosquito"
    assert "Base" not in known.lacks
    with pytest.raises(ProgramFailed, match="no option Honey"):
        await identify(script("base", settings="Honey=3:"))


async def test_an_engine_behind_a_socket() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        server = threading.Thread(target=serve_once, args=(listener,))
        server.start()
        async with running(f"tcp:127.0.0.1:{port}") as engine:
            await engine.go_to(replay(GameString("Base", ("wA1",))))
            assert "wA1" in (await engine.best_move(SECOND, 5.0))
            engine.interrupt()
        server.join(10)
        assert not server.is_alive()


def serve_once(listener: socket.socket) -> None:
    """Puts a scripted engine behind the next connection, as inetd would."""
    connection, _ = listener.accept()
    with connection, connection.makefile("rb") as reader:
        words = UhpCommand.parse(script("rederives")).words
        subprocess.run(words, stdin=reader, stdout=connection.fileno(), check=True, timeout=60)


async def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with pytest.raises(OSError, match="refused"):
        await DrivenUhpEngine.start(UhpCommand.parse(f"tcp:127.0.0.1:{port}"), ignore_line)


# ---- engines that do not ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("manner", "reason", "text"),
    [
        ("dies", "disconnect", "exit status 3: out of honey"),
        ("floods", "protocol", "too long"),
        ("longs", "protocol", "too long"),
        ("errs", "protocol", "err I am tired"),
        ("empty", "protocol", "named no move"),
        ("illegal", "illegal-move", "wQ"),
        ("garbles", "illegal-move", "hello?"),
        ("deaf", "timeout", "in time"),
    ],
)
async def test_failures_of_a_search(manner: str, reason: str, text: str) -> None:
    async with running(script(manner)) as engine:
        await engine.go_to(Position("hive", "Base"))
        with pytest.raises(EngineFailed, match=text.replace("?", r"\?")) as failure:
            await engine.best_move(SECOND, 1.0 if reason == "timeout" else 60.0)
        assert failure.value.reason == reason


@pytest.mark.parametrize(
    ("manner", "text"), [("forgets", "shows another game"), ("refuses", "answers “invalidmove")]
)
async def test_engines_that_lose_the_game_out_of_sight(manner: str, text: str) -> None:
    async with running(script(manner)) as engine:
        position = Position("hive", "Base")
        await engine.go_to(position)
        play(position, "wA1")
        with pytest.raises(EngineFailed, match=text) as failure:
            await engine.go_to(position)
        assert failure.value.reason == "desync"
        await engine.go_to(position)  # set up anew it is right again


async def test_a_search_that_is_interrupted_answers() -> None:
    async with running(script("late")) as engine:
        await engine.go_to(Position("hive", "Base"))
        alarm = threading.Timer(0.3, engine.interrupt)
        alarm.start()
        assert await engine.best_move(SECOND, 10.0)


async def test_an_engine_without_a_banner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driven_uhp_engine, "START_SECONDS", 0.5)
    with pytest.raises(ProgramFailed, match="in time") as failure:
        await identify(script("mute"))
    assert failure.value.reason == "timeout"


async def test_a_program_that_is_none() -> None:
    with pytest.raises(ProgramFailed, match="exit status 0"):
        await identify("true")
    with pytest.raises(FileNotFoundError):
        await identify("/no/such/engine")


async def test_nothing_is_left_behind(tmp_path: Path) -> None:
    """Not even what a wrapper has started, and what minds no signal."""
    wrapper = tmp_path / "wrapper.sh"
    pids = tmp_path / "pids"
    wrapper.write_text(f"#!/bin/sh\n(trap '' INT TERM; sleep 60) >&- &\necho $! > {pids}\n{script('deaf')}\n")
    wrapper.chmod(0o755)
    async with running(str(wrapper)) as engine:
        await engine.go_to(Position("hive", "Base"))
        with pytest.raises(EngineFailed):
            await engine.best_move(SECOND, 0.3)
    child = int(pids.read_text())
    deadline = time.monotonic() + 60
    while is_running(child):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


def is_running(pid: int) -> bool:
    """Whether there is such a process, other than one that nobody has reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
