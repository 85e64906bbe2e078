"""The programs in ``examples/``, run as their readers run them, against a real server."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from engines import Position
from tests.server.bot_peers import Json, challenge, http, reached, submit
from tests.server.program import ROOT
from tests.server.serving import Served

SMALL = {"boardWidth": 5, "boardHeight": 5}
RANDOM = "example:random"


@asynccontextmanager
async def random_bot(
    served: Served, client: httpx.AsyncClient, *game: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """``examples/random_bot.py`` as a child process, attached."""
    program = str(Path("examples") / "random_bot.py")
    command = [sys.executable, program, served.socket_url, *(game or ["wallwars"]), "example"]
    environment = {"PYTHONPATH": str(ROOT)}
    child = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, env=environment, stdout=asyncio.subprocess.PIPE
    )
    assert child.stdout is not None
    try:
        assert b'"attached"' in await child.stdout.readline()
        yield child
    finally:
        if child.returncode is None:
            child.terminate()
        await child.communicate()


async def bot_game(client: httpx.AsyncClient, variant: str) -> Json:
    """The random bot against the built-in one; the position at the end."""
    seats = [{"kind": "bot", "bot": RANDOM}, {"kind": "bot", "bot": "plyhouse:medium"}]
    body = {"game": "wallwars", "variant": variant, "config": SMALL, "seats": seats}
    opened = await client.post("/api/games", json=body)
    assert opened.status_code == 201, opened.text
    return await reached(client, opened.json()["gameId"], status="finished")


async def test_the_random_bot_plays_whole_games_by_the_rules(served: Served) -> None:
    async with http(served) as client, random_bot(served, client) as child:
        for variant in ("standard", "classic"):
            end = await bot_game(client, variant)
            assert end["result"]["reason"] in ("capture", "one-move-rule"), "no bot resigned"
            Position("wallwars", variant, SMALL).play(*end["history"])
        assert child.returncode is None


async def test_several_random_bots_attach_at_once(served: Served) -> None:
    program = str(Path("examples") / "random_bot.py")
    pipe = asyncio.subprocess.PIPE
    children = [
        await asyncio.create_subprocess_exec(
            sys.executable, program, served.socket_url, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, stdout=pipe
        )
        for _ in range(2)
    ]
    lines = []
    for child in children:
        assert child.stdout is not None
        lines.append((await child.stdout.readline()).decode())
        child.terminate()
        await child.communicate()
    assert all('"attached"' in line for line in lines)
    assert len({line.split()[0] for line in lines}) == 2


async def test_the_random_bot_plays_hive(served: Served) -> None:
    async with http(served) as client, random_bot(served, client, "hive") as child:
        seats = [{"kind": "bot", "bot": RANDOM}, {"kind": "bot", "bot": "plyhouse:medium"}]
        config = {"plyLimit": 60}
        opened = await client.post("/api/games", json={"game": "hive", "config": config, "seats": seats})
        assert opened.status_code == 201, opened.text
        end = await reached(client, opened.json()["gameId"], status="finished")
        assert end["result"]["reason"] in ("board", "repetition", "ply-limit"), "no bot resigned"
        assert child.returncode is None


async def test_the_random_bot_plays_carcassonne_and_outlasts_a_person(served: Served) -> None:
    async with http(served) as client, random_bot(served, client, "carcassonne") as child:
        seats = [{"kind": "human"}, {"kind": "bot", "bot": RANDOM}, {"kind": "bot", "bot": "plyhouse:easy"}]
        body = {"game": "carcassonne", "config": {"seats": 3, "tileCount": 10}, "seats": seats}
        game = (await client.post("/api/games", json=body)).json()
        game["token"] = game["seats"][0]["token"]
        assert (await submit(client, game, game["position"]["legal"][0], 0)).status_code == 200
        await reached(client, game["gameId"], ply=3)
        headers = {"Authorization": f"Bearer {game['token']}"}
        await client.post(f"/api/games/{game['gameId']}/resign", headers=headers)
        end = await reached(client, game["gameId"], status="finished")
        assert end["result"]["reason"] == "points", "no bot resigned"
        assert "!0" in end["history"]
        assert child.returncode is None


async def test_the_random_bot_plays_a_person_and_takes_moves_back(served: Served) -> None:
    async with http(served) as client, random_bot(served, client) as child:
        game = await challenge(client, RANDOM, boardWidth=8, boardHeight=8)
        assert (await submit(client, game, "---", 0)).status_code == 200
        assert (await reached(client, game["gameId"], ply=2))["history"][0] == "---"
        headers = {"Authorization": f"Bearer {game['token']}"}
        back = await client.post(f"/api/games/{game['gameId']}/takeback", json={}, headers=headers)
        assert (back.status_code, back.json()["ply"]) == (200, 0)
        assert (await submit(client, game, "Cb8", 0)).status_code == 200
        assert (await reached(client, game["gameId"], ply=2))["history"][0] == "Cb8"
        assert child.returncode is None


async def test_the_random_bot_resigns_by_disconnecting(served: Served) -> None:
    async with http(served) as client:
        async with random_bot(served, client):
            game = await challenge(client, RANDOM)
            assert (await submit(client, game, "---", 0)).status_code == 200
            await reached(client, game["gameId"], ply=2)
        end = await reached(client, game["gameId"], ply=2, status="finished")
        assert end["result"] == {"winners": [0], "reason": "resignation", "note": "the bot disconnected"}
