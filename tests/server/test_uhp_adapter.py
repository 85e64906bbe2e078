"""``plyhouse uhp --raw`` at a running server: programs behind the adapter, and the lines of a role on stdio."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from protocols.uhp.game_string import parse
from tests.server.program import PLYHOUSE, ROOT
from tests.server.serving import Served
from tests.server.uhp_clients import new_game, shown
from tests.server.uhp_peers import SCRIPT
from tests.server.uhp_results import ended, result

EMPTY = "Base+MLP;NotStarted;White[1]"
ONE = "Base+MLP;InProgress;Black[1];wA1"

PROGRAM = [*PLYHOUSE, "uhp"]
AI = Path(__file__).parent / "uhp_simple_script.py"


@asynccontextmanager
async def adapter(*options: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """``plyhouse uhp --raw --role engine``, ended with the test."""
    process = await asyncio.create_subprocess_exec(
        *PROGRAM, *options, cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def engine_options(server: str, token: str, *command: str) -> list[str]:
    return ["--server", server, "--raw", "--role", "engine", "--token", token, "--", *command]


async def finished(process: asyncio.subprocess.Process) -> str:
    """What the program has told its operator, once it is through."""
    async with asyncio.timeout(30):
        _, told = await process.communicate()
    assert process.returncode == 0, told
    return told.decode()


@pytest.mark.parametrize("transport", ["web", "tcp"])
async def test_two_programs_play_a_whole_game(uhp_server: Served, transport: str) -> None:
    """T3: one writes every move anew, the other shows what it thinks."""
    server = uhp_server.url if transport == "web" else "tcp://{}:{}".format(*uhp_server.uhp)
    game_id, tokens = await new_game(uhp_server, config={"plyLimit": 24})
    rederives = [sys.executable, str(SCRIPT), "rederives"]
    async with (
        adapter(*engine_options(server, tokens[0], *rederives)) as white,
        adapter(*engine_options(server, tokens[1], sys.executable, str(SCRIPT), "keeps")) as black,
    ):
        told = [await finished(white), await finished(black)]
    assert f"playing White game={game_id}" in told[0]
    assert [text.splitlines()[-1].split(" ", 2)[2] for text in told] == ["game over: Draw (ply-limit)"] * 2
    assert not any("connection is lost" in text for text in told)
    position = await ended(uhp_server, game_id)
    assert (position["ply"], result(position)[1]) == (24, "ply-limit")


async def test_a_program_of_ours_and_a_simple_ai(uhp_server: Served, tmp_path: Path) -> None:
    game_id, tokens = await new_game(uhp_server, config={"plyLimit": 6})
    ai = [sys.executable, str(AI), str(tmp_path / "read")]
    simple = ["--simple", *engine_options(uhp_server.url, tokens[0], *ai)]
    async with (
        adapter(*simple) as white,
        adapter(*engine_options(uhp_server.url, tokens[1], sys.executable, str(SCRIPT), "plain")) as black,
    ):
        await finished(white)
        await finished(black)
    position = await ended(uhp_server, game_id)
    assert result(position) == ([], "ply-limit")
    *read, end = (tmp_path / "read").read_text().splitlines()
    assert [parse(line).moves for line in read] == [tuple(position["history"][:ply]) for ply in (0, 2, 4)]
    assert end == "the end"


@pytest.mark.parametrize(
    ("manner", "reason"), [("floods", "protocol"), ("forgets", "desync"), ("garbles", "illegal-move")]
)
async def test_the_record_of_a_game_that_a_bad_program_lost(
    uhp_server: Served, manner: str, reason: str
) -> None:
    game_id, tokens = await new_game(uhp_server)
    async with (
        adapter(*engine_options(uhp_server.url, tokens[0], sys.executable, str(SCRIPT), "plain")) as white,
        adapter(*engine_options(uhp_server.url, tokens[1], sys.executable, str(SCRIPT), manner)) as black,
    ):
        assert "the server says: game over: " in await finished(black)
        await finished(white)
    position = await ended(uhp_server, game_id)
    assert result(position) == ([0], reason)
    async with httpx.AsyncClient(base_url=uhp_server.url, timeout=60) as client:
        record = (await client.get(f"/api/games/{game_id}/record", params={"format": "uhp"})).text
    kind, state, _, *moves = record.rstrip("\n").split(";")
    assert (kind, state) == ("Base+MLP", "WhiteWins")
    assert moves == [move for move in position["history"] if not move.startswith("!")]


async def test_a_program_that_dies_is_started_again(uhp_server: Served, tmp_path: Path) -> None:
    control = {"initialSeconds": 20, "incrementSeconds": 0, "startsAtOnce": True}
    game_id, tokens = await new_game(uhp_server, config={"plyLimit": 6}, timeControl=control)
    once = [sys.executable, str(SCRIPT), "once", str(tmp_path / "died")]
    async with (
        adapter(*engine_options(uhp_server.url, tokens[0], *once)) as white,
        adapter(*engine_options(uhp_server.url, tokens[1], sys.executable, str(SCRIPT), "plain")) as black,
    ):
        await finished(white)
        await finished(black)
    assert result(await ended(uhp_server, game_id)) == ([], "ply-limit")


async def test_a_program_that_keeps_dying_is_given_up(uhp_server: Served) -> None:
    control = {"initialSeconds": 20, "incrementSeconds": 0, "startsAtOnce": True}
    game_id, tokens = await new_game(uhp_server, timeControl=control)
    plain, dies = ([sys.executable, str(SCRIPT), manner] for manner in ("plain", "dies"))
    async with (
        adapter(*engine_options(uhp_server.url, tokens[0], *plain)),
        adapter(*engine_options(uhp_server.url, tokens[1], *dies)) as black,
    ):
        async with asyncio.timeout(30):
            _, told = await black.communicate()
    assert black.returncode == 1
    assert "has ended 6 times" in told.decode()
    assert (await shown(uhp_server, game_id))["ply"] == 1


async def test_options_are_set_before_the_engine_plays(uhp_server: Served, tmp_path: Path) -> None:
    game_id, tokens = await new_game(uhp_server, config={"plyLimit": 4})
    notes = tmp_path / "notes"
    noting = engine_options(uhp_server.url, tokens[0], sys.executable, str(SCRIPT), "notes", str(notes))
    plain = engine_options(uhp_server.url, tokens[1], sys.executable, str(SCRIPT), "plain")
    async with adapter("--engine-option", "Strength=3", *noting) as white, adapter(*plain) as black:
        await finished(white)
        await finished(black)
    assert notes.read_text().splitlines()[:2] == ["options set Strength 3", f"newgame {EMPTY}"]
    assert result(await ended(uhp_server, game_id)) == ([], "ply-limit")


@pytest.mark.parametrize(
    ("manner", "option", "why"),
    [
        ("plain", "Honey=3", "Honey=3: The engine answers “err no option Honey”."),
        ("dies-at-once", "Strength=3", "The engine has ended"),
    ],
)
async def test_an_engine_that_cannot_be_set_up_takes_no_seat(
    uhp_server: Served, manner: str, option: str, why: str
) -> None:
    game_id, tokens = await new_game(uhp_server)
    program = ["false"] if manner == "dies-at-once" else [sys.executable, str(SCRIPT), manner]
    options = engine_options(uhp_server.url, tokens[0], *program)
    async with adapter("--engine-option", option, *options) as process:
        async with asyncio.timeout(30):
            _, told = await process.communicate()
    assert process.returncode == 1
    assert f"plyhouse uhp: {why}" in told.decode()
    assert (await shown(uhp_server, game_id))["status"] == "playing"


async def test_a_refused_program_says_why(uhp_server: Served) -> None:
    _, tokens = await new_game(uhp_server)
    base = [sys.executable, str(SCRIPT), "base"]
    async with adapter(*engine_options(uhp_server.url, tokens[0], *base)) as process:
        async with asyncio.timeout(30):
            _, told = await process.communicate()
    assert "does not play Base+MLP" in told.decode()


# ---- raw lines on stdio --------------------------------------------------------------------------


async def piped(lines: str, *options: str) -> tuple[int | None, list[str], str]:
    """What the program does with its whole input at once: exit status, lines, and what it tells its operator."""
    process = await asyncio.create_subprocess_exec(
        *PROGRAM,
        *options,
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(30):
        said, told = await process.communicate(lines.encode())
    return process.returncode, said.decode().splitlines(), told.decode()


@pytest.mark.parametrize("transport", ["web", "tcp"])
async def test_a_viewer_of_model_c_passes_unchanged(uhp_server: Served, transport: str) -> None:
    server = uhp_server.url if transport == "web" else "tcp://{}:{}".format(*uhp_server.uhp)
    status, lines, _ = await piped("newgame Base\nvalidmoves\n", "--server", server, "--raw")
    assert status == 0
    assert lines[0].startswith("id Plyhouse")
    assert lines[1:] == [
        "Mosquito;Ladybug;Pillbug;Remote",
        "ok",
        "Base;NotStarted;White[1]",
        "ok",
        "wS1;wB1;wG1;wA1",
        "ok",
    ]


@pytest.mark.parametrize("role", ["viewer", "seat"])
async def test_a_line_that_is_too_long_is_answered_by_the_server(uhp_server: Served, role: str) -> None:
    _, tokens = await new_game(uhp_server)
    raw = ("--server", uhp_server.url, "--raw", "--role", role, "--token", tokens[0])
    status, lines, _ = await piped("z" * 20_000 + "\n", *raw)
    assert (status, lines[-2:]) == (
        0,
        {"viewer": ["err line too long", "ok"], "seat": [EMPTY, "err line too long"]}[role],
    )


async def test_a_seat_of_model_b_passes_unchanged(uhp_server: Served) -> None:
    game_id, tokens = await new_game(uhp_server)
    raw = ("--server", uhp_server.url, "--raw", "--role", "seat", "--token", tokens[0])
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*PROGRAM, *raw, cwd=ROOT, stdin=pipe, stdout=pipe)
    assert process.stdin is not None
    assert process.stdout is not None
    async with asyncio.timeout(30):
        shown_first = [await process.stdout.readline() for _ in range(2)]
        process.stdin.write(b"wQ\nwA1\n")
        process.stdin.close()
        rest = await process.stdout.read()
        assert await process.wait() == 0
    assert b"".join((*shown_first, rest)).decode().splitlines() == [
        f"seat White game={game_id} tc=-",
        EMPTY,
        "invalidmove wQ: the Queen may not be a player's first piece",
        ONE,
    ]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--server", "nonsense"), "'nonsense' is not an address"),
        (("--server", "tcp://127.0.0.1"), "is not tcp://HOST:PORT"),
        (("--server", "http://127.0.0.1:9", "--raw"), "cannot connect to http://127.0.0.1:9"),
        (("--server", "{url}", "--raw", "--role", "king"), "role must be one of"),
        (("--server", "{url}", "--raw", "--role", "watch"), "--role watch needs --game"),
        (("--server", "{url}", "--raw", "--role", "watch", "--game", "x"), "There is no game 'x'"),
        (("--server", "{url}", "--raw", "--role", "engine", "--", "/nowhere/engine"), "/nowhere/engine"),
        (("--server", "{url}", "--", "engine"), "a command needs --raw"),
        (("--server", "{url}", "--raw", "--simple"), "--simple is for the command of an AI"),
        (("--server", "{url}", "--raw", "--allow-engine"), "--allow-engine is for the bridge"),
        (("--server", "{url}", "--tc", "60+1", "--color", "white"), "--color, --tc without --raw"),
        (("--server", "{url}", "--resume", "g:s", "--token", "s"), "leave out --token"),
        (("--server", "{url}", "--raw", "--resume", "g:s", "--game", "g"), "leave out --game"),
        (
            ("--server", "{url}", "--raw", "--resume", "g:s", "--name", "Ada", "--type", "Base"),
            "leave out --type, --name",
        ),
        (("--server", "{url}", "--engine-option", "A=1"), "--engine-option without --raw"),
        (("--server", "{url}", "--raw", "--role", "engine", "--engine-option", "A=1"), "is for the command"),
        (
            ("--server", "{url}", "--raw", "--role", "seat", "--engine-option", "A=1", "--", "true"),
            "is for the command of a UHP engine",
        ),
    ],
)
async def test_what_cannot_be_connected(uhp_server: Served, options: tuple[str, ...], why: str) -> None:
    status, lines, told = await piped("", *(option.format(url=uhp_server.url) for option in options))
    assert (status, lines) == (1, [])
    assert why in told


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--raw",), "only with --server: --raw"),
        (("--tc", "60+1", "--vs", "bot:easy"), "only with --server: --tc, --vs"),
        (("--engine-option", "A=1"), "only with --server: --engine-option"),
        (("--server", "http://h", "--engine-option", "A"), "'A' is not NAME=VALUE"),
        (("--server", "http://h", "--engine-option", "A=1 2"), "'A=1 2' is not NAME=VALUE"),
        (("--server", "http://h", "--engine-option", "A=1", "--engine-option", "A=2"), "A is given twice"),
        (("--", "nokamute"), "only with --server: a command"),
        (("--server", "http://127.0.0.1:1", "--threads", "2"), "not with --server: --threads"),
    ],
)
async def test_options_that_would_not_count_are_refused(options: tuple[str, ...], why: str) -> None:
    status, lines, told = await piped("", *options)
    assert (status, lines) == (2, [])
    assert why in " ".join(told.replace("│", " ").split())
