"""Trees of variations over HTTP."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.server.services import opened, settings

Json = dict[str, Any]
PGN = '[GameType "Base"]\n\n1. wS1 2. bG1 -wS1 $6 {slow} (2. bS1 wS1-) 3. wQ wS1-\n'
TREE = {
    "game": "hive",
    "variant": "Base",
    "config": {},
    "moves": [
        {"after": 0, "move": "wS1"},
        {"after": 1, "move": "bG1 -wS1", "comment": "slow", "glyph": "?!"},
        {"after": 2, "move": "wQ wS1-"},
        {"after": 1, "move": "bS1 wS1-"},
    ],
}


@pytest.fixture(scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    async with opened(settings(tmp_path_factory.mktemp("variations"))) as client:
        yield client


async def read(client: httpx.AsyncClient, text: str, name: str = "auto") -> httpx.Response:
    return await client.post("/api/variations", json={"format": name, "text": text})


async def written(client: httpx.AsyncClient, name: str, tree: Json) -> httpx.Response:
    return await client.post("/api/variations/text", json={"format": name, **tree})


async def test_a_record_with_variations_is_a_tree(client: httpx.AsyncClient) -> None:
    assert (await read(client, PGN)).json() == {**TREE, "notes": []}
    assert (await read(client, PGN, "pgn")).json() == {**TREE, "notes": []}


async def test_what_is_written_is_read_again(client: httpx.AsyncClient) -> None:
    rules = (await client.get("/api/rules")).json()["games"]
    formats = {row["game"]: row["variationFormats"] for row in rules}
    assert formats["hive"] == ["sgf", "pgn"]
    for name in formats["hive"]:
        answer = await written(client, name, TREE)
        assert answer.headers["content-type"].startswith("text/plain")
        assert (await read(client, answer.text)).json() == {**TREE, "notes": []}


async def test_records_of_other_games_are_lines(client: httpx.AsyncClient) -> None:
    answer = await read(client, '[Board "3x3"]\n[Result "*"]\n\n1. Ma2 Cb2')
    assert answer.json()["moves"] == [{"after": 0, "move": "Ma2"}, {"after": 1, "move": "Cb2"}]
    assert answer.json()["config"]["boardWidth"] == 3


@pytest.mark.parametrize(
    ("text", "name", "code", "field"),
    [
        ("hello", "auto", "bad-record", "text"),
        (PGN, "docx", "unsupported", "format"),
        (PGN.replace("3. wQ wS1-", "3. bQ wS1-"), "auto", "illegal-move", "text"),
        ("x" * 524_289, "auto", "malformed", "text"),
    ],
)
async def test_bad_records(client: httpx.AsyncClient, text: str, name: str, code: str, field: str) -> None:
    answer = await read(client, text, name)
    assert (answer.json()["code"], answer.json()["field"]) == (code, field), answer.text


@pytest.mark.parametrize(
    ("change", "name", "code", "field"),
    [
        ({"game": "wallwars", "variant": None, "config": {}, "moves": []}, "pgn", "unsupported", "format"),
        ({"game": "chess"}, "pgn", "unknown-game", "game"),
        ({"config": {"plyLimit": -1}}, "pgn", "bad-config", "config"),
        ({"moves": [{"after": 1, "move": "wS1"}]}, "pgn", "bad-record", "moves"),
        ({"moves": [{"after": 0, "move": "bS1"}]}, "pgn", "bad-record", "moves"),
        ({"moves": [{"after": 0, "move": "bS1"}]}, "sgf", "bad-record", "moves"),
        ({"moves": [{"after": 0, "move": "wS1", "glyph": "?!?"}]}, "sgf", "malformed", "moves.glyph"),
        ({"moves": [{"after": 0, "move": "wS1"}] * 10_001}, "sgf", "malformed", "moves"),
        ({"comment": "x" * 2001}, "sgf", "malformed", "comment"),
        ({"moves": [{"after": n, "move": "wS1"} for n in range(1001)]}, "sgf", "over-limit", "moves"),
    ],
)
async def test_bad_trees(client: httpx.AsyncClient, change: Json, name: str, code: str, field: str) -> None:
    answer = await written(client, name, {**TREE, **change})
    assert (answer.json()["code"], answer.json()["field"]) == (code, field), answer.text


CELLS = [{"q": 0, "r": 0, "pieces": ["wQ"]}, {"q": 1, "r": 0, "pieces": ["bQ", "wB1"]}]
SET_UP = {"game": "hive", "variant": "Base", "config": {"cells": CELLS, "toMove": 1}}


async def test_a_position_that_was_set_up_is_analysed_but_not_played(client: httpx.AsyncClient) -> None:
    position = (await client.post("/api/positions", json={**SET_UP, "moves": ["bQ -wQ"]})).json()
    assert position["code"] == "illegal-move"
    position = (await client.post("/api/positions", json=SET_UP)).json()["position"]
    assert (position["view"]["cells"], position["toAct"]) == (CELLS, [1])
    answer = await client.post("/api/analysis?wait=1", json={**SET_UP, "samples": 50})
    assert answer.json()["positions"][0]["bestMove"] in position["legal"], answer.text
    people = [{"kind": "human"}, {"kind": "human"}]
    refused = await client.post("/api/games", json={**SET_UP, "seats": people})
    assert (refused.status_code, refused.json()["code"]) == (422, "bad-config")
    assert "no game begins there" in refused.json()["error"]
    record = json.dumps({**SET_UP, "moves": []})
    refused = await client.post("/api/games/import", json={"text": record})
    assert (refused.json()["code"], refused.json()["field"]) == ("bad-config", "text")
    tree = (await read(client, record)).json()
    assert (tree["config"], tree["moves"]) == (SET_UP["config"], [])
    for name in ("pgn", "sgf"):
        refused = await written(client, name, SET_UP)
        assert refused.json()["error"] == "a position that was set up has no GameString: only JSON keeps it"


async def test_what_a_move_does_not_tell_is_drawn(client: httpx.AsyncClient) -> None:
    start = {"game": "carcassonne", "config": {"seats": 2, "tileCount": 71, "tile": "K"}}
    told = await client.post("/api/positions", json={**start, "moves": ["-1,0,180"]})
    assert told.json()["error"].endswith("the record does not tell which tile was drawn")
    drawn = set()
    for deal in range(8):
        moves = ["-1,0,180"]
        for _ in range(3):
            answer = await client.post("/api/positions", json={**start, "moves": moves, "deal": deal})
            position = answer.json()["position"]
            moves = [*position["history"], position["legal"][0]]
        assert all(" +" in move for move in position["history"])
        again = await client.post("/api/positions", json={**start, "moves": position["history"]})
        assert again.json()["position"] == position
        drawn.add(position["history"][0])
    assert len(drawn) > 1
    wrong = await client.post("/api/positions", json={**start, "moves": ["5,5,0"], "deal": 1})
    assert (wrong.json()["code"], wrong.json()["ply"]) == ("illegal-move", 0)
    assert wrong.json()["error"].startswith("move 1 (5,5,0): ")
