"""Model A at a served house: scripted engines on both transports, and programs behind the adapter."""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.serving import ROOT, Served
from tests.server.uhp_clients import Open, Peer, new_game, opened, shown, tcp, web
from tests.server.uhp_peers import SCRIPT

both = pytest.mark.parametrize("open_peer", [tcp, web])

BANNER = ("id {}", "Mosquito;Ladybug;Pillbug", "ok")
EMPTY = "Base+MLP;NotStarted;White[1]"
ONE = "Base+MLP;InProgress;Black[1];wA1"
TWO = "Base+MLP;InProgress;White[2];wA1;bB1 -wA1"
STUCK_SOON = ("wB1", "bM wB1/", "wQ -wB1", "bQ \\bM", "wP \\wQ", "bQ -bM")
"""White's wB1 bM leaves Black without a move."""

PROGRAM = [sys.executable, "-c", "from server.cli import app; app()", "uhp"]
AI = Path(__file__).parent / "uhp_simple_script.py"


async def say(peer: Peer, *lines: str) -> None:
    for line in lines:
        await peer.send(line)


async def greet(peer: Peer, name: str = "Scripted 1") -> None:
    """Who the engine is."""
    await say(peer, *(line.format(name) for line in BANNER))


@asynccontextmanager
async def engines(
    house: Served, open_peer: Open, kind: str = "Base+MLP", more: str = "", **game: Any
) -> AsyncIterator[tuple[str, Peer, Peer]]:
    """A game between two engines that stand at its start."""
    game_id, tokens = await new_game(house, kind, **game)
    async with (
        opened(open_peer, house, f"role=engine token={tokens[0]} {more}".strip()) as white,
        opened(open_peer, house, f"role=engine token={tokens[1]} {more}".strip()) as black,
    ):
        for peer in (white, black):
            await greet(peer)
            assert await peer.line() == f"newgame {kind};NotStarted;White[1]"
            await say(peer, f"{kind};NotStarted;White[1]", "ok")
        yield game_id, white, black


async def play(pair: Sequence[Peer], moves: Sequence[str], kind: str, before: Sequence[str] = ()) -> None:
    """Plays moves in turn, each as the answer to a ``bestmove``."""
    played = list(before)
    for move in moves:
        mover = pair[len(played) % 2]
        assert (await mover.line()).startswith("bestmove ")
        await say(mover, move, "ok")
        played.append(move)
        for peer in pair:
            assert await peer.line() == ("pass" if move == "pass" else f"play {move}")
            await say(peer, ";".join((kind, "InProgress", "White[1]", *played)), "ok")


async def ended(house: Served, game_id: str) -> dict[str, Any]:
    """The position once the game is over."""
    for _ in range(500):
        position = dict(await shown(house, game_id))
        if position["status"] != "playing":
            return position
        await asyncio.sleep(0.02)
    raise AssertionError("the game goes on")


def result(position: dict[str, Any]) -> tuple[list[int], str]:
    """Winners and reason."""
    return position["result"]["winners"], position["result"]["reason"]


# ---- games without a main viewer -----------------------------------------------------------------


@both
async def test_the_server_leads_two_engines(uhp_house: Served, open_peer: Open) -> None:
    async with engines(uhp_house, open_peer) as (game_id, white, black):
        assert await white.line() == "bestmove time 00:00:05"
        await say(white, "wA1", "ok")
        assert [await white.line(), await black.line()] == ["play wA1"] * 2
        await say(white, ONE, "ok")
        await say(black, ONE, "ok")
        assert await black.line() == "bestmove time 00:00:05"
        assert (await shown(uhp_house, game_id))["ply"] == 1


@both
async def test_engines_find_each_other(uhp_house: Served, open_peer: Open) -> None:
    wish = "role=engine type=Base+P tc=60+1"
    async with (
        opened(open_peer, uhp_house, f"{wish} color=black") as black,
        opened(open_peer, uhp_house, wish) as white,
    ):
        await greet(black, "Second")
        await greet(white, "First")
        for peer in (white, black):
            assert await peer.line() == "newgame Base+P;NotStarted;White[1]"
            await say(peer, "Base+P;NotStarted;White[1]", "ok")
        assert await white.line() == "bestmove time 00:00:03"


@both
async def test_an_engine_that_lacks_a_bug_is_refused(uhp_house: Served, open_peer: Open) -> None:
    """T10: it is never seated, and whoever comes next is."""
    async with opened(open_peer, uhp_house, "role=engine type=Base+ML tc=-") as small:
        await say(small, "id Small", "Mosquito", "ok")
        assert await small.end() == ["err Small does not play Base+ML: it lacks ladybug"]


@both
async def test_a_forced_pass_and_the_end(uhp_house: Served, open_peer: Open) -> None:
    """T8."""
    async with engines(uhp_house, open_peer, config={"plyLimit": 8}) as (game_id, white, black):
        await play((white, black), (*STUCK_SOON, "wB1 bM", "pass"), "Base+MLP")
        assert await white.end() == []
        assert await black.end() == []
        position = await ended(uhp_house, game_id)
        assert result(position) == ([], "ply-limit")
        assert position["history"][-1] == "pass"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (("wQ", "ok"), "illegal-move"),
        (("err no", "ok"), "protocol"),
        (("ok",), "protocol"),
        (("x" * 20_000,), "protocol"),
    ],
)
@both
async def test_bad_seats(uhp_house: Served, open_peer: Open, answer: tuple[str, ...], reason: str) -> None:
    async with engines(uhp_house, open_peer) as (game_id, white, black):
        await play((white, black), ("wA1", "bB1 -wA1"), "Base+MLP")
        assert (await white.line()).startswith("bestmove")
        await say(white, *answer)
        assert (await white.end())[0].startswith("err game over: ")
        assert await black.end() == []
        position = await ended(uhp_house, game_id)
        assert result(position) == ([1], reason)
        assert position["history"][:2] == ["wA1", "bB1 -wA1"]


@both
async def test_a_desync_is_of_positions(uhp_house: Served, open_peer: Open) -> None:
    """T3."""
    async with engines(uhp_house, open_peer) as (game_id, white, black):
        assert (await white.line()).startswith("bestmove")
        await say(white, "WA1", "ok")
        for peer in (white, black):
            assert await peer.line() == "play wA1"
        await say(white, "Base+PLM;Draw;White[9];  WA1", "ok")
        await say(black, "Base+MLP;InProgress;Black[1];wG1", "ok")
        position = await ended(uhp_house, game_id)
        assert result(position) == ([0], "desync")
        assert position["history"][0] == "wA1"


async def test_an_engine_that_never_answers_loses_on_time(uhp_house: Served) -> None:
    control = {"initialSeconds": 1, "incrementSeconds": 0, "startsAtOnce": True}
    async with engines(uhp_house, tcp, timeControl=control) as (game_id, white, _):
        assert await white.line() == "bestmove depth 2"
        assert result(await ended(uhp_house, game_id)) == ([1], "timeout")


async def test_checks_are_not_on_the_clock(uhp_house: Served) -> None:
    control = {"initialSeconds": 1, "incrementSeconds": 0, "startsAtOnce": True}
    async with engines(uhp_house, tcp, timeControl=control) as (game_id, white, black):
        assert (await white.line()).startswith("bestmove")
        await say(white, "wA1", "ok")
        await white.line()
        await black.line()
        await asyncio.sleep(1.3)
        await say(white, ONE, "ok")
        await say(black, ONE, "ok")
        assert (await black.line()).startswith("bestmove")
        await say(black, "bB1 -wA1", "ok")
        assert await black.line() == "play bB1 -wA1"
        position = dict(await shown(uhp_house, game_id))
        clocks = position["clocks"]
        assert isinstance(clocks, list)
        assert clocks[1] > 500


@both
async def test_a_seat_is_killed_while_it_thinks(uhp_house: Served, open_peer: Open) -> None:
    """T4."""
    game_id, tokens = await new_game(uhp_house)
    async with opened(open_peer, uhp_house, f"role=engine token={tokens[0]} secret=1") as white:
        async with opened(open_peer, uhp_house, f"role=engine token={tokens[1]}") as black:
            await greet(white)
            seat, *secret = (await white.line()).split()
            assert (seat, secret[0]) == ("seat", "White")
            resume = secret[-1]
            assert resume == f"resume={game_id}:{tokens[0]}"
            await greet(black)
            for peer in (white, black):
                assert await peer.line() == f"newgame {EMPTY}"
                await say(peer, EMPTY, "ok")
            await play((white, black), ("wA1",), "Base+MLP")
            assert (await black.line()).startswith("bestmove")
        async with opened(open_peer, uhp_house, f"role=engine resume={game_id}:{tokens[1]}") as black:
            await greet(black)
            assert await black.line() == f"newgame {ONE}"
            await say(black, ONE, "ok")
            await play((white, black), ("bB1 -wA1",), "Base+MLP", before=("wA1",))
            assert (await white.line()).startswith("bestmove")


async def test_a_seat_that_does_not_come_back_loses(uhp_house: Served) -> None:
    async with engines(uhp_house, tcp) as (game_id, white, black):
        await play((white, black), ("wA1", "bB1 -wA1"), "Base+MLP")
        black.writer.transport.abort()  # type: ignore[attr-defined]  # A TcpPeer.
        assert result(await ended(uhp_house, game_id)) == ([0], "disconnect")


async def test_an_engine_meets_a_player_of_model_b(uhp_house: Served) -> None:
    _, tokens = await new_game(uhp_house)
    async with (
        opened(tcp, uhp_house, f"role=engine token={tokens[0]}") as engine,
        opened(web, uhp_house, f"role=seat token={tokens[1]}") as player,
    ):
        await greet(engine)
        assert (await player.lines(2))[1] == EMPTY
        assert await engine.line() == f"newgame {EMPTY}"
        await say(engine, EMPTY, "ok")
        await engine.line()
        await say(engine, "wA1", "ok")
        assert await player.line() == ONE
        await player.send("bB1 wA1-")
        assert await engine.line() == "play wA1"
        await say(engine, ONE, "ok")
        assert await engine.line() == "play bB1 wA1-"


async def test_an_engine_meets_a_person(uhp_house: Served) -> None:
    game_id, tokens = await new_game(uhp_house)
    async with opened(tcp, uhp_house, f"role=engine token={tokens[1]}") as engine:
        await greet(engine)
        await engine.line()
        await say(engine, EMPTY, "ok")
        async with httpx.AsyncClient(base_url=uhp_house.url) as client:
            headers = {"Authorization": f"Bearer {tokens[0]}"}
            moves = f"/api/games/{game_id}/moves"
            assert (await client.post(moves, json={"move": "wA1"}, headers=headers)).status_code == 200
            assert await engine.line() == "play wA1"
            await say(engine, ONE, "ok")
            assert (await engine.line()).startswith("bestmove")
            answer = await client.post(f"/api/games/{game_id}/resign", headers=headers)
            assert answer.status_code == 200
        assert await engine.end() == []


# ---- the main viewer -----------------------------------------------------------------------------


@both
async def test_the_transcript(uhp_house: Served, open_peer: Open) -> None:
    """T1: byte for byte, with a main viewer that has opened the game."""
    lines = (ROOT / "tests/golden/uhp/three-engines.txt").read_text().splitlines()
    async with opened(open_peer, uhp_house, "role=main type=Base+MLP tc=60+1") as viewer:
        identity, *_ = await viewer.answer()
        game = identity.rpartition(" ")[2]
        handshake = f"role=engine {game} color="
        async with (
            opened(open_peer, uhp_house, f"{handshake}white") as white,
            opened(open_peer, uhp_house, f"{handshake}black") as black,
        ):
            peers = {"W": white, "B": black, "V": viewer}
            for line in lines:
                if line.startswith("#"):
                    continue
                way, _, text = line.partition(" ")
                sender, _, receivers = way.partition("->")
                for name in (receivers if sender == "S" else sender).split(","):
                    if sender == "S":
                        assert await peers[name].line() == text.strip()
                    else:
                        await peers[name].send(text.strip())


async def test_a_main_viewer_is_told_who_lost_and_its_pauses_cost_nobody_time(uhp_house: Served) -> None:
    control = {"initialSeconds": 1, "incrementSeconds": 0, "startsAtOnce": True}
    game_id, tokens = await new_game(uhp_house, timeControl=control)
    async with (
        opened(tcp, uhp_house, f"role=main token={tokens[0]}") as viewer,
        opened(tcp, uhp_house, f"role=engine token={tokens[0]}") as white,
        opened(tcp, uhp_house, f"role=engine token={tokens[1]}") as black,
    ):
        await viewer.answer()
        await greet(white)
        await greet(black)
        await asyncio.sleep(1.3)
        await viewer.send("newgame Base+MLP")
        for peer in (white, black):
            assert await peer.line() == f"newgame {EMPTY}"
            await say(peer, EMPTY, "ok")
        assert await viewer.answer() == [EMPTY]
        await viewer.send("bestmove time 00:00:05")
        assert await white.line() == "bestmove depth 2"
        await say(white, "bA1", "ok")
        assert await viewer.answer() == ["err game over: BlackWins (illegal-move)"]
        assert result(await ended(uhp_house, game_id)) == ([1], "illegal-move")


async def test_the_server_goes_on_without_its_main_viewer(uhp_house: Served) -> None:
    _, tokens = await new_game(uhp_house)
    async with opened(tcp, uhp_house, f"role=engine token={tokens[0]}") as white:
        async with opened(tcp, uhp_house, f"role=main token={tokens[0]}") as viewer:
            await viewer.answer()
            async with opened(tcp, uhp_house, f"role=main token={tokens[0]}") as second:
                assert await second.end() == ["err the game has a main viewer already"]
            await greet(white)
            await viewer.send("exit")
            assert await viewer.end() == []
        assert await white.line() == f"newgame {EMPTY}"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("role=main token={1}", "a main viewer needs the token of the game's host"),
        ("role=main game={game}", "a main viewer needs the token of the game's host"),
        ("role=engine token=nonsense", "the token opens no seat"),
        ("role=engine game=nonsense", "There is no game 'nonsense'"),
        ("role=main tc=9999999+1", None),
    ],
)
async def test_refused_handshakes(uhp_house: Served, words: str, why: str | None) -> None:
    game_id, tokens = await new_game(uhp_house)
    async with tcp(uhp_house, words.format(*tokens, game=game_id)) as peer:
        (line,) = await peer.end()
        assert line == f"err {why}" if why else line.startswith("err ")


# ---- programs behind the adapter -----------------------------------------------------------------


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
async def test_two_programs_play_a_whole_game(uhp_house: Served, transport: str) -> None:
    """T3: one writes every move anew, the other shows what it thinks."""
    server = uhp_house.url if transport == "web" else "tcp://{}:{}".format(*uhp_house.uhp)
    game_id, tokens = await new_game(uhp_house, config={"plyLimit": 24})
    rederives = [sys.executable, str(SCRIPT), "rederives"]
    async with (
        adapter(*engine_options(server, tokens[0], *rederives)) as white,
        adapter(*engine_options(server, tokens[1], sys.executable, str(SCRIPT), "keeps")) as black,
    ):
        assert f"playing White game={game_id}" in await finished(white)
        await finished(black)
    position = await ended(uhp_house, game_id)
    assert (position["ply"], result(position)[1]) == (24, "ply-limit")


async def test_a_program_of_ours_and_a_simple_ai(uhp_house: Served) -> None:
    game_id, tokens = await new_game(uhp_house, config={"plyLimit": 6})
    simple = ["--simple", *engine_options(uhp_house.url, tokens[0], sys.executable, str(AI))]
    async with (
        adapter(*simple) as white,
        adapter(*engine_options(uhp_house.url, tokens[1], sys.executable, str(SCRIPT), "plain")) as black,
    ):
        await finished(white)
        await finished(black)
    assert result(await ended(uhp_house, game_id)) == ([], "ply-limit")


@pytest.mark.parametrize(
    ("manner", "reason"), [("floods", "protocol"), ("forgets", "desync"), ("garbles", "illegal-move")]
)
async def test_the_record_of_a_game_that_a_bad_program_lost(
    uhp_house: Served, manner: str, reason: str
) -> None:
    game_id, tokens = await new_game(uhp_house)
    async with (
        adapter(*engine_options(uhp_house.url, tokens[0], sys.executable, str(SCRIPT), "plain")) as white,
        adapter(*engine_options(uhp_house.url, tokens[1], sys.executable, str(SCRIPT), manner)) as black,
    ):
        assert "the server says: game over: " in await finished(black)
        await finished(white)
    position = await ended(uhp_house, game_id)
    assert result(position) == ([0], reason)
    async with httpx.AsyncClient(base_url=uhp_house.url) as client:
        record = (await client.get(f"/api/games/{game_id}/record", params={"format": "uhp"})).text
    kind, state, _, *moves = record.rstrip("\n").split(";")
    assert (kind, state) == ("Base+MLP", "WhiteWins")
    assert moves == [move for move in position["history"] if not move.startswith("!")]


async def test_a_program_that_dies_is_started_again(uhp_house: Served, tmp_path: Path) -> None:
    control = {"initialSeconds": 20, "incrementSeconds": 0, "startsAtOnce": True}
    game_id, tokens = await new_game(uhp_house, config={"plyLimit": 6}, timeControl=control)
    once = [sys.executable, str(SCRIPT), "once", str(tmp_path / "died")]
    async with (
        adapter(*engine_options(uhp_house.url, tokens[0], *once)) as white,
        adapter(*engine_options(uhp_house.url, tokens[1], sys.executable, str(SCRIPT), "plain")) as black,
    ):
        await finished(white)
        await finished(black)
    assert result(await ended(uhp_house, game_id)) == ([], "ply-limit")


async def test_a_program_that_keeps_dying_is_given_up(uhp_house: Served) -> None:
    control = {"initialSeconds": 20, "incrementSeconds": 0, "startsAtOnce": True}
    game_id, tokens = await new_game(uhp_house, timeControl=control)
    plain, dies = ([sys.executable, str(SCRIPT), manner] for manner in ("plain", "dies"))
    async with (
        adapter(*engine_options(uhp_house.url, tokens[0], *plain)),
        adapter(*engine_options(uhp_house.url, tokens[1], *dies)) as black,
    ):
        async with asyncio.timeout(30):
            _, told = await black.communicate()
    assert black.returncode == 1
    assert "has ended 6 times" in told.decode()
    assert (await shown(uhp_house, game_id))["ply"] == 1


async def test_a_refused_program_says_why(uhp_house: Served) -> None:
    _, tokens = await new_game(uhp_house)
    base = [sys.executable, str(SCRIPT), "base"]
    async with adapter(*engine_options(uhp_house.url, tokens[0], *base)) as process:
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
async def test_a_viewer_of_model_c_passes_unchanged(uhp_house: Served, transport: str) -> None:
    server = uhp_house.url if transport == "web" else "tcp://{}:{}".format(*uhp_house.uhp)
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


async def test_a_seat_of_model_b_passes_unchanged(uhp_house: Served) -> None:
    game_id, tokens = await new_game(uhp_house)
    raw = ("--server", uhp_house.url, "--raw", "--role", "seat", "--token", tokens[0])
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
        (("--server", "nonsense"), "'nonsense' is no address"),
        (("--server", "tcp://127.0.0.1"), "is not tcp://HOST:PORT"),
        (("--server", "http://127.0.0.1:9", "--raw"), "cannot connect to http://127.0.0.1:9"),
        (("--server", "{url}", "--raw", "--role", "king"), "role must be one of"),
        (("--server", "{url}", "--raw", "--role", "watch", "--game", "x"), "There is no game 'x'"),
        (("--server", "{url}", "--raw", "--role", "engine", "--", "/nowhere/engine"), "/nowhere/engine"),
        (("--server", "{url}", "--", "engine"), "a command needs --raw"),
        (("--server", "{url}", "--raw", "--simple"), "--simple is for the command of an AI"),
    ],
)
async def test_what_cannot_be_connected(uhp_house: Served, options: tuple[str, ...], why: str) -> None:
    status, lines, told = await piped("", *(option.format(url=uhp_house.url) for option in options))
    assert (status, lines) == (1, [])
    assert why in told


async def test_raw_needs_a_server() -> None:
    status, _, told = await piped("", "--raw")
    assert status == 2
    assert "--raw and a command need --server" in told
