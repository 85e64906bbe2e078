"""Rematches and other agreements over HTTP."""

import asyncio

import httpx
import pytest

from tests.server.services import Json, bearer, opening, post


@pytest.mark.parametrize(("game", "variant"), [("wallwars", "freestyle"), ("toy-draw", "standard")])
async def test_random_configurations_are_drawn_again(
    client: httpx.AsyncClient, game: str, variant: str
) -> None:
    old = await opening(client, game, variant=variant, config={"seed": 5})
    await post(client, old, "resign", 0)
    await post(client, old, "rematch", 0)
    _, new = await post(client, old, "rematch", 1)
    await post(client, {**old, "gameId": new["gameId"]}, "resign", 0)
    before, after = [(await client.get(f"/api/games/{one['gameId']}")).json()["config"] for one in (old, new)]
    assert before != after
    assert before.keys() == after.keys()


async def test_copies_of_a_request_start_one_rematch(client: httpx.AsyncClient) -> None:
    old = await opening(client)
    await post(client, old, "resign", 0)
    assert (await post(client, old, "rematch", 0))[0] == 202
    answers = await asyncio.gather(*(post(client, old, "rematch", 1) for _ in range(5)))
    (status, new), *_ = answers
    assert status == 200
    assert all(answer == answers[0] for answer in answers)
    assert await post(client, old, "rematch", 0) == (200, {**new, **await seat_of(client, new, old, 0)})
    assert (await post(client, old, "rematch", 1, {"accept": True})) == answers[0]


async def seat_of(client: httpx.AsyncClient, new: Json, old: Json, seat: int) -> Json:
    """What differs in the answer to the player of this seat of the earlier game."""
    token = old["seats"][seat]["token"]
    game = (await client.get(f"/api/games/{new['gameId']}", headers=bearer(old, seat))).json()
    invite = new["inviteUrl"].split("?")[0]
    return {"seatIndex": game["seatIndex"], "token": token, "inviteUrl": f"{invite}?token={token}"}


@pytest.mark.parametrize("kind", ["takeback", "draw", "rematch"])
async def test_an_offer_can_be_accepted_only(client: httpx.AsyncClient, kind: str) -> None:
    game = await opening(client)
    if kind == "rematch":
        await post(client, game, "resign", 0)
    else:
        await post(client, game, "moves", 0, {"move": "---"})
    status, body = await post(client, game, kind, 1, {"accept": True})
    assert (status, body["code"]) == (409, "no-offer")
    assert await post(client, game, kind, 0) == (202, {"offer": kind})
    status, body = await post(client, game, kind, 0, {"accept": True})
    assert (status, body["code"]) == (409, "no-offer"), "its own offer"
    assert (await post(client, game, kind, 1, {"accept": True}))[0] == 200


async def test_whoever_accepts_a_takeback_does_not_say_how_far(client: httpx.AsyncClient) -> None:
    status, body = await post(client, await opening(client), "takeback", 0, {"accept": True, "toPly": 0})
    assert (status, body["code"]) == (400, "malformed")


@pytest.mark.parametrize("name", ["  ", "\u00a0", "\u200b", "\u3000\ufeff", "\u2800 \u3164\u1160"])
async def test_names_have_something_to_see(client: httpx.AsyncClient, name: str) -> None:
    seats = [{"kind": "human", "name": name}, {"kind": "open"}]
    refused = await client.post("/api/games", json={"game": "wallwars", "seats": seats})
    assert (refused.status_code, refused.json()["code"]) == (400, "malformed")
    assert "visible" in refused.json()["error"]


async def test_an_empty_name_is_none(client: httpx.AsyncClient) -> None:
    seats = [{"kind": "human", "name": ""}, {"kind": "open"}]
    game = (await client.post("/api/games", json={"game": "wallwars", "seats": seats})).json()
    assert "name" not in game["seats"][0]
