"""The fast path gives the same responses as the framework."""

from collections.abc import AsyncIterator, Awaitable
from typing import Any

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from pydantic import BaseModel

from server.routes import direct
from tests.server.services import Json, opening

Headers = dict[str, str]
PLAIN: Headers = {"Content-Type": "application/json"}
UNUSUAL: Headers = {"Content-Type": "application/json; charset=utf-8"}
"""The same to the framework, and nothing that is read without it."""


class SeekCriteria(BaseModel):
    """The request body."""

    number: int


class Told(BaseModel):
    """The response body."""

    by: str
    number: int


async def by_the_framework(wish: SeekCriteria) -> Any:
    return {"by": "framework", "number": wish.number}


def by_itself(plain: direct.Plain) -> Awaitable[Any] | None:
    async def told() -> Json:
        return {"by": "itself", "number": "7", "more": plain.token}

    return told() if plain.body == b'{"number":7}' else None


@pytest.fixture
async def small() -> AsyncIterator[httpx.AsyncClient]:
    """An application with one operation."""
    app, router = FastAPI(), APIRouter()
    router.post("/", response_model=Told, response_model_exclude_unset=True)(by_the_framework)
    direct.install(app.router, router, {by_the_framework: by_itself})
    assert "/" in app.openapi()["paths"]
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://services") as client:
        yield client


@pytest.mark.parametrize(
    ("body", "headers", "by"),
    [
        ('{"number":7}', PLAIN, "itself"),
        ('{"number":7}', {**PLAIN, "Authorization": "Bearer a"}, "itself"),
        ('{"number":7}', {**PLAIN, "Authorization": "Bearer a b"}, "framework"),
        ('{"number":7}', {**PLAIN, "Authorization": "Basic a"}, "framework"),
        ('{"number":7}', UNUSUAL, "framework"),
        ('{"number": 7}', PLAIN, "framework"),
    ],
)
async def test_plain_requests_take_the_fast_path(
    small: httpx.AsyncClient, body: str, headers: Headers, by: str
) -> None:
    answer = await small.post("/", content=body, headers=headers)
    assert (answer.status_code, answer.json()) == (200, {"by": by, "number": 7})
    assert answer.headers["content-type"] == "application/json"


async def test_a_body_in_parts_reaches_the_framework_whole(small: httpx.AsyncClient) -> None:
    async def parts() -> AsyncIterator[bytes]:
        for part in ('{"num', 'ber": ', "12}"):
            yield part.encode()

    answer = await small.post("/", content=parts(), headers=PLAIN)
    assert answer.json() == {"by": "framework", "number": 12}


MOVES = [
    b'{"move":"Cb2","expectedPly":0,"clientMsgId":"a"}',
    b'{"move":"Cb2","clientMsgId":"a","unknown":{"deep":[1,2,{}]}}',
    b'{"move":"nonsense"}',
    b'{"move":"Cb2","expectedPly":7}',
    b'{"move":"Cb2","expectedPly":1.0}',
    b'{"move":"Cb2","expectedPly":"1"}',
    b'{"move":"Cb2","expectedPly":true}',
    b'{"move":"Cb2","expectedPly":null,"clientMsgId":""}',
    b'{"move":"Cb2","move":"nonsense"}',
    b'{"move":"\\ud800"}',
    b'{"move":"a\nb"}',
    b'{"move":"\xff"}',
    b'{"move":NaN}',
    b'{"expected_ply":0,"move":"nonsense"}',
    b"{}",
    b"[]",
    b"null",
    b'"Cb2"',
    b'{"move":',
    b'{"move":"Cb2","clientMsgId":"a"} ',
    b'\xef\xbb\xbf{"move":"nonsense"}',
    '{"move":"nonsense"}'.encode("utf-16"),
    b"",
]


@pytest.mark.parametrize("body", MOVES)
@pytest.mark.parametrize("who", ["player", "stranger", "nobody", "a long id"])
async def test_moves_get_the_same_response_both_ways(
    client: httpx.AsyncClient, body: bytes, who: str
) -> None:
    game = await opening(client, config={"boardWidth": 3, "boardHeight": 3})
    tokens = {"player": game["seats"][0]["token"], "stranger": "wrong", "a long id": "wrong"}
    bearer = {"Authorization": f"Bearer {tokens[who]}"} if who in tokens else {}
    game_id = "a" * 65 if who == "a long id" else game["gameId"]
    path = f"/api/games/{game_id}/moves"
    sent = [await client.post(path, content=body, headers={**kind, **bearer}) for kind in (PLAIN, UNUSUAL)]
    assert told(sent[0]) == told(sent[1])


QUERIES = ["", "staged=Cb2", "staged=nonsense", "ply=1", "ply=9", "ply=-1", "ply=²", "ply=0&staged=Cb2"]


@pytest.mark.parametrize("query", [*QUERIES, "token=wrong", "ply=0&ply=1", "staged=" + "a" * 201])
@pytest.mark.parametrize("game", ["wallwars", "toy-goofspiel"])
async def test_reading_a_game_gets_the_same_response_both_ways(
    client: httpx.AsyncClient, game: str, query: str
) -> None:
    config = {"boardWidth": 3, "boardHeight": 3} if game == "wallwars" else {}
    table = await opening(client, game=game, config=config)
    bearer = {"Authorization": f"Bearer {table['seats'][0]['token']}"}
    if game == "wallwars":
        await client.post(f"/api/games/{table['gameId']}/moves", json={"move": "Cb2"}, headers=bearer)
    for game_id in (table["gameId"], "unknown"):
        for headers in ({}, bearer):
            path = f"/api/games/{game_id}"
            sent = [await client.get(f"{path}?{way}{query}", headers=headers) for way in ("", "unknown=1&")]
            assert told(sent[0]) == told(sent[1])


@pytest.mark.parametrize(
    "body",
    [
        b'{"game":"wallwars","config":{"boardWidth":3,"boardHeight":3},"moves":["Cb2"],"staged":"Cb2"}',
        b'{"game":"toy-goofspiel","config":{"seed":123456789012345678901234567890}}',
        b'{"game":"wallwars","config":{"boardWidth":3.0}}',
        b'{"game":"wallwars","moves":[1]}',
        b'{"game":"unknown"}',
        b"{",
    ],
)
async def test_positions_get_the_same_response_both_ways(client: httpx.AsyncClient, body: bytes) -> None:
    sent = [await client.post("/api/positions", content=body, headers=kind) for kind in (PLAIN, UNUSUAL)]
    assert told(sent[0]) == told(sent[1])


def told(answer: httpx.Response) -> tuple[int, list[tuple[str, str]], bytes]:
    headers = [(name, value) for name, value in answer.headers.items() if name != "x-request-id"]
    return answer.status_code, sorted(headers), answer.content
