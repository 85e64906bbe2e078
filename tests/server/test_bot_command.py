"""``plyhouse bot`` with real engines and a real server: it plays, reconnects, and restarts engines that exit."""

import asyncio
import json
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import IO

import httpx
import pytest

from programs.bot.config import BotConfigError, ClientIdentity, of_engine, of_file, socket_url
from programs.bot.secret import SecretFile
from protocols.bgs.messages import Attach
from tests.server.bot_peers import OFFER, a_bot, challenge, http, reached, submit
from tests.server.program import PLYHOUSE, PROGRAM, ROOT, run_command
from tests.server.seat_kinds import wait_until
from tests.server.serving import Served

ENGINE = f"{shlex.join(PLYHOUSE)} engine --samples 20"


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("bot-command")) as served:
        yield served


@contextmanager
def bot(*options: str, plyhouse: Sequence[str] = PLYHOUSE) -> Iterator["subprocess.Popen[str]"]:
    """``plyhouse bot`` as a child process."""
    child = subprocess.Popen([*plyhouse, "bot", *options], cwd=ROOT, stderr=subprocess.PIPE, text=True)
    with child:
        try:
            yield child
        finally:
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
            child.wait(timeout=60)


async def attached(client: httpx.AsyncClient, bot_id: str, **query: str) -> None:
    """Waits until the bot is listed, for the default game and all users unless ``query`` says otherwise."""
    async with asyncio.timeout(60):
        while True:
            listed = (await client.get("/api/bots", params=query)).json()["bots"]
            if any(bot["id"] == bot_id for bot in listed):
                return
            await asyncio.sleep(0.05)


@asynccontextmanager
async def attached_bot(
    services: Served, client_id: str, *options: str, plyhouse: Sequence[str] = PLYHOUSE, **query: str
) -> AsyncIterator[tuple["subprocess.Popen[str]", httpx.AsyncClient]]:
    """``plyhouse bot`` with one bot once that is listed, and a client of the server."""
    with bot("--server", services.url, "--client-id", client_id, *options, plyhouse=plyhouse) as child:
        async with http(services) as client:
            await attached(client, f"{client_id}:engine", **query)
            yield child, client


async def test_an_engine_plays_a_scripted_person(services: Served) -> None:
    async with attached_bot(services, "lab", "--engine", ENGINE, plyhouse=PROGRAM) as (child, client):
        game = await challenge(client, "lab:engine", boardWidth=5, boardHeight=5)
        for ply in range(0, 6, 2):
            found = await reached(client, game["gameId"], ply=ply)
            assert found["toAct"] == [0]
            assert (await submit(client, game, "---", ply)).status_code == 200
        found = await reached(client, game["gameId"], ply=6)
        assert found["history"][::2] == ["---"] * 3
        child.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(child.wait, 60) == 0
        await reached(client, game["gameId"], status="finished")


async def test_it_logs_games_and_how_they_end(services: Served, tmp_path: Path) -> None:
    lame = tmp_path / "lame.py"
    lame.write_text(LAME_ENGINE)
    engine = f"{sys.executable} {lame}"
    async with attached_bot(services, "log", "--engine", engine) as (child, client):
        lost, won = [await challenge(client, "log:engine", boardWidth=5, boardHeight=5) for _ in range(2)]
        await submit(client, lost, "---")
        await reached(client, lost["gameId"], ply=1, status="finished")
        headers = {"Authorization": f"Bearer {won['token']}"}
        await client.post(f"/api/games/{won['gameId']}/resign", headers=headers)
        assert child.stderr is not None
        lines = await asyncio.to_thread(until_line, child.stderr, "is won")
    texts = [line.split(" ", 2)[2].strip() for line in lines]
    assert f"engine: session {lost['gameId']} begins: wallwars standard 5x5" in texts
    assert f"engine: game {lost['gameId']} is lost by resignation: I am lame" in texts
    assert f"engine: game {won['gameId']} is won by resignation" in texts


LAME_ENGINE = """
import json, sys
for line in sys.stdin:
    bgs_id = json.loads(line)["bgsId"]
    answer = {"type": "game_session_started", "bgsId": bgs_id, "success": False, "error": "I am lame"}
    print(json.dumps(answer), flush=True)
"""


def until_line(stream: IO[str], part: str) -> list[str]:
    lines: list[str] = []
    for line in stream:
        lines.append(line)
        if part in line:
            return lines
    raise AssertionError(lines)


async def test_an_engine_plays_the_named_game(services: Served) -> None:
    options = ("--engine", ENGINE, "--game", "hive")
    async with attached_bot(services, "hexes", *options, game="hive") as (_, client):
        body = {"botId": "hexes:engine", "config": {"variant": "Base+P"}}
        game = (await client.post("/api/bots/play?game=hive", json=body)).json()
        assert (await submit(client, game, "wP", 0)).status_code == 200
        await reached(client, game["gameId"], ply=2)


async def test_it_reconnects_when_the_server_is_back(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with Served(tmp_path, "--port", str(port)) as services, faithful(services):
        async with http(services) as client:
            await attached(client, "faithful:engine")
            game = await challenge(client, "faithful:engine", boardWidth=5, boardHeight=5)
            await submit(client, game, "---")
            await reached(client, game["gameId"], ply=2)
            services.stop(signal.SIGKILL)
        services.start()
        async with http(services) as client:
            await attached(client, "faithful:engine")
            assert (await submit(client, game, "---")).status_code == 200
            await reached(client, game["gameId"], ply=4)


def faithful(services: Served) -> AbstractContextManager["subprocess.Popen[str]"]:
    return bot("--server", services.url, "--engine", ENGINE, "--client-id", "faithful")


async def test_several_bots_from_a_file(services: Served, tmp_path: Path) -> None:
    entry = {"name": "N", "username": None, "variants": {"standard": OFFER}}
    content = {
        "server": services.socket_url,
        "bots": [{"botId": "one", **entry}, {"botId": "two", **entry}],
        "engineCommands": {"one": ENGINE},
    }
    path = tmp_path / "bots.json"
    path.write_text(json.dumps(content))
    with bot("--config", str(path), "--client-id", "duo"):
        async with http(services) as client:
            for name in ("duo:one", "duo:two"):
                await attached(client, name)
                game = await challenge(client, name)
                await submit(client, game, "Ma2")
                await reached(client, game["gameId"], ply=2)


async def test_it_keeps_its_id_over_a_restart_and_yields_to_another_with_its_secret(
    services: Served, tmp_path: Path
) -> None:
    path = tmp_path / "secret"
    options = ["--server", services.url, "--engine", ENGINE, "--client-id", "kept"]
    options += ["--secret-file", str(path)]
    async with http(services) as client:
        with bot(*options):
            await attached(client, "kept:engine")
        await asyncio.to_thread(wait_until, path.exists)
        secret = json.loads(path.read_text())["resumeSecret"]
        with bot(*options) as child:
            await attached(client, "kept:engine")
            async with a_bot(services) as rival:
                assert (await rival.attach("kept"))["code"] == "TOO_MANY_CLIENTS"
            async with a_bot(services) as heir:
                resumed = await heir.attach("kept", secret=secret)
                assert resumed["resumeSecret"] == secret
                assert await asyncio.to_thread(child.wait, 15) == 1
                assert child.stderr is not None
                assert "Replaced by new connection" in child.stderr.read()


async def test_it_exits_if_its_bots_are_refused(services: Served) -> None:
    options = ["--server", services.url, "--engine", ENGINE, "--official-token", "wrong"]
    done = await asyncio.to_thread(run_command, "bot", *options)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("plyhouse bot: the server refuses the bots: officialToken")


# ---- the configuration -----------------------------------------------------------------------------

ME = ClientIdentity("me", None)
BOT = {"botId": "b", "name": "B", "username": None, "variants": {"standard": OFFER}}


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("http://localhost:8000", "ws://localhost:8000/ws/custom-bot"),
        ("https://play.example", "wss://play.example/ws/custom-bot"),
        ("ws://h:1/any/path?x=1", "ws://h:1/ws/custom-bot"),
        ("wss://[::1]:8000/ws/custom-bot", "wss://[::1]:8000/ws/custom-bot"),
        ("localhost:8000", "ws://localhost:8000/ws/custom-bot"),
    ],
)
def test_addresses(address: str, url: str) -> None:
    assert socket_url(address) == url


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("[", "not JSON"),
        ("[]", "not a JSON object"),
        ({"bots": [BOT], "bot": 1}, "unknown member 'bot'"),
        ({"bots": [{**BOT, "officialToken": "t"}]}, "officialToken does not belong in the file"),
        ({"bots": []}, "bots must be a non-empty array"),
        ({"bots": [BOT, BOT]}, "appears twice"),
        ({"bots": [BOT], "engineCommands": {"c": "x"}}, "names 'c', which is not one of the bots"),
        ({"bots": [BOT], "engineCommands": {"b": ""}}, "engineCommands.b is empty"),
        ({"bots": [BOT], "engineCommands": []}, "must be an object"),
        ({"bots": [BOT], "readySeconds": 0}, "readySeconds must be a number over 0, at most 86400"),
        ({"bots": [BOT], "readySeconds": True}, "readySeconds must be a number over 0"),
    ],
)
def test_unusable_files(tmp_path: Path, content: object, text: str) -> None:
    path = tmp_path / "bots.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(BotConfigError, match=text):
        of_file(path, "http://h", ME)


def test_a_file_of_the_sites_own_client_is_accepted(tmp_path: Path) -> None:
    sizes = {"boardWidth": {"min": 4, "max": 12}, "boardHeight": {"min": 4, "max": 12}}
    offer = {
        **sizes,
        "recommended": [{"boardWidth": 6, "boardHeight": 6}, {"boardWidth": 8, "boardHeight": 8}],
    }
    looks = {"color": "#4ade80", "catStyle": "cat1.svg", "mouseStyle": "m1.svg", "homeStyle": "h1.svg"}
    bots = [
        {"botId": name, "name": name, "username": None, "appearance": looks, "variants": {"classic": offer}}
        for name in ("deep", "walker")
    ]
    commands = {"deep": "../deep/engine --model ../deep/8x8.trt"}
    path = tmp_path / "bots.json"
    path.write_text(json.dumps({"server": "http://h:5173", "bots": bots, "engineCommands": commands}))
    config = of_file(path, None, ME)
    assert config.url == "ws://h:5173/ws/custom-bot"
    assert config.commands["deep"] == ("../deep/engine", "--model", "../deep/8x8.trt")
    assert config.commands["walker"][-1] == "engine"
    assert [bot.appearance for bot in config.attach.bots] == [looks, looks]


def test_a_file_without_a_server_needs_one(tmp_path: Path) -> None:
    path = tmp_path / "bots.json"
    path.write_text(json.dumps({"bots": [BOT]}))
    with pytest.raises(BotConfigError, match="no server"):
        of_file(path, None, ME)
    assert of_file(path, "http://h", ME).commands["b"][-1] == "engine"


def test_an_unusable_program_name_is_replaced_by_the_clients_name() -> None:
    for command in ("plyhouse engine", f"/bin/{'x' * 65}"):
        (only,) = of_engine(command, "http://h", ClientIdentity("me", None)).attach.bots
        assert only.name == "me"


def test_a_bot_may_stay_out_of_tournaments() -> None:
    identity = ClientIdentity("me", None, tournaments=False)
    (bot,) = of_engine("my-engine", "http://h", identity).attach.bots
    assert bot.tournaments is None


def test_a_single_engine_offers_every_board() -> None:
    config = of_engine("'my engine' --fast", "http://h", ClientIdentity("me", "secret"))
    assert config.commands == {"engine": ("my engine", "--fast")}
    assert isinstance(config.attach, Attach)
    (only,) = config.attach.bots
    assert (only.name, only.official_token) == ("my engine", "secret")
    assert list(only.variants) == ["standard", "classic", "freestyle"]


def test_an_engine_plays_with_a_clock_if_the_user_says_so(tmp_path: Path) -> None:
    for is_timed in (True, False):
        (only,) = of_engine("my-engine", "http://h", ME, is_timed=is_timed).attach.bots
        assert only.is_timed is is_timed
    path = tmp_path / "bots.json"
    path.write_text(json.dumps({"bots": [BOT, {**BOT, "botId": "c", "timed": True}]}))
    assert [bot.is_timed for bot in of_file(path, "http://h", ME).attach.bots] == [False, True]


def test_an_engine_is_asked_again_as_often_as_the_user_says() -> None:
    told = [ClientIdentity("me", None, retries=retries) for retries in (0, 3)]
    bots = [of_engine("my-engine", "http://h", identity).attach.bots for identity in told]
    assert [bot.retries for (bot,) in bots] == [0, 3]


async def test_a_bot_of_the_command_line_has_retries(services: Served) -> None:
    engine = shlex.join([sys.executable, "-c", STUBBORN_ENGINE])
    async with attached_bot(services, "again", "--engine", engine, "--retries", "1") as (_, client):
        game = await challenge(client, "again:engine")
        await submit(client, game, "---")
        assert (await reached(client, game["gameId"], ply=2))["history"] == ["---", "---"]


STUBBORN_ENGINE = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    kinds = {"start_game_session": "game_session_started", "apply_move": "move_applied",
             "end_game_session": "game_session_ended", "evaluate_position": "evaluate_response"}
    answer = {"type": kinds[asked["type"]], "bgsId": asked["bgsId"], "success": True, "error": ""}
    if asked["type"] == "apply_move":
        answer["ply"] = asked["expectedPly"] + 1
    if asked["type"] == "evaluate_position":
        is_told = "refused" in asked or asked["expectedPly"] != 1
        answer.update(ply=asked["expectedPly"], bestMove="---" if is_told else "castle", evaluation=0)
    print(json.dumps(answer), flush=True)
"""


# ---- the secret ------------------------------------------------------------------------------------


def test_secrets_are_stored_per_client_and_server_and_unreadable_by_others(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    mine = SecretFile(path, "ws://h/ws/custom-bot", "me")
    assert mine.read() is None
    for secret in ("first", "second"):
        mine.write(secret)
        assert mine.read() == secret
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]
    for other in (SecretFile(path, "ws://h/ws/custom-bot", "you"), SecretFile(path, "ws://x", "me")):
        with pytest.raises(BotConfigError, match="it belongs to client me at ws://h/"):
            other.read()


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"resumeSecret": 7}'])
def test_another_file_is_not_read_as_a_secret(tmp_path: Path, content: str) -> None:
    path = tmp_path / "secret"
    path.write_text(content)
    with pytest.raises(BotConfigError, match="not a file written by plyhouse bot"):
        SecretFile(path, "ws://h", "me").read()
