"""Texts that JSON can express but UTF-8 or some databases cannot are refused before anything is stored."""

import json

import httpx
import pytest

from tests.server.bot_peers import Json

LONE = "\ud800"
SEATS = [{"kind": "human"}, {"kind": "open"}]
SITE = {"variant": "standard", "boardWidth": 3, "boardHeight": 3}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/games", {"game": "wallwars", "seats": SEATS, "variant": LONE}),
        ("/api/games", {"game": "wallwars", "seats": [{"kind": "human", "name": LONE}, *SEATS[1:]]}),
        (
            "/api/games",
            {"game": "wallwars", "seats": SEATS, "timeControl": {"initialSeconds": 9, "preset": LONE}},
        ),
        ("/api/bots/play", {"botId": "plyhouse:easy", "config": SITE, "hostAppearance": {"color": LONE}}),
        (
            "/api/analysis",
            {"game": "wallwars", "config": {"boardWidth": 3, "boardHeight": 3}, "moves": [LONE]},
        ),
    ],
)
async def test_a_new_game_with_such_a_text_is_refused(
    client: httpx.AsyncClient, path: str, body: Json
) -> None:
    await _refused(client, path, body)
    assert (await client.get("/api/games")).json()["games"] == []


async def test_joining_cannot_make_a_game_unreadable(client: httpx.AsyncClient) -> None:
    game = (await client.post("/api/games", json={"game": "wallwars", "seats": SEATS})).json()
    path = f"/api/games/{game['gameId']}"
    await _refused(client, f"{path}/join", {"appearance": {"color": LONE}})
    await _refused(client, f"{path}/moves", {"move": LONE}, game["seats"][0]["token"])
    assert (await client.get(path)).json()["position"]["status"] == "open"


@pytest.mark.parametrize(
    "address",
    ["/api/games/%00", "/api/games?cursor=%00", "/api/games/past?player1=%00", "/api/bots?username=a%00b"],
)
async def test_an_address_with_nul_is_refused(client: httpx.AsyncClient, address: str) -> None:
    answer = await client.get(address)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed"), answer.text


async def _refused(client: httpx.AsyncClient, path: str, body: Json, token: str = "") -> None:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    answer = await client.post(path, content=json.dumps(body), headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed"), answer.text
