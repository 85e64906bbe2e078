"""Ready, abort and rematch over HTTP, and how the game's response shows them."""

from typing import Any

import httpx
import pytest

Json = dict[str, Any]
SITE: Json = {
    "config": {
        "variant": "standard",
        "boardWidth": 5,
        "boardHeight": 4,
        "timeControl": {"initialSeconds": 60, "incrementSeconds": 0},
    },
    "matchType": "friend",
    "hostDisplayName": "Ada",
}


async def post(client: httpx.AsyncClient, path: str, token: str | None = None, **body: Any) -> httpx.Response:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return await client.post(f"/api/games{path}", json=body or None, headers=headers)


async def opened(client: httpx.AsyncClient, *kinds: str, **more: Any) -> tuple[str, list[str]]:
    """Creates a game; returns its id and the tokens of its seats."""
    seats = [{"kind": kind, **({"name": f"P{i}"} if kind == "human" else {})} for i, kind in enumerate(kinds)]
    answer = (await post(client, "", **{"game": "wallwars", "seats": seats, **more})).json()
    return answer["gameId"], [seat.get("token", "") for seat in answer["seats"]]


async def read(client: httpx.AsyncClient, game: str, token: str | None = None) -> Json:
    path = f"/api/games/{game}" + (f"?token={token}" if token else "")
    return dict((await client.get(path)).json())


# ---- the site's words ----------------------------------------------------------------------------


async def test_a_site_game_from_waiting_to_replay(client: httpx.AsyncClient) -> None:
    host = (await post(client, "", **SITE)).json()
    game, token = host["gameId"], host["hostToken"]
    waiting = await read(client, game)
    assert (waiting["kind"], waiting["reason"]) == ("waiting", "seat-not-filled")
    assert (await read(client, game, token))["kind"] == "player"
    ready = await client.post(f"/api/games/{game}/ready", json={"token": token})
    assert (ready.status_code, ready.json()["success"]) == (200, True)
    assert ready.json()["snapshot"]["status"] == "waiting"
    joiner = (await post(client, f"/{game}/join", displayName="Bo")).json()
    ready = await client.post(f"/api/games/{game}/ready", json={"token": joiner["token"]})
    assert ready.json()["snapshot"]["status"] == "ready"
    assert (await read(client, game))["kind"] == "spectator"
    await post(client, f"/{game}/resign", token)
    assert (await read(client, game))["kind"] == "replay"
    over = await client.post(f"/api/games/{game}/ready", json={"token": token})
    assert (over.status_code, over.json()["code"]) == (409, "finished")


async def test_an_aborted_game_cannot_be_joined(client: httpx.AsyncClient) -> None:
    host = (await post(client, "", **SITE)).json()
    game = host["gameId"]
    aborted = await client.post(f"/api/games/{game}/abort", json={"token": host["hostToken"]})
    assert (aborted.status_code, aborted.json()["snapshot"]["status"]) == (200, "aborted")
    assert aborted.json()["position"]["status"] == "aborted"
    seen = await read(client, game)
    assert (seen["kind"], seen["reason"], seen["state"]["status"]) == ("waiting", "host-aborted", "aborted")
    assert (await post(client, f"/{game}/join")).json()["code"] == "finished"
    assert (await post(client, f"/{game}/abort", host["hostToken"])).json()["code"] == "not-abortable"


@pytest.mark.parametrize("body", [None, {}])
async def test_a_token_can_be_sent_in_the_header(client: httpx.AsyncClient, body: Json | None) -> None:
    game, (first, _) = await opened(client, "human", "human")
    answer = await client.post(
        f"/api/games/{game}/ready", json=body, headers={"Authorization": f"Bearer {first}"}
    )
    assert (answer.status_code, answer.json()["success"]) == (200, True)


@pytest.mark.parametrize("call", ["ready", "abort"])
async def test_only_players_can_settle(client: httpx.AsyncClient, call: str) -> None:
    game, (first, _) = await opened(client, "human", "human")
    before = await read(client, game)
    assert (await post(client, f"/{game}/{call}")).json()["code"] == "no-token"
    assert (await post(client, f"/{game}/{call}", "x")).json()["code"] == "not-your-seat"
    answer = await client.post(f"/api/games/{game}/{call}", json={"token": "x"})
    assert answer.json()["code"] == "not-your-seat"
    assert (await client.post(f"/api/games/{game}/{call}", json={"token": 5})).json()["code"] == "malformed"
    assert (await client.post(f"/api/games/{game}/{call}", json={})).json()["code"] == "no-token"
    assert (await client.post("/api/games/nobody/ready", json={"token": first})).status_code == 404
    assert await read(client, game) == before


async def test_a_game_that_has_begun_cannot_be_aborted(client: httpx.AsyncClient) -> None:
    game, (first, second) = await opened(client, "human", "human")
    await post(client, f"/{game}/moves", first, move="---")
    refused = await post(client, f"/{game}/abort", second)
    assert (refused.status_code, refused.json()["code"]) == (409, "not-abortable")


async def test_other_games_are_settled_without_a_snapshot(client: httpx.AsyncClient) -> None:
    game, (first, _) = await opened(client, "human", "human", game="toy-draw")
    assert set((await post(client, f"/{game}/ready", first)).json()) == {"success", "position"}


# ---- rematches -----------------------------------------------------------------------------------


async def test_a_rematch_swaps_the_seats_and_continues_the_score(client: httpx.AsyncClient) -> None:
    clock = {"initialSeconds": 60, "incrementSeconds": 1}
    game, (first, second) = await opened(client, "human", "human", timeControl=clock)
    early = await post(client, f"/{game}/rematch", first)
    assert (early.status_code, early.json()["code"]) == (409, "no-rematch")
    await post(client, f"/{game}/resign", first)
    asked = await post(client, f"/{game}/rematch", first)
    assert (asked.status_code, asked.json()) == (202, {"offer": "rematch"})
    assert (await post(client, f"/{game}/rematch", first)).status_code == 202
    begun = (await post(client, f"/{game}/rematch", second)).json()
    assert begun == {
        "gameId": begun["gameId"],
        "seatIndex": 0,
        "token": second,
        "inviteUrl": f"http://services/game/{begun['gameId']}?token={second}",
    }
    again = await post(client, f"/{game}/rematch", first)
    assert (again.status_code, again.json()["gameId"], again.json()["seatIndex"]) == (200, begun["gameId"], 1)

    new = begun["gameId"]
    seen = await read(client, new, first)
    assert (seen["seatIndex"], [seat["name"] for seat in seen["seats"]]) == (1, ["P1", "P0"])
    assert seen["position"]["clocks"] == [60_000, 60_000]
    assert seen["matchStatus"]["matchScore"] == {"1": 1, "2": 0}
    assert (await post(client, f"/{new}/moves", second, move="---")).status_code == 200
    await post(client, f"/{new}/resign", second)
    await post(client, f"/{new}/rematch", second)
    third = (await post(client, f"/{new}/rematch", first)).json()
    assert (await read(client, third["gameId"], first))["matchStatus"]["matchScore"] == {"1": 1, "2": 1}
    assert (await post(client, f"/{third['gameId']}/moves", first, move="---")).status_code == 200


async def test_a_rematch_is_rejected_or_withdrawn(client: httpx.AsyncClient) -> None:
    game, (first, second) = await opened(client, "human", "human")
    await post(client, f"/{game}/resign", first)
    headers = {"Authorization": f"Bearer {second}"}
    nothing = await client.delete(f"/api/games/{game}/rematch", headers=headers)
    assert (nothing.status_code, nothing.json()["code"]) == (409, "no-offer")
    await post(client, f"/{game}/rematch", first)
    rejected = await client.delete(f"/api/games/{game}/rematch", headers=headers)
    assert (rejected.status_code, rejected.json()["position"]["status"]) == (200, "finished")
    assert (await post(client, f"/{game}/rematch", second)).status_code == 202


async def test_a_built_in_bot_plays_again_from_the_other_side(client: httpx.AsyncClient) -> None:
    game, (first, _) = await opened(client, "human", "bot", config={"boardWidth": 4, "boardHeight": 4})
    await post(client, f"/{game}/resign", first)
    begun = (await post(client, f"/{game}/rematch", first)).json()
    seen = await read(client, begun["gameId"], first)
    assert (begun["seatIndex"], [seat["kind"] for seat in seen["seats"]]) == (1, ["bot", "human"])
    assert seen["config"]["boardWidth"] == 4


async def test_random_configurations_are_drawn_again(client: httpx.AsyncClient) -> None:
    for game, variant in (("wallwars", "freestyle"), ("toy-draw", "standard")):
        config: Json = {"seed": 5}
        old, (first, second) = await opened(
            client, "human", "human", game=game, variant=variant, config=config
        )
        await post(client, f"/{old}/resign", first)
        await post(client, f"/{old}/rematch", first)
        new = (await post(client, f"/{old}/rematch", second)).json()["gameId"]
        await post(client, f"/{new}/resign", second)
        before, after = await read(client, old), await read(client, new)
        assert before["config"] != after["config"]
        assert before["config"].keys() == after["config"].keys()


async def test_chosen_configurations_are_kept(client: httpx.AsyncClient) -> None:
    pawns = {"p1": {"cat": [0, 1], "mouse": [3, 0]}, "p2": {"cat": [0, 2], "mouse": [3, 3]}}
    config = {"boardWidth": 4, "boardHeight": 4, "initialState": {"pawns": pawns, "walls": []}}
    old, (first, second) = await opened(client, "human", "human", config=config)
    await post(client, f"/{old}/resign", first)
    await post(client, f"/{old}/rematch", first)
    new = (await post(client, f"/{old}/rematch", second)).json()["gameId"]
    assert (await read(client, new))["config"] == (await read(client, old))["config"]
