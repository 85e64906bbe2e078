"""Games over HTTP: random starts, lists of many pages, and bodies and disks that are out of the ordinary."""

from pathlib import Path
from typing import Any, NoReturn

import httpx
import pytest
from fastapi import APIRouter

from server.app import create_app
from tests.server.services import Json, opened, opening, play, post, settings


async def test_freestyle_draws_its_start_once(client: httpx.AsyncClient) -> None:
    games = [await opening(client, variant="freestyle") for _ in range(3)]
    starts = [game["config"]["initialState"] for game in games]
    assert starts[0] != starts[1] or starts[1] != starts[2]
    again = (await client.get(f"/api/games/{games[0]['gameId']}")).json()
    assert again["config"] == games[0]["config"]


# ---- lists, the catalogue, and errors ------------------------------------------------------------


async def test_lists_are_filtered_and_paged(own_client: httpx.AsyncClient) -> None:
    for _ in range(52):
        await opening(own_client, seats=[{"kind": "human"}, {"kind": "open"}], listed=True)
    draw = await opening(own_client, "toy-draw")
    await post(own_client, draw, "resign", 0)
    pages: list[Json] = []
    query = {"status": "open", "game": "wallwars"}
    while not pages or "cursor" in pages[-1]:
        cursor = {"cursor": pages[-1]["cursor"]} if pages else {}
        pages.append((await own_client.get("/api/games", params={**query, **cursor})).json())
    assert [len(page["games"]) for page in pages] == [50, 2]
    assert len({game["gameId"] for page in pages for game in page["games"]}) == 52
    finished = (await own_client.get("/api/games", params={"status": "finished"})).json()["games"]
    assert [game["gameId"] for game in finished] == [draw["gameId"]]
    assert finished[0]["result"] == {"winners": [1], "reason": "resignation"}
    assert (await own_client.get("/api/games", params={"status": "odd"})).status_code == 400


async def test_a_body_that_is_not_utf_8_is_malformed(client: httpx.AsyncClient) -> None:
    answer = await client.post(
        "/api/games", content=b"\xff\xfe", headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


async def test_a_body_without_a_length_is_limited_too(client: httpx.AsyncClient) -> None:
    async def chunks() -> Any:
        for _ in range(70):
            yield b"x" * 1000

    answer = await client.post("/api/games", content=chunks())
    assert (answer.status_code, answer.json()["code"], answer.json()["limit"]) == (413, "too-large", 65_536)


async def test_a_full_disk_refuses_commands_and_changes_nothing(tmp_path: Path) -> None:
    async with opened(settings(tmp_path, database_max_pages=24)) as client:
        game = await opening(client)
        status, ply = 200, 0
        while status == 200:
            ply += 1
            status, body = await play(client, game, (ply - 1) % 2, "---", clientMsgId="x" * 100 + str(ply))
        assert (status, body["code"], body["retryAfterMs"]) == (503, "unavailable", 1000)
        assert "full" in body["error"]
        path = f"/api/games/{game['gameId']}"
        assert (await client.get(path)).json()["position"]["ply"] == ply - 1
        assert (await client.get("/healthz")).status_code == 200


LONG = "a" * 60_000
PEOPLE = [{"kind": "human"}, {"kind": "human"}]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/variations/text", {"game": "wallwars", "format": "pgn", "config": {LONG * 2: 1}}),
        ("/api/games", {"game": "wallwars", "seats": PEOPLE, LONG: 1}),
        ("/api/games", {"game": "hive", "config": {"gameString": LONG}, "seats": PEOPLE}),
        ("/api/games", {"game": "pyrat", "config": {LONG: 1}, "seats": PEOPLE}),
        ("/api/analysis", {"game": "carcassonne", "moves": [LONG]}),
    ],
)
async def test_errors_quote_no_more_than_a_little(client: httpx.AsyncClient, path: str, body: Json) -> None:
    error = (await client.post(path, json=body)).json()
    assert len(error.get("field", "")) <= 1_001
    assert len(error["error"]) <= 1_001


# ---- the first request ---------------------------------------------------------------------------


def test_no_request_waits_until_routes_are_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(**_: object) -> NoReturn:
        raise InterruptedError("a route is built")

    app = create_app(settings(tmp_path))
    monkeypatch.setattr("fastapi.routing.get_dependant", build)
    with pytest.raises(InterruptedError):
        APIRouter().add_api_route("/", build)
    for route in app.routes:
        route.matches({"type": "http", "method": "GET", "path": "/last", "root_path": "", "headers": []})
