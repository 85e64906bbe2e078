"""The lists of games over HTTP, with a database file: contents and filters."""

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import httpx
import pytest
from alembic import command
from fastapi import FastAPI

from server.routes.services import Services
from server.services.cluster import topic_reader
from server.services.lobby import waiting_list
from tests.server.databases import bring
from tests.server.services import SITE_BODY, Json, bearer, opened, opening, play, post, settings

SMALL = {"boardWidth": 3, "boardHeight": 3}


async def shown(client: httpx.AsyncClient, path: str) -> list[Json]:
    answer = await client.get(f"/api/games/{path}")
    assert answer.status_code == 200, answer.text
    return list(answer.json()["games"])


async def waiting_game(client: httpx.AsyncClient, **more: Any) -> Json:
    answer = await client.post("/api/games", json={**SITE_BODY, "matchType": "matchmaking", **more})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def finished(client: httpx.AsyncClient, first: str, second: str, **more: Any) -> Json:
    seats = [{"kind": "human", "name": first}, {"kind": "human", "name": second}]
    game = await opening(client, seats=seats, **{"config": SMALL, **more})
    assert (await post(client, game, "resign", 1))[0] == 200
    return game


# ---- live ----------------------------------------------------------------------------------------


async def test_a_game_is_listed_from_start_to_end(client: httpx.AsyncClient) -> None:
    assert await shown(client, "live") == []
    seats = [{"kind": "human", "name": "Ada"}, {"kind": "open"}]
    game = await opening(client, config=SMALL, seats=seats, listed=True, timeControl={"initialSeconds": 60})
    assert await shown(client, "live") == []
    joined = (await client.post(f"/api/games/{game['gameId']}/join", json={"name": "Bo"})).json()
    (entry,) = await shown(client, "live")
    assert set(entry) == {
        "id", "variant", "rated", "timeControl", "boardWidth", "boardHeight", "players", "status", "moveCount",
        "averageElo", "lastMoveAt", "spectatorCount",
    }  # fmt: skip
    assert (entry["id"], entry["status"], entry["moveCount"]) == (game["gameId"], "ready", 0)
    assert entry["timeControl"] == {"initialSeconds": 60, "incrementSeconds": 0}
    assert [player["displayName"] for player in entry["players"]] == ["Ada", "Bo"]
    assert (await play(client, game, 0, "---"))[0] == 200
    (entry,) = await shown(client, "live")
    assert (entry["status"], entry["moveCount"]) == ("in-progress", 1)
    token = {"Authorization": f"Bearer {joined['token']}"}
    assert (await client.post(f"/api/games/{game['gameId']}/resign", headers=token)).status_code == 200
    assert await shown(client, "live") == []
    assert [entry["gameId"] for entry in await shown(client, "past")] == [game["gameId"]]


async def test_other_games_are_listed_with_extensions_only(client: httpx.AsyncClient) -> None:
    walls, toy = await opening(client), await opening(client, "toy-goofspiel")
    assert [game["id"] for game in await shown(client, "live")] == [walls["gameId"]]
    entries = {game["id"]: game for game in await shown(client, "live?ext=1")}
    assert {name: entry["game"] for name, entry in entries.items()} == {
        walls["gameId"]: "wallwars",
        toy["gameId"]: "toy-goofspiel",
    }
    assert [seat["kind"] for seat in entries[toy["gameId"]]["seats"]] == ["human", "human"]


async def test_live_games_are_listed_again_after_a_restart(tmp_path: Path) -> None:
    async with opened(settings(tmp_path)) as client:
        game = await opening(client)
        await finished(client, "Ada", "Bo")
        waiting = await waiting_game(client)
        before = await shown(client, "live?ext=1")
    async with opened(settings(tmp_path)) as client:
        assert await shown(client, "live?ext=1") == before
        assert [entry["id"] for entry in before] == [game["gameId"]]
        assert [entry["id"] for entry in await shown(client, "matchmaking")] == [waiting["gameId"]]


async def test_an_abandoned_game_is_live_again_after_a_move(tmp_path: Path) -> None:
    wanted = settings(tmp_path, abandoned_seconds=0.1)
    async with opened(wanted) as client:
        game = await opening(client)
        await _until_abandoned(client)
    async with opened(wanted) as client:
        assert await shown(client, "live") == []
        assert len((await client.get("/api/games?status=live")).json()["games"]) == 1
        assert (await play(client, game, 0, "---"))[0] == 200
        assert [entry["moveCount"] for entry in await shown(client, "live")] == [1]


async def _until_abandoned(client: httpx.AsyncClient) -> None:
    for _ in range(500):
        if not await shown(client, "live"):
            return
        await asyncio.sleep(0.01)
    raise AssertionError("the game is still listed")


async def test_a_list_that_has_missed_changes_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(topic_reader, "WAITING_MESSAGES", 1)
    async with opened(settings(tmp_path)) as client:
        games = await asyncio.gather(*(opening(client) for _ in range(40)))
        await asyncio.gather(*(post(client, game, "resign", 0) for game in games[:20]))
        await asyncio.sleep(0.2)
        assert {entry["id"] for entry in await shown(client, "live")} == {
            game["gameId"] for game in games[20:]
        }
    assert "reading everything again" in caplog.text


# ---- past ----------------------------------------------------------------------------------------


async def test_a_past_game_in_the_sites_form(own_client: httpx.AsyncClient) -> None:
    game = await finished(own_client, "Ada", "Bo")
    answer = (await own_client.get("/api/games/past")).json()
    (entry,) = answer.pop("games")
    assert answer == {"page": 1, "pageSize": 100, "hasMore": False}
    assert entry.pop("startedAt") > 0
    players = entry.pop("players")
    assert entry == {
        "gameId": game["gameId"],
        "variant": "standard",
        "rated": False,
        "timeControl": "custom",
        "boardWidth": 3,
        "boardHeight": 3,
        "movesCount": 0,
        "views": 0,
    }
    common = {"ratingAtStart": None, "outcomeReason": "resignation"}
    assert players == [
        {"playerOrder": 1, "displayName": "Ada", "outcomeRank": 1, **common},
        {"playerOrder": 2, "displayName": "Bo", "outcomeRank": 2, **common},
    ]


async def test_pages_of_past_games_neither_skip_nor_repeat(own_client: httpx.AsyncClient) -> None:
    games = [(await finished(own_client, "Ada", str(n)))["gameId"] for n in range(5)]
    pages = [(await own_client.get(f"/api/games/past?page={page}&pageSize=2")).json() for page in range(1, 5)]
    assert [page["hasMore"] for page in pages] == [True, True, False, False]
    listed = [entry["gameId"] for page in pages for entry in page["games"]]
    assert sorted(listed) == sorted(games)
    starts = [entry["startedAt"] for page in pages for entry in page["games"]]
    assert starts == sorted(starts, reverse=True)


async def test_filters_of_past_games(own_client: httpx.AsyncClient) -> None:
    clock = {"initialSeconds": 180, "incrementSeconds": 2, "preset": "blitz"}
    small = (await finished(own_client, "Ada", "Bo", timeControl=clock))["gameId"]
    large_board = {"boardWidth": 12, "boardHeight": 7}
    large = (await finished(own_client, "Änne", "ADA", variant="classic", config=large_board))["gameId"]
    toy = (await opening(own_client, "toy-goofspiel"))["gameId"]
    everything = {small, large}
    for query, expected in {
        "": everything,
        "variant=classic": {large},
        "variant=survival": set(),
        "rated=no": everything,
        "rated=yes": set(),
        "timeControl=blitz": {small},
        "timeControl=rapid": set(),
        "boardSize=small": {small},
        "boardSize=medium": set(),
        "boardSize=large": {large},
        "player1=ada": everything,
        "player1=Bo&player2=ada": {small},
        "player1=Änne": {large},
        "player1=%25": set(),
        "minElo=0": set(),
        "dateFrom=2000-01-01": everything,
        "dateFrom=2000-01-01T00:00:00Z&dateTo=2000-02-01": set(),
        "dateTo=2000-01-01": set(),
    }.items():
        for ext in ("", "&ext=1"):
            found = {entry["gameId"] for entry in await shown(own_client, f"past?{query}{ext}")}
            assert found == expected, (query, toy)


@pytest.mark.parametrize(
    "query",
    [
        "page=0", "page=1000001", "page=x", "pageSize=101", "pageSize=0", "rated=maybe", "boardSize=huge",
        "timeControl=hyper", "minElo=-1", "dateFrom=yesterday", "player1=%20",
    ],
)  # fmt: skip
async def test_an_invalid_filter_is_refused(client: httpx.AsyncClient, query: str) -> None:
    answer = await client.get(f"/api/games/past?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert answer.json()["field"] == query.split("=")[0]


# ---- waiting and showcase ------------------------------------------------------------------------


async def test_a_waiting_game_can_be_joined_once(own_client: httpx.AsyncClient) -> None:
    game = await waiting_game(own_client)
    await waiting_game(own_client, matchType="friend")
    await opening(own_client, seats=[{"kind": "human"}, {"kind": "open"}])
    (entry,) = await shown(own_client, "matchmaking")
    assert entry == game["snapshot"]
    assert (entry["status"], entry["matchType"]) == ("waiting", "matchmaking")
    (extended,) = await shown(own_client, "matchmaking?ext=1")
    assert (extended["game"], len(extended["seats"])) == ("wallwars", 2)
    roles = []
    for name in ("Bo", "Cy"):
        answer = await own_client.post(f"/api/games/{entry['id']}/join", json={"displayName": name})
        roles.append((answer.status_code, answer.json()["role"]))
    assert roles == [(200, "player"), (200, "spectator")]
    assert await shown(own_client, "matchmaking") == []
    assert [game["id"] for game in await shown(own_client, "live")] == [entry["id"]]


async def test_a_game_whose_host_has_left_is_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting_list, "HOST_AWAY_MS", -1)
    async with opened(settings(tmp_path)) as client:
        game = await waiting_game(client)
        assert await shown(client, "matchmaking") == []
        async with server_of(client).presence.present(game["gameId"], 1):
            await asyncio.sleep(0.05)
            (entry,) = await shown(client, "matchmaking")
            assert [player["connected"] for player in entry["players"]] == [False, True]
        await asyncio.sleep(0.05)
        assert await shown(client, "matchmaking") == []


def server_of(client: httpx.AsyncClient) -> Services:
    transport = client._transport
    assert isinstance(transport, httpx.ASGITransport)
    assert isinstance(transport.app, FastAPI)
    services: Services = transport.app.state.services
    return services


async def test_there_is_no_showcase(client: httpx.AsyncClient) -> None:
    await finished(client, "Ada", "Bo")
    assert await shown(client, "showcase") == []


# ---- rows of an earlier version ------------------------------------------------------------------


async def test_rows_of_an_earlier_version_are_completed(tmp_path: Path) -> None:
    async with opened(settings(tmp_path)) as client:
        await finished(client, "Ada", "Bo", timeControl={"initialSeconds": 60, "preset": "bullet"})
        live = await opening(client, "toy-goofspiel")
        for seat in (0, 1):
            body = {"move": live["position"]["legal"][str(seat)][0]}
            path = f"/api/games/{live['gameId']}/moves"
            assert (await client.post(path, json=body, headers=bearer(live, seat))).status_code == 200
        await waiting_game(client)
        before = {path: await shown(client, path) for path in ("live?ext=1", "past?ext=1", "matchmaking")}
    _make_old(tmp_path / "plyhouse.sqlite3")
    async with opened(settings(tmp_path)) as client:
        assert {path: await shown(client, path) for path in before} == before
        assert all(before.values())


def _make_old(database: Path) -> None:
    """Removes what the first version did not write from the rows, and downgrades to it."""
    connection = sqlite3.connect(database)
    with connection:
        for game_id, summary in connection.execute("SELECT game_id, summary FROM games").fetchall():
            kept = {name: value for name, value in json.loads(summary).items() if name in ("seats", "result")}
            connection.execute("UPDATE games SET summary = ? WHERE game_id = ?", (json.dumps(kept), game_id))
    connection.close()
    bring(database, command.downgrade, "0001")
