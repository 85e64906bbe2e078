"""``POST /api/positions``: the shape of a game's own position, refusals with the ply, limits."""

from typing import Any

import httpx
import pytest

from tests.server.bot_peers import submit

SMALL = {"boardWidth": 4, "boardHeight": 4}
MOVES = ["Cb4.>a1", "Cc4", "Cb3", "---"]


async def position(client: httpx.AsyncClient, **wish: object) -> dict[str, Any]:
    answer = await client.post("/api/positions", json={"game": "wallwars", "config": SMALL, **wish})
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["position"])


async def test_it_equals_the_position_of_a_game(client: httpx.AsyncClient) -> None:
    body = {"game": "wallwars", "config": SMALL, "seats": [{"kind": "human"}, {"kind": "human"}]}
    game = (await client.post("/api/games", json=body)).json()
    for ply, move in enumerate(MOVES):
        seat = {"gameId": game["gameId"], "token": game["seats"][ply % 2]["token"]}
        await submit(client, seat, move)
    path = f"/api/games/{game['gameId']}"
    for query in ({}, {"staged": "Cb4"}):
        shown = (await client.get(path, params=query)).json()["position"]
        assert await position(client, moves=MOVES, **query) == shown


async def test_a_finished_position(client: httpx.AsyncClient) -> None:
    shown = await position(
        client, config={"boardWidth": 3, "boardHeight": 3}, moves=["Ma2", "Cb2", "---", "Ca2"]
    )
    assert (shown["status"], shown["toAct"], shown["legal"]) == ("finished", [], [])
    assert shown["result"] == {"winners": [1], "reason": "capture"}


async def test_a_position_of_a_simultaneous_game(client: httpx.AsyncClient) -> None:
    shown = await position(client, game="toy-goofspiel", config={"seed": 1})
    assert set(shown["legal"]) == {"0", "1"}
    assert shown["clocks"] == [None, None]


@pytest.mark.parametrize(
    ("wish", "status", "code", "field", "ply"),
    [
        ({"game": None}, 400, "malformed", "game", None),
        ({"game": "draughts"}, 422, "unknown-game", "game", None),
        ({"variant": "odd"}, 422, "bad-config", "config", None),
        ({"config": {"boardWidth": 99}}, 422, "bad-config", "config", None),
        ({"moves": ["Cb4", "nonsense"]}, 422, "illegal-move", "moves", 1),
        ({"moves": ["Cd1"]}, 422, "illegal-move", "moves", 0),
        ({"staged": "Cd1"}, 422, "illegal-move", "staged", None),
        ({"moves": ["---"] * 1001}, 422, "over-limit", "moves", None),
    ],
)
async def test_refusals(
    client: httpx.AsyncClient, wish: dict[str, Any], status: int, code: str, field: str, ply: int | None
) -> None:
    answer = await client.post("/api/positions", json={"game": "wallwars", "config": SMALL, **wish})
    body = answer.json()
    assert (answer.status_code, body["code"], body.get("field")) == (status, code, field), body
    assert body.get("ply") == ply
