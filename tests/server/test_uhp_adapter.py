"""``plyhouse uhp --raw`` at a running server: programs behind the adapter, and the lines of a role on stdio."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest

from programs.child_process import ChildEndpoint
from programs.endpoints import Endpoint
from programs.uhp.dial import CannotConnect
from programs.uhp.raw import PeerDied, RawProgram, RefusedByServer
from programs.uhp.setup import ConfiguredEndpoint
from protocols.uhp.answers import EngineFailed
from protocols.uhp.game_string import parse
from tests.server.program import PLYHOUSE, ROOT, run_command
from tests.server.seat_kinds import words_of
from tests.server.serving import Served
from tests.server.uhp_clients import new_game, shown
from tests.server.uhp_results import ended, result

EMPTY = "Base+MLP;NotStarted;White[1]"
ONE = "Base+MLP;InProgress;Black[1];wA1"
TIMED = {"initialSeconds": 20, "incrementSeconds": 0, "startsAtOnce": True}


@pytest.fixture(autouse=True)
def _shown(caplog: pytest.LogCaptureFixture) -> None:
    """Shows what the adapter tells its operator."""
    caplog.set_level("INFO", "programs.uhp.raw")


def address(server: Served, transport: str) -> str:
    return server.url if transport == "web" else "tcp://{}:{}".format(*server.uhp)


async def play(server: str, token: str, command: list[str], options: Mapping[str, str] | None = None) -> None:
    """What ``plyhouse uhp --raw --role engine`` does with this command."""

    async def open_end() -> Endpoint:
        start = ChildEndpoint.start
        return await (ConfiguredEndpoint.open(command, options) if options else start(command))

    words = {"role": "engine", "token": token, "secret": "1"}
    async with asyncio.timeout(60):
        await RawProgram(server, words, open_end, may_return=True).run()


async def match(server: str, tokens: list[str], white: list[str], black: list[str]) -> None:
    await asyncio.gather(play(server, tokens[0], white), play(server, tokens[1], black))


def engine(manner: str, *rest: object) -> list[str]:
    return words_of("uhp", manner, *rest)


@pytest.mark.parametrize("transport", ["web", "tcp"])
@pytest.mark.usefixtures("here")
async def test_two_programs_play_a_whole_game(
    uhp_server: Served, transport: str, caplog: pytest.LogCaptureFixture
) -> None:
    """T3: one writes every move anew, the other shows what it thinks."""
    game_id, tokens = await new_game(uhp_server, config={"plyLimit": 24})
    await match(address(uhp_server, transport), tokens, engine("rederives"), engine("keeps"))
    assert any(f"playing White game={game_id}" in text for text in caplog.messages)
    assert caplog.messages[-2:] == ["game over: Draw (ply-limit)"] * 2
    assert not any("connection is lost" in text for text in caplog.messages)
    position = await ended(uhp_server, game_id)
    assert (position["ply"], result(position)[1]) == (24, "ply-limit")


async def test_a_program_of_ours_and_a_simple_ai(uhp_server: Served, tmp_path: Path) -> None:
    """As processes, which exit when the game is over."""
    game_id, tokens = await new_game(uhp_server, config={"plyLimit": 6})
    commands = (
        ["--simple", "--token", tokens[0], "--", *words_of("simple", str(tmp_path / "read"))],
        ["--token", tokens[1], "--", *engine("plain")],
    )
    to = [*PLYHOUSE, "uhp", "--server", uhp_server.url, "--raw", "--role", "engine"]
    pipe = asyncio.subprocess.PIPE
    starting = [asyncio.create_subprocess_exec(*to, *command, cwd=ROOT, stderr=pipe) for command in commands]
    for child in await asyncio.gather(*starting):
        async with asyncio.timeout(60):
            _, told = await child.communicate()
        assert (child.returncode, b"game over: Draw (ply-limit)" in told) == (0, True)
    position = await ended(uhp_server, game_id)
    assert result(position) == ([], "ply-limit")
    *read, end = (tmp_path / "read").read_text().splitlines()
    assert [parse(line).moves for line in read] == [tuple(position["history"][:ply]) for ply in (0, 2, 4)]
    assert end == "the end"


@pytest.mark.parametrize(
    ("manner", "reason"), [("floods", "protocol"), ("forgets", "desync"), ("garbles", "illegal-move")]
)
@pytest.mark.usefixtures("here")
async def test_the_record_of_a_game_that_a_bad_program_lost(
    uhp_server: Served, manner: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    game_id, tokens = await new_game(uhp_server)
    await match(uhp_server.url, tokens, engine("plain"), engine(manner))
    assert "the server says: game over: " in caplog.text
    position = await ended(uhp_server, game_id)
    assert result(position) == ([0], reason)
    async with httpx.AsyncClient(base_url=uhp_server.url, timeout=60) as client:
        record = (await client.get(f"/api/games/{game_id}/record", params={"format": "uhp"})).text
    kind, state, _, *moves = record.rstrip("\n").split(";")
    assert (kind, state) == ("Base+MLP", "WhiteWins")
    assert moves == [move for move in position["history"] if not move.startswith("!")]


@pytest.mark.usefixtures("here")
async def test_a_program_that_dies_is_started_again(
    uhp_server: Served, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    game_id, tokens = await new_game(uhp_server, config={"plyLimit": 6}, timeControl=TIMED)
    await match(uhp_server.url, tokens, engine("once", tmp_path / "died"), engine("plain"))
    assert "the program has ended (exit status 1); starting it again in 1 s" in caplog.messages
    assert result(await ended(uhp_server, game_id)) == ([], "ply-limit")


@pytest.mark.usefixtures("here")
async def test_a_program_that_keeps_dying_is_given_up(uhp_server: Served) -> None:
    game_id, tokens = await new_game(uhp_server, timeControl=TIMED)
    white = asyncio.ensure_future(play(uhp_server.url, tokens[0], engine("plain")))
    with pytest.raises(PeerDied, match=r"has ended 6 times \(exit status 3"):
        await play(uhp_server.url, tokens[1], engine("dies"))
    assert (await shown(uhp_server, game_id))["ply"] == 1
    white.cancel()
    await asyncio.gather(white, return_exceptions=True)


@pytest.mark.usefixtures("here")
async def test_options_are_set_before_the_engine_plays(uhp_server: Served, tmp_path: Path) -> None:
    game_id, tokens = await new_game(uhp_server, config={"plyLimit": 4})
    notes = tmp_path / "notes"
    await asyncio.gather(
        play(uhp_server.url, tokens[0], engine("notes", notes), {"Strength": "3"}),
        play(uhp_server.url, tokens[1], engine("plain")),
    )
    assert notes.read_text().splitlines()[:2] == ["options set Strength 3", f"newgame {EMPTY}"]
    assert result(await ended(uhp_server, game_id)) == ([], "ply-limit")


@pytest.mark.parametrize(
    ("command", "options", "why"),
    [
        (engine("plain"), {"Honey": "3"}, "Honey=3: The engine answers “err no option Honey”."),
        (["false"], {"Strength": "3"}, "The engine has ended"),
        (engine("base"), None, "does not play Base\\+MLP"),
        (["/nowhere/engine"], None, "/nowhere/engine"),
        (["sh", "-c", "exit 7"], None, r"has ended before its game \(exit status 7\)"),
        (["sh", "-c", "kill -s SEGV $$"], None, r"has ended before its game \(signal SIGSEGV\)"),
    ],
)
@pytest.mark.usefixtures("here")
async def test_an_engine_that_cannot_play_takes_no_seat(
    uhp_server: Served, command: list[str], options: dict[str, str] | None, why: str
) -> None:
    game_id, tokens = await new_game(uhp_server)
    with pytest.raises((EngineFailed, RefusedByServer, PeerDied, OSError), match=why):
        await play(uhp_server.url, tokens[0], command, options)
    assert (await shown(uhp_server, game_id))["status"] == "playing"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ({"role": "king"}, "role must be one of"),
        ({"role": "watch", "game": "x"}, "There is no game 'x'"),
    ],
)
async def test_what_the_server_refuses(uhp_server: Served, words: dict[str, str], why: str) -> None:
    async def open_end() -> Endpoint:
        return await ChildEndpoint.start(["cat"])

    with pytest.raises((CannotConnect, RefusedByServer), match=why):
        await RawProgram(uhp_server.url, words, open_end, may_return=False).run()


# ---- raw lines on stdio --------------------------------------------------------------------------

VALID = ["Base;NotStarted;White[1]", "ok", "wS1;wB1;wG1;wA1", "ok"]
REFUSED = "invalidmove wQ: the Queen may not be a player's first piece"


@pytest.mark.parametrize(
    ("transport", "role", "given", "last"),
    [
        ("web", "viewer", "newgame Base\nvalidmoves\n", ["Mosquito;Ladybug;Pillbug;Remote", "ok", *VALID]),
        ("tcp", "viewer", "newgame Base\nvalidmoves\n", ["Mosquito;Ladybug;Pillbug;Remote", "ok", *VALID]),
        ("web", "viewer", "z" * 20_000 + "\n", ["err line too long", "ok"]),
        ("web", "seat", "z" * 20_000 + "\n", [EMPTY, "err line too long"]),
        ("web", "seat", "wQ\nwA1\n", ["seat White game={game} tc=-", EMPTY, REFUSED, ONE]),
    ],
)
async def test_lines_pass_unchanged(
    uhp_server: Served, transport: str, role: str, given: str, last: list[str]
) -> None:
    """Those that are too long are answered by the server."""
    game_id, tokens = await new_game(uhp_server)
    options = ["--server", address(uhp_server, transport), "--raw", "--role", role, "--token", tokens[0]]
    done = await asyncio.to_thread(run_command, "uhp", *options, given=given.encode())
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[-len(last) :] == [line.format(game=game_id) for line in last]
    assert lines[0].startswith("id Plyhouse" if role == "viewer" else "seat White")
