"""The bridge as a process, between a scripted MzingaViewer and a scripted seat at a running server.

The viewer here expects exactly what MzingaViewer does: a banner at once, a GameString as the first line after every
change, then ``validmoves``; on the engine's turn ``bestmove``, whose last line it plays itself.
"""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from engines import Position
from protocols.uhp.game_string import moves_of, parse, replay
from tests.server import program
from tests.server.program import PLYHOUSE, ROOT
from tests.server.serving import Served
from tests.server.uhp_clients import Peer, new_game, opened, shown, take_back, tcp

PROGRAM = [*PLYHOUSE, "uhp"]
BARE = {"drawByRepetition": False, "plyLimit": 0}
COLORS = ("White", "Black")
PATIENCE = 60.0

SURROUNDED = (
    *("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1/", "wG1 -wQ", "bG1 \\bQ", "wG1 bQ\\", "bG2 bQ/", "wA1 wQ\\"),
    *("bA1 bG2/", "wA1 bG2\\", "bA1 /bG1"),
)
"""White wins with the last move, which is Black's."""


class Viewer:
    """MzingaViewer: one command at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.position = Position("hive", "Base", BARE)

    async def answer(self) -> list[str]:
        """The lines before ``ok``."""
        assert self.process.stdout is not None
        lines: list[str] = []
        async with asyncio.timeout(PATIENCE):
            while (raw := await self.process.stdout.readline()) != b"ok\n":
                assert raw.endswith(b"\n"), f"the bridge has ended after {lines}"
                lines.append(raw.decode().rstrip("\n"))
        return lines

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())

    async def ask(self, line: str) -> list[str]:
        self.say(line)
        return await self.answer()

    async def change(self, line: str) -> None:
        """A command that changes the game; the list of moves is asked for at once while it is running."""
        first, *_ = await self.ask(line)
        self.position = replay(parse(first), BARE)
        if self.position.outcome is None:
            (moves,) = await self.ask("validmoves")
            assert sorted(moves.split(";")) == sorted(self.position.legal_moves())

    async def play(self, move: str) -> None:
        await self.change("pass" if move == "pass" else f"play {move}")

    async def engine_plays(self) -> str:
        """The side that is configured as Engine AI."""
        move = (await self.ask("bestmove time 00:00:05"))[-1].partition(";")[0]
        await self.play(move)
        return move


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the bridges of a test keep their seats."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "plyhouse" / "uhp"


@asynccontextmanager
async def a_viewer(server: str, *options: str) -> AsyncIterator[Viewer]:
    """A viewer that has read the banner."""
    process = await asyncio.create_subprocess_exec(
        *PROGRAM,
        *("--server", server, *options),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    viewer = Viewer(process)
    try:
        identity, capabilities = await viewer.answer()
        assert identity.startswith("id Plyhouse bridge v")
        assert capabilities == "Mosquito;Ladybug;Pillbug"
        yield viewer
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def criteria(viewer: Viewer, color: str, seconds: int, increment: int = 0) -> None:
    """What to look for."""
    for name, value in (("Seat", color), ("Seconds", seconds), ("Increment", increment)):
        (line,) = await viewer.ask(f"options set {name} {value}")
        assert line.split(";")[2] == str(value)


@asynccontextmanager
async def opposite(services: Served, color: str, tc: str) -> AsyncIterator[Peer]:
    """A seat of the other colour that has just been given its place."""
    other = COLORS[1 - COLORS.index(color)]
    async with opened(tcp, services, f"role=seat type=Base color={other.lower()} tc={tc}") as peer:
        yield peer


async def take_seat(peer: Peer, viewer: Viewer) -> str:
    """Both are in a game: its id."""
    await viewer.answer()
    _, _, game, *_ = (await peer.line()).split()
    assert await peer.line() == "Base;NotStarted;White[1]"
    return game.removeprefix("game=")


async def seat_answers(peer: Peer, moves: Sequence[str], first: int) -> None:
    """The seat's moves: from ply ``first``, every second one. It reads a line a ply."""
    for ply, move in enumerate(moves):
        if ply % 2 == first:
            await peer.send(move)
        line = await peer.line()
        assert not line.startswith(("err", "invalidmove")), line


@pytest.mark.parametrize("transport", ["web", "tcp"])
@pytest.mark.parametrize("color", COLORS)
async def test_a_whole_game(uhp_server: Served, color: str, transport: str) -> None:
    server = uhp_server.url if transport == "web" else "tcp://{}:{}".format(*uhp_server.uhp)
    mine = COLORS.index(color)
    tc = f"{300 + mine}+{len(transport)}"
    base, increment = map(int, tc.split("+"))
    async with a_viewer(server) as viewer, opposite(uhp_server, color, tc) as peer:
        await criteria(viewer, color, base, increment)
        viewer.say("newgame Base")
        await take_seat(peer, viewer)
        other = asyncio.ensure_future(seat_answers(peer, SURROUNDED, 1 - mine))
        for ply, move in enumerate(SURROUNDED):
            if ply % 2 == mine:
                await viewer.play(move)
            else:
                assert await viewer.engine_plays() == move
        await other
        assert await peer.end() == ["end WhiteWins board"]
        assert viewer.position.outcome is not None
        assert moves_of(viewer.position) == list(SURROUNDED)
        verdict = "you win" if color == "White" else "you lose"
        assert await viewer.ask("bestmove depth 1") == [f"err game over: {verdict} (board)"]
        viewer.say("exit")
        assert await viewer.process.wait() == 0


async def test_an_opponent_who_gives_up(uhp_server: Served) -> None:
    async with a_viewer(uhp_server.url) as viewer, opposite(uhp_server, "White", "310+0") as peer:
        await criteria(viewer, "White", 310)
        viewer.say("newgame Base")
        await take_seat(peer, viewer)
        await viewer.play("wA1")
        viewer.say("bestmove time 00:00:05")
        await peer.send("forfeit that was all")
        assert await viewer.answer() == ["err game over: you win (resign)"]
        assert await viewer.ask("play bA1 -wA1") == ["err game over: you win (resign)"]


async def test_we_give_up(uhp_server: Served) -> None:
    async with a_viewer(uhp_server.url) as viewer, opposite(uhp_server, "Black", "320+0") as peer:
        await criteria(viewer, "Black", 320)
        viewer.say("newgame Base")
        await take_seat(peer, viewer)
        viewer.say("bestmove time 00:00:05")
        assert await viewer_waits(viewer)
        viewer.say("play forfeit sorry")
        assert await viewer.answer() == ["err game over: you lose (resign)"]
        assert await viewer.answer() == ["Base;WhiteWins;White[1]"]
        assert (await peer.end())[-1] == "end WhiteWins resign"


async def viewer_waits(viewer: Viewer, seconds: float = 0.3) -> bool:
    """Whether no answer comes for a while."""
    assert viewer.process.stdout is not None
    try:
        async with asyncio.timeout(seconds):
            await viewer.process.stdout.read(1)
    except TimeoutError:
        return True
    return False


async def test_an_interrupt_does_not_kill(uhp_server: Served) -> None:
    """T11."""
    async with a_viewer(uhp_server.url) as viewer, opposite(uhp_server, "Black", "330+0") as peer:
        await criteria(viewer, "Black", 330)
        viewer.process.send_signal(signal.SIGINT)
        viewer.say("newgame Base")
        await take_seat(peer, viewer)
        viewer.say("bestmove time 00:00:05")
        assert await viewer_waits(viewer)
        viewer.process.send_signal(signal.SIGINT)
        assert await viewer.answer() == ["err still waiting for opponent"]
        await peer.send("wA1")
        assert await viewer.engine_plays() == "wA1"
        await viewer.play("bB1 -wA1")


async def test_a_hint(uhp_server: Served) -> None:
    async with a_viewer(uhp_server.url) as viewer, opposite(uhp_server, "White", "340+0") as peer:
        await criteria(viewer, "White", 340)
        viewer.say("newgame Base")
        await take_seat(peer, viewer)
        assert (await viewer.ask("bestmove depth 1"))[0].startswith("err you play White yourself")
        await asyncio.sleep(1.2)
        (hint,) = await viewer.ask("bestmove depth 1")
        assert hint in viewer.position.legal_moves()


async def test_offline(uhp_server: Served) -> None:
    """Nothing but the bridge's own engine is needed to look at a game."""
    async with a_viewer("http://127.0.0.1:9") as viewer:
        await viewer.change("newgame Base;InProgress;Black[1];wB1")
        (move,) = await viewer.ask("bestmove depth 1")
        await viewer.play(move)
        await viewer.change("undo")
        (refusal,) = await viewer.ask("newgame Base")
        assert refusal.startswith("err cannot connect to http://127.0.0.1:9")


@pytest.mark.slow
async def test_the_server_is_lost_and_comes_back(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    with Served(tmp_path, "--port", str(port), "--uhp-port", "0") as services:
        async with a_viewer(services.url) as viewer, opposite(services, "White", "60+0") as peer:
            await criteria(viewer, "White", 60)
            viewer.say("newgame Base")
            await take_seat(peer, viewer)
            answers = asyncio.ensure_future(seat_answers(peer, ("wA1", "bB1 -wA1"), 1))
            await viewer.play("wA1")
            await viewer.engine_plays()
            await answers
            await asyncio.to_thread(services.stop, signal.SIGKILL)
            assert await refused(viewer, "play wQ wA1-") == "err reconnecting"
            await asyncio.to_thread(services.start)
            assert await accepted(viewer, "play wQ wA1-") == "Base;InProgress;Black[2];wA1;bB1 -wA1;wQ wA1-"


async def test_a_game_that_is_entered_by_a_token_as_it_stands(uhp_server: Served) -> None:
    game_id, (white, black) = await new_game(uhp_server, variant="Base")
    async with opened(tcp, uhp_server, f"role=seat token={black}") as peer:
        async with opened(tcp, uhp_server, f"role=seat token={white}") as first:
            await first.send("wA1")
            await peer.lines(3)
            await peer.send("bB1 -wA1")
            assert await peer.line() == "Base;InProgress;White[2];wA1;bB1 -wA1"
        async with a_viewer(uhp_server.url, "--token", white) as viewer:
            await viewer.change("newgame Base")
            assert moves_of(viewer.position) == ["wA1", "bB1 -wA1"]
            await viewer.play("wQ wA1-")
            await peer.line()
            await peer.send("bQ -bB1")
            assert await viewer.engine_plays() == "bQ -bB1"
    assert (await shown(uhp_server, game_id))["ply"] == 4


@pytest.mark.parametrize("command", ["undo", "newgame Base"])
async def test_a_takeback_keeps_the_game(uhp_server: Served, command: str) -> None:
    game_id, tokens = await new_game(uhp_server, variant="Base")
    async with a_viewer(uhp_server.url, "--token", tokens[0]) as viewer:
        await viewer.change("newgame Base")
        await viewer.play("wA1")
        viewer.say("bestmove time 00:00:01")
        assert await viewer_waits(viewer)
        await take_back(uhp_server, game_id, tokens, 0)
        (error,) = await viewer.answer()
        assert error == "err moves were taken back (undo shows the board): Base;NotStarted;White[1]"
        await viewer.change(command)
        await viewer.play("wS1")
        assert moves_of(viewer.position) == ["wS1"]
    now = await shown(uhp_server, game_id)
    assert (now["status"], now["ply"]) == ("playing", 1)


# ---- a bridge that is killed ---------------------------------------------------------------------


def modes(state: Path) -> list[int]:
    """The permissions of the files of seats."""
    return [file.stat().st_mode & 0o777 for file in state.iterdir()]


async def bot_game(viewer: Viewer) -> str:
    """A game that the viewer has begun, or continued: what continues it."""
    await viewer.change("newgame Base")
    (line,) = await viewer.ask("options get RemoteResume")
    return line.split(";")[2]


async def test_the_next_bridge_continues_the_game_of_one_that_was_killed(
    uhp_server: Served, state: Path
) -> None:
    bot = ("--vs", "bot:easy")
    async with a_viewer(uhp_server.url, *bot) as viewer:
        first = await bot_game(viewer)
        await viewer.play("wA1")
        async with a_viewer(uhp_server.url, *bot) as another:
            second = await bot_game(another)
            assert second != first, "a bridge still plays the first game"
            await another.ask("play forfeit")
        assert modes(state) == [0o600]
        viewer.process.kill()
        await viewer.process.wait()
        assert viewer.process.stderr is not None
        assert f"to continue it elsewhere: --resume {first}" in (await viewer.process.stderr.read()).decode()
    async with a_viewer(uhp_server.url, *bot, "--new") as viewer:
        assert await bot_game(viewer) != first
        await viewer.ask("play forfeit")
    async with a_viewer(uhp_server.url, *bot) as viewer:
        assert await bot_game(viewer) == first
        assert moves_of(viewer.position)[:1] == ["wA1"]
        await viewer.ask("play forfeit")
    assert modes(state) == []


async def test_a_game_that_has_ended_meanwhile_is_forgotten(uhp_server: Served, state: Path) -> None:
    game_id, tokens = await new_game(uhp_server, variant="Base")
    async with a_viewer(uhp_server.url, "--token", tokens[0]) as viewer:
        await viewer.change("newgame Base")
        await viewer.play("wA1")
    async with opened(tcp, uhp_server, f"role=seat token={tokens[1]}") as peer:
        await peer.send("forfeit")
        assert (await peer.end())[-1] == "end WhiteWins resign"
    assert len(modes(state)) == 1
    async with a_viewer(uhp_server.url, "--vs", "bot:easy") as viewer:
        assert not (await bot_game(viewer)).startswith(game_id)
        assert await viewer.ask("play forfeit") == ["Base;BlackWins;White[1]"]
    assert modes(state) == []


# ---- the end of the input ------------------------------------------------------------------------


async def piped(text: str, *options: str) -> list[str]:
    """All answers behind the banner to an input that ends at once."""
    pipe = asyncio.subprocess.PIPE
    command = [*program.PROGRAM, "uhp", *options]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdin=pipe, stdout=pipe)
    async with asyncio.timeout(PATIENCE):
        said, _ = await process.communicate(text.encode())
    assert process.returncode == 0
    identity, capabilities, ok, *lines = said.decode().splitlines()
    assert (identity[:20], capabilities, ok) == ("id Plyhouse bridge v", "Mosquito;Ladybug;Pillbug", "ok")
    return lines


MIDDLE = "Base;InProgress;White[2];wS1;bS1 wS1-"


async def test_all_that_was_sent_is_answered_without_a_server() -> None:
    text = f"newgame Base\n{'x' * 20_000}\nnewgame {MIDDLE}\nbestmove depth 2\noptions get Seat"
    why, ok, *lines = await piped(text, "--server", "http://127.0.0.1:9")
    assert (why[:40], ok) == ("err cannot connect to http://127.0.0.1:9", "ok")
    assert lines[:4] == ["err line too long", "ok", MIDDLE, "ok"]
    assert lines[4] in replay(parse(MIDDLE)).legal_moves()
    assert lines[5:] == ["ok", "Seat;enum;White;White;Any;White;Black", "ok"]


async def test_all_that_was_sent_is_answered_in_a_remote_game(uhp_server: Served) -> None:
    text = "options set Seat White\nnewgame Base\nplay wA1\nbestmove time 00:00:01\nundo\nexit\n"
    lines = await piped(text, "--server", uhp_server.url, "--vs", "bot:easy")
    first, replies = lines[2:7], replay(parse("Base;InProgress;Black[1];wA1")).legal_moves()
    assert first == ["Base;NotStarted;White[1]", "ok", "Base;InProgress;Black[1];wA1", "ok", lines[6]]
    assert lines[6] in replies
    assert lines[7:] == ["ok", "err undo is not possible in a remote game", "ok"]


async def test_a_viewer_that_is_gone_is_not_answered() -> None:
    """Its process has ended in the middle of a search, with which an end of the input alone would go on."""
    reads, writes = os.pipe()
    options, pipe = ("--server", "http://127.0.0.1:9"), asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*PROGRAM, *options, cwd=ROOT, stdin=pipe, stdout=writes)
    os.close(writes)
    assert process.stdin is not None
    process.stdin.write(f"newgame {MIDDLE}\nbestmove depth 200\n".encode())
    process.stdin.close()
    async with asyncio.timeout(PATIENCE):
        said = b""
        while said.count(b"ok\n") < 2:
            said += await asyncio.to_thread(os.read, reads, 1000)
        os.close(reads)
        assert await process.wait() == 0


async def refused(viewer: Viewer, command: str) -> str:
    """The answer to a command once the bridge has noticed the outage."""
    await asyncio.sleep(0.3)
    (answer,) = await viewer.ask(command)
    return answer


async def accepted(viewer: Viewer, command: str) -> str:
    """The answer to a command once the bridge is connected again."""
    answer = "err reconnecting"
    async with asyncio.timeout(PATIENCE):
        while answer == "err reconnecting":
            (answer,) = await viewer.ask(command)
    return answer
