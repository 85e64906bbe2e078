"""Names chosen by players and shown to others: unprintable ones are refused, naming the member."""

import json
from typing import Any

import httpx
import pytest

from tests.server.bot_peers import BOARD

BAD = ["x" * 65, "a\u0007", "\u202eevil", "a\u2069"]
TIME = {"initialSeconds": 60, "incrementSeconds": 0}


def ours(**host: object) -> dict[str, Any]:
    return {"game": "wallwars", "seats": [{"kind": "human", **host}, {"kind": "open"}]}


def site(**members: object) -> dict[str, Any]:
    return {"config": {**BOARD, "timeControl": TIME}, "matchType": "friend", **members}


def bot(**members: object) -> dict[str, Any]:
    return {"botId": "plyhouse:easy", "config": BOARD, **members}


async def refused(client: httpx.AsyncClient, path: str, body: dict[str, Any], field: str) -> None:
    answer = await client.post(path, json=body)
    assert answer.status_code == 400, answer.text
    assert (answer.json()["code"], answer.json()["field"]) == ("malformed", field)


@pytest.mark.parametrize("text", BAD)
async def test_creating_a_game_with_them_is_refused(client: httpx.AsyncClient, text: str) -> None:
    await refused(client, "/api/games", ours(name=text), "seats.name")
    await refused(client, "/api/games", site(hostDisplayName=text), "hostDisplayName")
    await refused(client, "/api/games", site(hostAppearance={"hat": text}), "hostAppearance.hat")
    await refused(client, "/api/bots/play", bot(hostDisplayName=text), "hostDisplayName")
    await refused(client, "/api/bots/play", bot(hostAppearance={"hat": text}), "hostAppearance.hat")
    preset = {**ours(), "timeControl": {**TIME, "preset": text}}
    await refused(client, "/api/games", preset, "timeControl.preset")
    assert (await client.get("/api/games")).json()["games"] == []


@pytest.mark.parametrize("text", BAD)
async def test_joining_a_game_with_them_is_refused(client: httpx.AsyncClient, text: str) -> None:
    path = f"/api/games/{(await client.post('/api/games', json=ours())).json()['gameId']}/join"
    await refused(client, path, {"name": text}, "name")
    await refused(client, path, {"displayName": text}, "displayName")
    await refused(client, path, {"appearance": {"hat": text}}, "appearance.hat")


async def test_an_appearance_has_few_parts(client: httpx.AsyncClient) -> None:
    await refused(
        client, "/api/bots/play", bot(hostAppearance={str(i): "x" for i in range(9)}), "hostAppearance"
    )
    looks = {"pawnColor": "red", "catSkin": "cat1.svg", "mouseSkin": "", "homeSkin": "h"}
    answer = await client.post("/api/games", json=site(hostDisplayName="Zoë 👩‍🚀", hostAppearance=looks))
    assert answer.json()["snapshot"]["players"][0]["appearance"] == looks


@pytest.mark.parametrize("text", BAD)
async def test_importing_a_record_with_them_is_refused(client: httpx.AsyncClient, text: str) -> None:
    for seat in (
        {"kind": "human", "name": text},
        {"kind": "bot", "name": "B", "bot": f"{text}:" + "b" * 190},
    ):
        record = {"game": "wallwars", "seats": [seat, {"kind": "human"}], "moves": []}
        answer = await client.post("/api/games/import", json={"text": json.dumps(record)})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad-record"), answer.text
