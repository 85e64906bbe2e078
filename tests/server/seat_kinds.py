"""The kinds of programs that play one seat, as scripted programs of any manner: in this process, or as processes."""

import asyncio
import shlex
import sys
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

from engines import Position
from programs.child_process import ChildEndpoint
from programs.kinds import read_program
from programs.pyrat.host_bot import PyratHostBot
from programs.seat_programs import SeatProgram, SeatProgramCommand, TurnTimes
from protocols.pyrat.host.match_messages import HostTimes
from protocols.uhp.lines import MAX_LINE_BYTES, Line, LineSplitter
from tests.server import pyrat_host_script
from tests.server.program import PLYHOUSE, ROOT
from tests.server.pyrat_bot_script import PyratBot
from tests.server.scripted import Act, Exits, LineProgram, Said
from tests.server.uhp_engine_script import UhpEngine

PATIENT = TurnTimes(60_000, 60_000)
"""Nothing is late, however busy the machine is."""

SCRIPTS: dict[str, Callable[..., LineProgram]] = {"uhp": UhpEngine, "pyrat": PyratBot}
MODULES = {
    "uhp": "tests.server.uhp_engine_script",
    "pyrat": "tests.server.pyrat_bot_script",
    "simple": "tests.server.uhp_simple_script",
    "pyrat-host": "tests.server.pyrat_host_script",
}

BOARDS = {
    "uhp": ("hive", "Base", None),
    "pyrat": ("pyrat", "open", {"width": 5, "height": 5, "cheeseCount": 5, "maxTurns": 12}),
    "pyrat-host": (
        "pyrat",
        None,
        {"width": 7, "height": 5, "maxTurns": 12, "seed": 3, "cheeseCount": 9},
    ),
}
"""The game that each kind plays here."""

PLAYERS = [
    ("uhp", "plain"),
    ("uhp", "rederives"),
    ("uhp", "keeps"),
    ("pyrat", "walks"),
    ("pyrat-host", "honest"),
    ("pyrat-host", "resyncing"),
]
"""Kinds and manners that play whole games."""

OURS = f"{shlex.join(PLYHOUSE)} uhp"
"""Our engine as a UHP engine."""

HOST_TIMES = HostTimes(connect=90, identify=60, configure=60, sync=60)
OTHER_TIMES = {
    "silent": replace(HOST_TIMES, identify=0.1),
    "stopped-in-time": replace(HOST_TIMES, grace=60),
}


def words_of(kind: str, manner: str, *rest: object) -> list[str]:
    """The command of a scripted program, which runs in any folder."""
    return ["env", f"PYTHONPATH={ROOT}", sys.executable, "-m", MODULES[kind], manner, *map(str, rest)]


def script(manner: str, *rest: object, kind: str = "uhp", settings: str = "") -> str:
    """The same as one text; ``settings`` end in ``:``."""
    return settings + shlex.join(words_of(kind, manner, *rest))


def write_bot(folder: Path, manner: str) -> PyratHostBot:
    """Writes the ``bot.toml`` of a scripted bot."""
    settings = {
        "name": "Scripted",
        "agent_id": "tests/scripted",
        "run_command": script(manner, kind="pyrat-host"),
    }
    lines = [f"{name} = '''{value}'''" for name, value in settings.items()]
    folder.joinpath("bot.toml").write_text("\n".join(["[settings]", *lines]))
    return read_patiently(str(folder))


def read_patiently(folder: str) -> PyratHostBot:
    """A bot that has much time."""
    bot = PyratHostBot.read(folder)
    return replace(bot, times=OTHER_TIMES.get(shlex.split(bot.run_command)[-1], HOST_TIMES))


def command_of(kind: str, manner: str, folder: Path, *rest: object, settings: str = "") -> SeatProgramCommand:
    """A scripted program of this kind."""
    if kind == "pyrat-host":
        return write_bot(folder, manner)
    command = read_program(f"{kind}:{script(manner, *rest, kind=kind, settings=settings)}")
    assert command is not None
    return command


class Seat:
    """One program in one seat of a game; the others play anything, or stay where they are."""

    def __init__(self, command: SeatProgramCommand, position: Position, seat: int = 0) -> None:
        self.command = command
        self.position = position
        self.seat = seat
        self.notes: list[str] = []
        self.program: SeatProgram | None = None

    @classmethod
    def of(
        cls, kind: str, manner: str, folder: Path, seat: int = 0, *rest: object, settings: str = ""
    ) -> "Seat":
        """A scripted program at the start of the game of its kind."""
        return cls(command_of(kind, manner, folder, *rest, settings=settings), Position(*BOARDS[kind]), seat)

    async def play(self, most: int, times: TurnTimes = PATIENT) -> list[str]:
        """Plays up to this many moves of the program, and returns them. Raises ProgramFailed."""
        if self.program is None:
            self.program = await self.command.start(self.position.copy(), self.seat, times, self.notes.append)
        moves: list[str] = []
        while self.position.to_act and len(moves) < most:
            parts = {seat: self.other_move(seat) for seat in self.position.to_act}
            if self.seat in parts:
                moves.append(await self.program.choose(self.position.copy()))
                parts[self.seat] = moves[-1]
            self.position.play("/".join(parts.values()))
        return moves

    def other_move(self, seat: int) -> str:
        moves = self.position.legal_moves(seat)
        return "STAY" if "STAY" in moves else moves[self.position.ply % len(moves)]

    async def close(self) -> None:
        if self.program is not None:
            await self.program.close(self.position)

    @property
    def noted(self) -> str:
        return "\n".join(self.notes)


def wait_until(condition: Callable[[], object]) -> None:
    """Polls until this is true, for a minute."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


# ---- in this process -----------------------------------------------------------------------------

_start_process = ChildEndpoint.start


async def start_here(
    words: Sequence[str],
    farewell: str | None = "exit",
    log: Callable[[str], None] | None = None,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    most: int = MAX_LINE_BYTES,
) -> ChildEndpoint:
    """``ChildEndpoint.start`` that runs scripted programs in this process, and others as processes."""
    command = shlex.split(words[-1]) if words[0] == "sh" else list(words)
    if "-m" not in command:
        return await _start_process(words, farewell, log, folder, environment, most)
    module, *rest = command[command.index("-m") + 1 :]
    for kind, program in SCRIPTS.items():
        if module == MODULES[kind]:
            return ProgramHere(program(*rest), log, most)
    return HostBotHere(rest[0], environment or {}, log)


class ProgramHere(ChildEndpoint):
    """A scripted program in place of a child process. It reads at most 256 lines before it has to answer."""

    def __init__(self, program: LineProgram, log: Callable[[str], None] | None, most: int) -> None:
        self.pid = 0
        self._program = program
        self._log = log
        self._most = most
        self._told: asyncio.Queue[str | None] = asyncio.Queue(256)
        self._interrupt = asyncio.Event()
        self._how = "it has closed its output"

    async def lines(self) -> AsyncIterator[Line]:
        splitter = LineSplitter(self._most)
        try:
            async with aclosing(self._output_of_all()) as output:
                async for said in output:
                    await asyncio.sleep(0)
                    if said is Act.THINK:
                        await self._interrupt.wait()
                    elif said is Act.HANG:
                        await asyncio.Event().wait()
                    elif said is Act.CLOSE:
                        return
                    else:
                        for line in splitter.feed(said if isinstance(said, bytes) else f"{said}\n".encode()):
                            yield line
        except Exits as end:
            self._how = ending_of(end)
            if end.last and self._log is not None:
                self._log(end.last)

    async def _output_of_all(self) -> AsyncGenerator[Said, None]:
        for said in self._program.greet():
            yield said
        while (line := await self._told.get()) is not None:
            for said in self._program.answer(line):
                yield said

    async def send(self, text: str) -> None:
        for line in text.split("\n"):
            await self._told.put(line)

    def interrupt(self) -> None:
        self._interrupt.set()

    def end_input(self) -> None:
        self._told.put_nowait(None)

    async def ending(self) -> str:
        return self._how

    async def close(self) -> None:
        self._told = asyncio.Queue()


class HostBotHere(ChildEndpoint):
    """A scripted bot of PyRat's host protocol in a thread. It ends when its connection is closed."""

    def __init__(
        self, behaviour: str, environment: Mapping[str, str], log: Callable[[str], None] | None
    ) -> None:
        self._log = log
        self._said: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._how = asyncio.ensure_future(asyncio.to_thread(self._run, behaviour, environment))

    def _run(self, behaviour: str, environment: Mapping[str, str]) -> str:
        """Plays, and returns how it has ended."""
        try:
            pyrat_host_script.play(behaviour, environment, self._say)
        except Exits as end:
            if end.last and self._log is not None:
                self._loop.call_soon_threadsafe(self._log, end.last)
            return ending_of(end)
        finally:
            self._say(None)
        return ending_of(Exits(0))

    def _say(self, line: str | None) -> None:
        self._loop.call_soon_threadsafe(self._said.put_nowait, line)

    async def lines(self) -> AsyncIterator[Line]:
        while (line := await self._said.get()) is not None:
            yield line
            self._said.task_done()
        self._said.task_done()

    async def ending(self) -> str:
        return await asyncio.shield(self._how)

    async def exited(self) -> None:
        await self.ending()

    async def close(self) -> None:
        await self.ending()
        await self._said.join()


def ending_of(end: Exits) -> str:
    """As ``ChildEndpoint.ending`` describes it."""
    return f"exit status {end.status}" + (f": {end.last}" if end.last else "")
