"""UHP engines on the ladder of a running server: they join by a handshake, and are asked, rated and listed as bots."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import count
from pathlib import Path

import httpx
import pytest

from server.services.uhp import bot_client
from tests.server.bot_peers import Json, http
from tests.server.memory_connection import MemoryConnection
from tests.server.program import PLYHOUSE, ROOT
from tests.server.services import app_with, settings
from tests.server.serving import Served
from tests.server.test_ladder import of, until
from tests.server.uhp_clients import Peer, tcp, web
from tests.server.uhp_engine_script import UhpEngine

BASE = "/api/ladder/hive?variant=Base"
SECRET = "a-secret-of-its-author"  # noqa: S105 - of a test
JOIN = """
exec 3<>"/dev/tcp/$1/$2"
echo "plyhouse/1 role=engine ladder=1 client=$CLIENT type=Base" >&3
read -r answer <&3
[ "$answer" = ok ] || { echo "$answer" >&2; exit 1; }
shift 2
exec "$@" <&3 >&3
"""
"""The script of docs/ladder.md, for games of one type."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose built-in levels play no games of the ladder."""
    folder = tmp_path_factory.mktemp("ladder")
    with Served(folder, "--uhp-port", "0", PLYHOUSE_LADDER_LEVEL_GAMES="0") as server:
        yield server


def handshake(name: str, more: str = "type=Base", secret: str = SECRET) -> str:
    return f"role=engine ladder=1 client={name}:{secret} {more}".strip()


async def greet(peer: Peer, engine: UhpEngine) -> None:
    assert await peer.line() == "ok"
    for line in engine.greet():
        await peer.send(str(line))


async def play(peer: Peer, engine: UhpEngine, heard: list[str], last: Callable[[str], bool]) -> None:
    """Answers commands until the ``last`` one, which is not answered, or until the server closes."""
    with suppress(EOFError):
        while True:
            heard.append(await peer.line())
            if last(heard[-1]):
                return
            for line in engine.answer(heard[-1]):
                await peer.send(str(line))


class Joined:
    """An engine that has joined. ``heard``: the commands that it has been given."""

    def __init__(self, peer: Peer, playing: "asyncio.Task[None]", heard: list[str]) -> None:
        self.peer = peer
        self.heard = heard
        self._playing = playing

    async def ended(self) -> str:
        """Waits for the end of the connection, or the last command; returns that."""
        async with asyncio.timeout(60):
            await self._playing
        return self.heard[-1]


@asynccontextmanager
async def joined(
    served: Served,
    name: str,
    more: str = "type=Base",
    manner: str = "plain",
    last: Callable[[str], bool] = lambda _: False,
    *,
    over_web: bool = False,
) -> AsyncIterator[Joined]:
    """An engine on the ladder, which behaves in this manner (``uhp_engine_script``)."""
    engine, heard = UhpEngine(manner), list[str]()
    async with web(served, handshake(name, more)) if over_web else tcp(served, handshake(name, more)) as peer:
        await greet(peer, engine)
        playing = asyncio.ensure_future(play(peer, engine, heard, last))
        try:
            yield Joined(peer, playing, heard)
        finally:
            playing.cancel()


async def refusal(served: Served, handshake: str, manner: str = "plain") -> list[str]:
    """What the server says before it closes the connection of an engine, after ``ok``."""
    async with tcp(served, handshake) as peer:
        await greet(peer, UhpEngine(manner))
        return await peer.end()


@asynccontextmanager
async def script(served: Served, name: str, *command: str) -> AsyncIterator[None]:
    """An engine in a process of its own, connected by the script of the documentation."""
    host, port = served.uhp
    arguments = ("-c", JOIN, "join", host, str(port), *command)
    environment = {**os.environ, "CLIENT": f"{name}:{SECRET}"}
    process = await asyncio.create_subprocess_exec("bash", *arguments, cwd=ROOT, env=environment)
    try:
        yield
    finally:
        process.terminate()
        await process.wait()


@asynccontextmanager
async def ours(served: Served, name: str) -> AsyncIterator[None]:
    """``plyhouse uhp`` in a process, so careful with its time that it moves at once."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*PLYHOUSE, "uhp", stdin=pipe, stdout=pipe, cwd=ROOT)
    assert process.stdin is not None
    assert process.stdout is not None
    async with tcp(served, handshake(name)) as peer:
        assert await peer.line() == "ok"
        for _ in range(3):
            peer.writer.write(await process.stdout.readline())
        process.stdin.write(b"options set MoveOverheadMs 10000\n")
        while await process.stdout.readline() != b"ok\n":
            pass
        pipes = (_pipe(peer.reader, process.stdin), _pipe(process.stdout, peer.writer))
        piping = [asyncio.ensure_future(one) for one in pipes]
        try:
            yield
        finally:
            for one in piping:
                one.cancel()
            process.kill()
            await process.wait()


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while line := await reader.readline():
        writer.write(line)
        await writer.drain()


async def listed(client: httpx.AsyncClient, name: str) -> Json:
    """The bot of a client, once it is listed."""

    def own(answer: Json) -> list[Json]:
        return [bot for bot in answer["bots"] if bot["clientId"] == name]

    return own(await until(client, "/api/bots?game=hive", own))[0]


async def results(client: httpx.AsyncClient, name: str, is_there: Callable[[Json], object]) -> Json:
    """The latest result of an engine that is as expected."""
    path = f"/api/ladder/bots/{name}:engine"
    report = await until(client, path, lambda report: any(map(is_there, report["results"])))
    return next(result for result in report["results"] if is_there(result))


async def test_engines_in_processes_play_a_whole_game(served: Served) -> None:
    command = (sys.executable, "-m", "tests.server.uhp_engine_script", "keeps")
    async with http(served) as client, script(served, "theirs", *command), ours(served, "ours"):
        bot = await listed(client, "theirs")
        assert {name: bot[name] for name in ("id", "name", "protocol", "ladder", "timed", "variants")} == {
            "id": "theirs:engine",
            "name": "Script keeps",
            "protocol": "uhp",
            "ladder": True,
            "timed": True,
            "variants": {"Base": {}},
        }
        assert (await listed(client, "ours"))["name"] == "ours", "names of built-in bots are reserved"
        result = await results(client, "ours", lambda _: True)
        assert result["plies"] > 4
        assert (result["reason"] in ("board", "repetition", "ply-limit"), result["lostByError"]) == (True, [])
        rows = await until(client, BASE, lambda rows: of(rows, "ours:engine")["games"] > 0)
        assert of(rows, "theirs:engine")["games"] > 0


def asked_for_move(number: int) -> Callable[[str], bool]:
    """Whether an engine is asked for so many moves by now."""
    asked = count(1)
    return lambda command: command.startswith("bestmove") and next(asked) == number


async def test_an_engine_whose_connection_is_lost_goes_on_with_its_game(served: Served) -> None:
    async with http(served) as client, joined(served, "stays"):
        async with joined(served, "returns", last=asked_for_move(3)) as before:
            await before.ended()
            rows = (await client.get(BASE)).json()
            [game_id] = of(rows, "returns:engine")["playing"]
        async with joined(served, "returns", over_web=True, last=asked_for_move(1)) as after:
            await after.ended()
            moves = (await client.get(f"/api/games/{game_id}")).json()["position"]["history"]
            assert len(moves) >= 6
            assert after.heard[0].split(";")[3:] == moves
        async with joined(served, "returns"):
            result = await results(client, "returns", lambda result: result["gameId"] == game_id)
            assert result["lostByError"] == []


async def test_errors_of_an_engine_are_shown_with_what_it_wrote(served: Served) -> None:
    wrong = {
        "illegal": "The engine's move “bA3 wQ-”",
        "garbles": "The engine's move “hello?”",
        "errs": "The engine answers “err I am tired”",
        "forgets": "The engine shows another game: “Base;",
    }
    async with AsyncExitStack() as engines, http(served) as client:
        await engines.enter_async_context(joined(served, "right"))
        for manner in wrong:
            await engines.enter_async_context(joined(served, manner, manner=manner))
        for manner, text in wrong.items():
            lost = await results(client, manner, lambda result: result["seat"] in result["lostByError"])
            assert lost["reason"] == "resignation"
            assert text in lost["note"]
            assert (await listed(client, manner))["id"] == f"{manner}:engine", "it is still connected"


async def test_an_id_belongs_to_the_engine_that_came_with_it_first(served: Served) -> None:
    wrong = handshake("owner", secret="another-secret-of-it")  # noqa: S106 - of a test
    async with http(served) as client:
        async with joined(served, "owner"):
            await listed(client, "owner")
            [why] = await refusal(served, wrong)
            assert why.startswith("err clientId 'owner' is connected: its resumeSecret is needed")
        await until(client, "/api/bots?game=hive", lambda answer: "owner" not in json.dumps(answer))
        [why] = await refusal(served, wrong)
        assert why.startswith(
            "err ladder: clientId 'owner' belongs to the client that attached with it first"
        )
        async with joined(served, "owner"):
            await listed(client, "owner")


async def test_the_newer_of_two_connections_goes_on(served: Served) -> None:
    first = joined(served, "twice", last=asked_for_move(1))
    async with http(served) as client, joined(served, "once"), first as older:
        await older.ended()
        async with joined(served, "twice"):
            assert await older.peer.end() == ["err Replaced by new connection"]
            await results(client, "twice", lambda result: not result["lostByError"])


async def test_a_handshake_is_checked_before_it_is_accepted(served: Served) -> None:
    for given, why in (
        ("role=engine ladder=1", "ladder=1 needs client=<id>:<secret>"),
        (
            handshake("plyhouse-1"),
            "clientId must not begin with 'plyhouse': that is reserved for built-in bots",
        ),
        (
            handshake("a", "name=Plyhouse"),
            "name must not begin with 'plyhouse': that is reserved for built-in bots",
        ),
    ):
        async with tcp(served, given) as peer:
            assert await peer.end() == [f"err {why}"]


async def test_an_engine_plays_what_it_can(served: Served) -> None:
    async with http(served) as client:
        async with joined(served, "small", "name=Small version=2", manner="base"):
            bot = await listed(client, "small")
            assert (bot["name"], list(bot["variants"])) == ("Small", ["Base"])
            rows = await until(client, BASE, lambda rows: of(rows, "small:engine@2")["games"] == 0)
            assert of(rows, "small:engine@2")["here"]
        async with joined(served, "large", ""):
            assert len((await listed(client, "large"))["variants"]) == 8
    [why] = await refusal(served, handshake("small", "type=Base+MP"), "base")
    assert why == "err Script base does not play Base+MP: it lacks mosquito, pillbug"


async def test_only_the_ladder_starts_games_with_an_engine(served: Served) -> None:
    bot = {"kind": "bot", "bot": "rated:engine"}
    async with http(served) as client, joined(served, "rated") as engine:
        await listed(client, "rated")
        for path, body in (
            ("/api/bots/play?game=hive", {"botId": "rated:engine", "config": {"variant": "Base"}}),
            ("/api/games", {"game": "hive", "variant": "Base", "seats": [{"kind": "human"}, bot]}),
            ("/api/games", {"game": "hive", "variant": "Base", "seats": [bot, bot]}),
        ):
            answer = await client.post(path, json=body)
            assert answer.json()["error"] == "Script plain plays rated games only, which the ladder starts."
            assert answer.status_code == 422
        made = (
            await client.post("/api/tournaments", json={"name": "T", "game": "hive", "variant": "Base"})
        ).json()
        answer = await client.post(f"/api/tournaments/{made['id']}/entries", json={"bot": "rated:engine"})
        assert (answer.status_code, answer.json()["field"]) == (422, "bot")
        assert engine.heard == []


# ---- engines that do not answer ------------------------------------------------------------------


@asynccontextmanager
async def in_memory(folder: Path, *lines: str) -> AsyncIterator[tuple[httpx.AsyncClient, MemoryConnection]]:
    """A server in this process, with an engine that has joined and written these lines."""
    app = app_with(settings(folder, bot_timeout_seconds=0.5))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://services", timeout=60) as client,
    ):
        wire = MemoryConnection()
        given = dict(word.split("=", 1) for word in handshake("mute").split())
        serving = asyncio.ensure_future(app.state.services.uhp.receive(wire, given.items()))
        assert await wire.line() == "ok"
        wire.write(*lines)
        yield client, wire
        wire.leave()
        await serving


async def test_an_engine_without_a_banner_is_told_why_it_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_client, "REPLY_SECONDS", 0.1)
    async with in_memory(tmp_path) as (client, wire):
        assert await wire.line() == "err The engine did not answer in time"
        assert wire.closed == "refused"
        assert [bot for bot in (await client.get("/api/bots")).json()["bots"] if "level" not in bot] == []


async def test_an_engine_that_stops_answering_loses_and_is_told_why_it_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_client, "LAST_SECONDS", 2.0)
    async with in_memory(tmp_path, *UhpEngine("plain").banner(), "ok") as (client, wire):
        assert (await wire.line()).startswith("newgame")
        result = await results(client, "mute", lambda result: result["seat"] in result["lostByError"])
        assert (result["reason"], result["note"]) == ("resignation", "The engine did not answer in time.")
        assert await wire.line() == "err The engine did not answer in time."
        assert wire.closed is not None


def test_the_script_of_the_documentation_is_that_of_these_tests() -> None:
    text = (ROOT / "docs" / "ladder.md").read_text()
    assert JOIN.replace(" type=Base", "") in text
