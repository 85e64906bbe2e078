"""Hive through the whole server, by the protocols of every game: HTTP, the game socket, evaluations, bots, engines."""

import json
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from engines import Position, games
from server.domain.levels import LEVELS
from tests.server.bot_peers import Viewer, a_viewer, http, reached, submit
from tests.server.program import PLYHOUSE, ROOT
from tests.server.serving import Served

Json = dict[str, Any]
VARIANTS = next(game.variants for game in games() if game.name == "hive")
ENGINE = [*PLYHOUSE, "engine", "--samples", "50"]


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("hive"), PLYHOUSE_SAMPLES="50") as served:
        yield served


async def opened(client: httpx.AsyncClient, *kinds: Json, **more: object) -> Json:
    answer = await client.post("/api/games", json={"game": "hive", "seats": list(kinds), **more})
    assert answer.status_code == 201, answer.text
    game: Json = answer.json()
    tokens = [seat["token"] for seat in game["seats"] if "token" in seat]
    return {**game, "token": tokens[0] if tokens else None}


HUMAN, EASY = {"kind": "human", "name": "Ada"}, {"kind": "bot", "bot": "plyhouse:easy"}


@asynccontextmanager
async def watched(services: Served, game: Json) -> AsyncIterator[Viewer]:
    """Connects to the evaluation bar of a game."""
    async with a_viewer(services, game["gameId"]) as viewer:
        shake = {"type": "eval-handshake", "gameId": game["gameId"], "variant": game["variant"]}
        await viewer.send(shake)
        assert await viewer.next() == {"type": "eval-handshake-accepted"}
        yield viewer


async def test_every_variant_can_be_found_and_played(services: Served) -> None:
    async with http(services) as client:
        for variant in VARIANTS:
            found = await client.get("/api/bots", params={"game": "hive", "variant": variant})
            assert {bot["botId"] for bot in found.json()["bots"]} == {level.bot_id for level in LEVELS}
            bare = await client.get(f"/api/bots?game=hive&variant={variant}")
            assert bare.json() == found.json(), "a plus sign needs no escaping"
            game = await opened(client, HUMAN, {"kind": "bot", "bot": "plyhouse:medium"}, variant=variant)
            assert (await submit(client, game, "wG1", 0)).status_code == 200
            await reached(client, game["gameId"], ply=2)
            async with watched(services, game) as viewer:
                assert len(await viewer.history()) >= 1


async def test_built_in_bots_play_a_whole_game_that_reads_and_counts_the_same_elsewhere(
    services: Served,
) -> None:
    async with http(services) as client:
        config = {"plyLimit": 24}
        game = await opened(client, EASY, {"kind": "bot", "bot": "plyhouse:medium"}, config=config)
        end = await reached(client, game["gameId"], ply=1, status="finished")
        Position("hive", "Base+MLP", config).play(*end["history"])
        analysis = await client.post("/api/analysis?wait=1", json={"gameId": game["gameId"], "samples": 20})
        for name in ("json", "uhp"):
            record = await client.get(f"/api/games/{game['gameId']}/record?format={name}")
            again = await client.post("/api/games/import", json={"text": record.text})
            assert again.status_code == 201, again.text
            assert again.json()["position"]["history"] == end["history"]
            found = await client.post("/api/analysis?wait=1", json={"text": record.text, "samples": 20})
            assert len(found.json()["positions"]) == len(end["history"]) + 1
            if name == "json":
                assert "X-Lossy" not in record.headers
                assert found.json()["positions"] == analysis.json()["positions"]
            else:
                assert record.headers["X-Lossy"].split(", ")[:2] == ["config", "seats"]


def test_the_engine_answers_for_hive_on_json_lines() -> None:
    start = {"type": "start_game_session", "bgsId": "g", "botId": "b"}
    config = {"game": "hive", "variant": "Base", "gameString": "Base;InProgress;Black[1];wS1"}
    asked: list[Json] = [
        {**start, "config": {"game": "hive", "variant": "Base"}},
        {**start, "config": config},
        {"type": "evaluate_position", "bgsId": "g", "expectedPly": 0},
        {"type": "apply_move", "bgsId": "g", "expectedPly": 0, "move": "bS1 -wS1"},
        {"type": "apply_move", "bgsId": "g", "expectedPly": 1, "move": "wS1 -bS1"},
        {"type": "evaluate_position", "bgsId": "g", "expectedPly": 1},
        {"type": "end_game_session", "bgsId": "g"},
    ]
    text = "".join(json.dumps(line) + "\n" for line in asked)
    done = subprocess.run(
        ENGINE, input=text, capture_output=True, text=True, cwd=ROOT, timeout=60, check=True
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["success"] for line in told] == [False, True, True, True, False, True, True]
    assert told[0]["error"] == "BgsConfig missing required fields"
    assert told[4]["error"].startswith("Failed to apply move: ")
    after = Position("hive", "Base", config)
    assert after.check(told[2]["bestMove"]) == told[2]["bestMove"]
    after.play("bS1 -wS1")
    assert (told[5]["ply"], after.check(told[5]["bestMove"])) == (1, told[5]["bestMove"])


def test_a_game_string_is_analysed_without_a_server(tmp_path: Path) -> None:
    command = [*ENGINE[:-3], "analyze", "-", "--samples", "20", "--json"]
    line = "Base+MLP;InProgress;White[9];wS1;bS1 wS1-;wQ \\wS1;bQ bS1/\n"
    done = subprocess.run(
        command, input=line, capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert [one["ply"] for one in json.loads(done.stdout)["positions"]] == [0, 1, 2, 3, 4]
