"""Games over HTTP: the members of every answer, the order of refusals, offers, and errors of every kind."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.services import SITE_BODY, Json, bearer, opened, opening, play, post, settings

# ---- opening and joining -------------------------------------------------------------------------


async def test_a_wallwars_game_has_both_kinds_of_members(
    client: httpx.AsyncClient,
) -> None:
    game = await opening(
        client, config={"boardWidth": 3, "boardHeight": 3}, seats=[{"kind": "human"}, {"kind": "open"}]
    )
    token = game["seats"][0]["token"]
    share = f"http://services/game/{game['gameId']}"
    assert game["seats"] == [
        {"seat": 0, "kind": "human", "token": token, "inviteUrl": f"{share}?token={token}"},
        {"seat": 1, "kind": "open", "inviteUrl": share},
    ]
    assert (game["hostToken"], game["socketToken"], game["shareUrl"]) == (token, token, share)
    assert game["snapshot"]["status"] == "waiting"
    pawns = {"p1": {"cat": [0, 0], "mouse": [2, 0]}, "p2": {"cat": [0, 2], "mouse": [2, 2]}}
    assert game["config"] == {
        "boardWidth": 3,
        "boardHeight": 3,
        "initialState": {"pawns": pawns, "walls": []},
    }
    assert game["position"]["status"] == "open"
    assert await play(client, game, 0, "Cb2") == (
        409,
        {"error": "The game has not started: a seat is still open.", "code": "not-started"},
    )


async def test_the_sites_body_opens_and_joins_as_its_own_client_expects(client: httpx.AsyncClient) -> None:
    created = await client.post("/api/games", json=SITE_BODY)
    assert created.status_code == 201
    game = created.json()
    assert {"gameId", "hostToken", "socketToken", "shareUrl", "snapshot", "position", "seats"} <= game.keys()
    assert [seat["kind"] for seat in game["seats"]] == ["open", "human"]
    waiting = (await client.get(f"/api/games/{game['gameId']}")).json()
    assert (waiting["kind"], waiting["reason"]) == ("waiting", "seat-not-filled")

    joined = await client.post(
        f"/api/games/{game['gameId']}/join", json={"displayName": "Eve", "appearance": {"color": "red"}}
    )
    seat = joined.json()
    assert joined.status_code == 200
    assert (seat["role"], seat["seat"], seat["playerId"], seat["seatIndex"]) == ("player", "joiner", 1, 0)
    assert seat["token"] == seat["socketToken"]
    snapshot = seat["snapshot"]
    assert {key: snapshot[key] for key in ("id", "status", "matchType", "matchScore", "config")} == {
        "id": game["gameId"],
        "status": "ready",
        "matchType": "friend",
        "matchScore": {"1": 0, "2": 0},
        "config": {
            "variant": "standard",
            "boardWidth": 5,
            "boardHeight": 4,
            "rated": False,
            "timeControl": {"initialSeconds": 180, "incrementSeconds": 2, "preset": "blitz"},
        },
    }
    assert snapshot["players"] == [
        {
            "role": "joiner",
            "playerId": 1,
            "displayName": "Eve",
            "connected": False,
            "ready": True,
            "appearance": {"color": "red"},
        },
        {"role": "host", "playerId": 2, "displayName": "Ada", "connected": False, "ready": True},
    ]
    again = await client.post(f"/api/games/{game['gameId']}/join", json={})
    assert (again.status_code, again.json()["role"]) == (200, "spectator")
    assert "token" not in again.json()
    taken = await client.post(f"/api/games/{game['gameId']}/join", json={"seat": 0})
    assert (taken.status_code, taken.json()["code"]) == (409, "seat-taken")


async def test_a_player_reads_the_sites_state_of_the_game(client: httpx.AsyncClient) -> None:
    created = (await client.post("/api/games", json=SITE_BODY)).json()
    path = f"/api/games/{created['gameId']}"
    joined = (await client.post(f"{path}/join")).json()
    own = {"Authorization": f"Bearer {joined['token']}"}
    await client.post(f"{path}/moves", json={"move": "Cb4.^c2"}, headers=own)
    game = (await client.get(path, params={"token": created["hostToken"]})).json()
    assert game["kind"] == "player"
    assert game["seat"] == {
        "role": "host",
        "playerId": 2,
        "token": created["hostToken"],
        "socketToken": created["hostToken"],
    }
    assert game["matchStatus"]["status"] == "in-progress"
    state = game["state"]
    assert (state["status"], state["turn"], state["moveCount"]) == ("playing", 2, 1)
    assert state["pawns"] == {"1": {"cat": [0, 1], "mouse": [3, 0]}, "2": {"cat": [0, 4], "mouse": [3, 4]}}
    assert state["walls"] == [{"cell": [2, 2], "orientation": "horizontal", "playerId": 1}]
    assert state["history"] == [{"index": 1, "notation": "Cb4.^c2"}]
    assert state["timeLeft"]["1"] == 180.0
    assert state["config"]["variantConfig"] == state["initialState"] == game["config"]["initialState"]
    assert game["position"]["clocks"][0] == 180_000
    watching = (await client.get(path)).json()
    assert (watching["kind"], "seat" in watching) == ("spectator", False)
    assert (game["seatIndex"], watching["seatIndex"]) == (1, None)


async def test_a_home_stands_in_the_mouse_slot_of_the_sites_state(client: httpx.AsyncClient) -> None:
    game = await opening(client, variant="classic", config={"boardWidth": 3, "boardHeight": 3})
    for seat, move in enumerate(["Cb2", "Cb2", "Cc1"]):
        assert (await play(client, game, seat % 2, move))[0] == 200
    body = (await client.get(f"/api/games/{game['gameId']}")).json()
    assert body["kind"] == "replay"
    assert body["state"]["result"] == {"winner": 1, "reason": "capture"}
    assert body["state"]["pawns"]["1"] == {"cat": [2, 2], "mouse": [2, 2]}
    assert body["position"]["result"] == {"winners": [0], "reason": "capture"}
    assert body["matchStatus"]["matchScore"] == {"1": 1, "2": 0}


async def test_other_games_have_only_the_common_members(client: httpx.AsyncClient) -> None:
    seats = [{"kind": "human", "name": "Ada"}, {"kind": "open"}, {"kind": "open"}]
    game = await opening(client, "toy-draw", seats=seats)
    assert set(game) == {"gameId", "game", "variant", "config", "assistance", "seats", "position"}
    path = f"/api/games/{game['gameId']}/join"
    joined = (await client.post(path, json={"seat": 2, "name": "Eve"})).json()
    assert set(joined) == {"gameId", "seatIndex", "token", "assistance", "seats", "position"}
    assert (joined["seatIndex"], joined["seats"][2]["name"]) == (2, "Eve")
    await client.post(path)
    full = await client.post(path)
    assert (full.status_code, full.json()["code"]) == (409, "seat-taken")
    path = f"/api/games/{game['gameId']}"
    body = (await client.get(path)).json()
    common = {"gameId", "game", "variant", "config", "assistance", "seatIndex", "seats", "position"}
    assert set(body) == common | {"matchStatus"}
    assert (body["position"]["status"], body["position"]["toAct"]) == ("playing", [0])
    own = await client.get(path, params={"token": joined["token"]})
    assert (body["seatIndex"], own.json()["seatIndex"]) == (None, 2)


async def test_only_bots_have_a_bot(client: httpx.AsyncClient) -> None:
    seats = [{"kind": "human", "bot": "a:b"}, {"kind": "open", "bot": "a:b"}, {"kind": "open"}]
    game = await opening(client, "toy-draw", seats=seats)
    shown = (await client.get(f"/api/games/{game['gameId']}")).json()
    assert not any("bot" in seat for seat in (*game["seats"], *shown["seats"]))


async def test_freestyle_draws_its_start_once(client: httpx.AsyncClient) -> None:
    games = [await opening(client, variant="freestyle") for _ in range(3)]
    starts = [game["config"]["initialState"] for game in games]
    assert starts[0] != starts[1] or starts[1] != starts[2]
    again = (await client.get(f"/api/games/{games[0]['gameId']}")).json()
    assert again["config"] == games[0]["config"]


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"game": "chess"}, 422, "unknown-game"),
        ({"variant": "blitz"}, 422, "bad-config"),
        ({"config": {"boardWidth": 2}}, 422, "bad-config"),
        ({"seats": [{"kind": "human"}]}, 422, "bad-seats"),
        ({"rated": True}, 422, "rated-unavailable"),
        ({"timeControl": {"initialSeconds": 0}}, 422, "bad-time-control"),
        ({"seats": [{"kind": "human"}, {"kind": "bot", "bot": "nobody"}]}, 404, "unknown-bot"),
        ({"seats": [{"kind": "ghost"}]}, 400, "malformed"),
        ({"seats": [{"kind": "bot", "botId": "plyhouse:easy"}, {"kind": "human"}]}, 400, "malformed"),
        ({"seats": "two"}, 400, "malformed"),
        ({"game": None}, 400, "malformed"),
        ({"timeControl": {"initialSeconds": "60"}}, 400, "malformed"),
        ({"matchType": "friend"}, 400, "malformed"),
    ],
)
async def test_an_impossible_game_is_refused(
    client: httpx.AsyncClient, change: Json, status: int, code: str
) -> None:
    before = (await client.get("/api/games")).json()
    body = {"game": "wallwars", "seats": [{"kind": "human"}, {"kind": "human"}], **change}
    answer = await client.post("/api/games", json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert (await client.get("/api/games")).json() == before


# ---- moves ---------------------------------------------------------------------------------------


async def test_the_order_of_the_checks_of_a_move(client: httpx.AsyncClient) -> None:
    game = await opening(client)
    path = f"/api/games/{game['gameId']}/moves"
    move = {"move": "zz", "expectedPly": 7}
    assert (await client.post(path, json=move)).json()["code"] == "no-token"
    stranger = {"Authorization": "Bearer nonsense"}
    refused = await client.post(path, json=move, headers=stranger)
    assert (refused.status_code, refused.json()["code"]) == (403, "not-your-seat")
    status, stale = await play(client, game, 1, "zz", expectedPly=7)
    assert (status, stale["code"], stale["ply"], stale["position"]["ply"]) == (409, "stale-ply", 0, 0)
    assert (await play(client, game, 1, "zz"))[1]["code"] == "not-your-turn"
    assert (await play(client, game, 0, "zz"))[1]["code"] == "illegal-move"
    status, moved = await play(client, game, 0, "Cb8.>d4", expectedPly=0, clientMsgId="a")
    assert (status, moved["ply"], moved["position"]["history"]) == (200, 1, ["Cb8.>d4"])


async def test_a_repeated_message_gets_the_same_answer_even_after_a_restart(tmp_path: Path) -> None:
    async with opened(settings(tmp_path)) as client:
        game = await opening(client)
        first = await play(client, game, 0, "Cb8", clientMsgId="a", expectedPly=0)
        assert await play(client, game, 0, "Cb8", clientMsgId="a", expectedPly=0) == first
        await play(client, game, 1, "Cg8", clientMsgId="a")
    async with opened(settings(tmp_path)) as client:
        assert await play(client, game, 0, "Cb8", clientMsgId="a", expectedPly=0) == first
        assert await play(client, game, 0, "something else", clientMsgId="a") == first
        assert (await client.get(f"/api/games/{game['gameId']}")).json()["position"]["ply"] == 2


async def test_a_retry_without_a_message_id_is_a_second_move(client: httpx.AsyncClient) -> None:
    game = await opening(client)
    await play(client, game, 0, "---")
    await play(client, game, 1, "---")
    assert (await play(client, game, 0, "---"))[1]["ply"] == 3


async def test_sealed_moves_return_the_seats_still_to_move(client: httpx.AsyncClient) -> None:
    game = await opening(client, "toy-goofspiel")
    sealed = await play(client, game, 1, "4", clientMsgId="a")
    assert sealed == (200, {"ply": 0, "pending": [0]})
    assert (await play(client, game, 1, "4"))[1]["code"] == "already-moved"
    shown = (await client.get(f"/api/games/{game['gameId']}")).json()["position"]
    assert (shown["legal"], shown["toAct"], shown["history"]) == ({"0": ["1", "2", "3", "4"]}, [0], [])
    assert (await play(client, game, 0, "1"))[1]["position"]["history"] == ["1/4"]
    assert await play(client, game, 1, "4", clientMsgId="a") == sealed


async def test_a_hidden_order_shows_its_seed_only_when_the_game_is_over(client: httpx.AsyncClient) -> None:
    game = await opening(client, "toy-draw", config={"seed": 424242})
    _, moved = await play(client, game, 0, "take")
    assert moved["position"]["history"][0].startswith("take +")
    path = f"/api/games/{game['gameId']}"
    assert "424242" not in (await client.get(path)).text
    await post(client, game, "resign", 1)
    assert (await client.get(path)).json()["config"]["seed"] == 424242


async def test_staged_actions_show_what_may_follow(client: httpx.AsyncClient) -> None:
    game = await opening(client)
    path = f"/api/games/{game['gameId']}"
    staged = (await client.get(path, params={"staged": "Cb8"})).json()["position"]
    assert ("Cc8" in staged["legal"], staged["canFinish"]) == (True, True)
    assert (await client.get(path, params={"staged": "Ch1"})).json()["code"] == "illegal-move"


async def test_a_game_is_public_if_its_creator_chooses(client: httpx.AsyncClient) -> None:
    assert (await opening(client))["snapshot"]["matchType"] == "friend"
    assert (await opening(client, listed=True))["snapshot"]["matchType"] == "matchmaking"


async def test_any_past_position_can_be_read(client: httpx.AsyncClient) -> None:
    game = await opening(client, config={"boardWidth": 3, "boardHeight": 3})
    path = f"/api/games/{game['gameId']}"
    positions = [(await client.get(path)).json()["position"]]
    for ply, move in enumerate(["Cb3", "Mc2"]):
        positions.append((await play(client, game, ply % 2, move))[1]["position"])
    await post(client, game, "resign", 0)
    for ply, position in enumerate(positions[:2]):
        answer = (await client.get(path, params={"ply": ply})).json()
        assert answer["position"] == position
    last = (await client.get(path, params={"ply": 2})).json()
    assert (last["position"]["status"], last["position"]["view"]) == ("finished", positions[2]["view"])
    beyond = await client.get(path, params={"ply": 3})
    assert (beyond.status_code, beyond.json()["code"], beyond.json()["ply"]) == (404, "not-found", 2)
    assert (await client.get(path, params={"ply": -1})).json()["code"] == "malformed"


async def test_a_staged_part_of_a_simultaneous_move_is_the_asking_seats(client: httpx.AsyncClient) -> None:
    game = await opening(client, "toy-goofspiel")
    path, query = f"/api/games/{game['gameId']}", {"staged": "4"}
    cards = ["1", "2", "3", "4"]
    own = (await client.get(path, params=query, headers=bearer(game, 1))).json()["position"]
    assert (own["legal"], own["canFinish"]) == ({"0": cards, "1": []}, True)
    watching = (await client.get(path, params=query)).json()["position"]
    assert (watching["legal"], watching["canFinish"]) == ({"0": cards, "1": cards}, False)


async def test_only_some_games_let_a_turn_end_before_anything_is_staged(client: httpx.AsyncClient) -> None:
    seats = [{"kind": "human"}] * 3
    for name, can_finish in [("wallwars", True), ("toy-draw", False), ("toy-goofspiel", False)]:
        game = await opening(client, name, seats=seats if name == "toy-draw" else seats[:2])
        assert game["position"]["canFinish"] is can_finish


# ---- offers and leaving --------------------------------------------------------------------------


async def test_a_takeback_is_offered_and_accepted_by_the_same_call(client: httpx.AsyncClient) -> None:
    game = await opening(client)
    await play(client, game, 0, "Cb8")
    assert await post(client, game, "takeback", 0, {"toPly": 0}) == (202, {"offer": "takeback"})
    path = f"/api/games/{game['gameId']}/takeback"
    assert (await client.delete(path, headers=bearer(game, 1))).json()["ply"] == 1
    assert (await client.delete(path, headers=bearer(game, 1))).json()["code"] == "no-offer"
    await post(client, game, "takeback", 0, {"toPly": 0})
    status, taken = await post(client, game, "takeback", 1, {"toPly": 0})
    assert (status, taken["ply"], taken["position"]["history"]) == (200, 0, [])
    assert (await post(client, game, "takeback", 1, {"toPly": 0}))[1]["code"] == "bad-takeback"


async def test_a_draw_needs_both(client: httpx.AsyncClient) -> None:
    game = await opening(client)
    assert (await post(client, game, "draw", 1))[0] == 202
    status, agreed = await post(client, game, "draw", 0)
    assert (status, agreed["position"]["result"]) == (200, {"winners": [], "reason": "draw-agreement"})
    assert (await play(client, game, 0, "Cb8"))[1]["code"] == "finished"
    assert (await post(client, game, "draw", 1))[1]["code"] == "finished"


async def test_resigning_ends_the_game(client: httpx.AsyncClient) -> None:
    game = await opening(client)
    status, over = await post(client, game, "resign", 0)
    assert (status, over["position"]["result"]) == (200, {"winners": [1], "reason": "resignation"})
    assert over["position"]["toAct"] == []


async def test_time_runs_out_by_itself(client: httpx.AsyncClient) -> None:
    game = await opening(client, timeControl={"initialSeconds": 1})
    await play(client, game, 0, "Cb8")
    path = f"/api/games/{game['gameId']}"
    for _ in range(40):
        body = (await client.get(path)).json()["position"]
        if body["status"] == "finished":
            break
        await asyncio.sleep(0.1)
    assert body["result"] == {"winners": [0], "reason": "timeout"}
    assert body["clocks"] == [1000, 0]


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


async def test_the_catalogue_lists_no_toys(client: httpx.AsyncClient) -> None:
    rules = (await client.get("/api/rules")).json()["games"]
    assert [game["game"] for game in rules if game["game"].startswith("toy")] == []
    assert rules[0]["game"] == "wallwars"
    assert rules[0]["variants"] == ["standard", "classic", "freestyle", "survival"]
    assert rules[0]["seats"] == [2, 2]


async def test_unlisted_games_are_opened_only_where_that_is_allowed(tmp_path: Path) -> None:
    async with opened(settings(tmp_path, unlisted_games=False)) as client:
        seats = [{"kind": "human"}, {"kind": "human"}]
        answer = await client.post("/api/games", json={"game": "toy-draw", "seats": seats})
        assert (answer.status_code, answer.json()["code"]) == (422, "unknown-game")


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/api/games", "GET, POST, HEAD"),
        ("/api/games/nobody", "GET, HEAD"),
        ("/api/games/nobody/draw", "DELETE, POST"),
        ("/api/games/live", "GET, HEAD"),
    ],
)
async def test_all_methods_of_an_address_are_listed(
    client: httpx.AsyncClient, path: str, allowed: str
) -> None:
    answer = await client.put(path)
    assert (answer.status_code, answer.headers["Allow"]) == (405, allowed)


@pytest.mark.parametrize(
    ("method", "path", "content", "status", "code"),
    [
        ("GET", "/api/nothing", b"", 404, "not-found"),
        ("GET", "/api/games/nobody", b"", 404, "not-found"),
        ("POST", "/api/games/nobody/join", b"", 404, "not-found"),
        ("PUT", "/api/games", b"", 405, "method-not-allowed"),
        ("POST", "/api/games", b"{", 400, "malformed"),
        ("POST", "/api/games", b"[1]", 400, "malformed"),
        ("POST", "/api/games", b"\xff\xfe", 400, "malformed"),
        ("POST", "/api/games", b"[" * 60_000, 400, "malformed"),
        ("POST", "/api/games", b"x" * 65_537, 413, "too-large"),
    ],
)
async def test_every_error_has_the_same_body(
    client: httpx.AsyncClient, method: str, path: str, content: bytes, status: int, code: str
) -> None:
    answer = await client.request(
        method, path, content=content, headers={"Content-Type": "application/json"} if content else {}
    )
    assert answer.status_code == status, answer.text
    body = answer.json()
    assert body["code"] == code
    assert isinstance(body["error"], str)
    assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    ("content", "kind", "text"),
    [
        (
            "[]",
            "application/json",
            "The body must be a JSON object, sent with Content-Type: application/json.",
        ),
        ("{}", "text/plain", "The body must be a JSON object, sent with Content-Type: application/json."),
        ('{"game"}', "application/json", "The body is not JSON: Expecting ':' delimiter."),
    ],
)
async def test_an_unreadable_body_gets_a_specific_error(
    client: httpx.AsyncClient, content: str, kind: str, text: str
) -> None:
    answer = await client.post("/api/games", content=content, headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()) == (400, {"error": text, "code": "malformed"})


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


async def test_the_documentation_lists_every_call(client: httpx.AsyncClient) -> None:
    paths = (await client.get("/openapi.json")).json()["paths"]
    assert set(paths) >= {
        "/api/rules",
        "/api/games",
        "/api/games/{game_id}",
        "/api/games/{game_id}/join",
        "/api/games/{game_id}/moves",
        "/api/games/{game_id}/takeback",
        "/api/games/{game_id}/draw",
        "/api/games/{game_id}/resign",
        "/healthz",
    }
    assert (await client.get("/docs")).status_code == 200


async def test_the_documentation_lists_every_code(client: httpx.AsyncClient) -> None:
    schemas = (await client.get("/openapi.json")).json()["components"]["schemas"]
    assert "stale-ply" in schemas["Code"]["enum"]
    assert "ErrorBody" in schemas
