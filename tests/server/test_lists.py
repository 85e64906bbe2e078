"""The lists of games over HTTP, with a database file: pages, missed changes, and rows of earlier versions."""

import asyncio
import json
import logging
import sqlite3
from pathlib import Path
from typing import Any

import httpx
import pytest
from alembic import command
from fastapi import FastAPI

from server.routes.list_models import PastGames
from server.routes.services import Services
from server.services.cluster import topic_reader
from server.services.lobby import waiting_list
from tests.server.databases import bring
from tests.server.services import SITE_BODY, Json, bearer, opened, opening, post, settings

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


async def test_a_list_that_has_missed_changes_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(topic_reader, "WAITING_MESSAGES", 1)
    caplog.set_level(logging.INFO, topic_reader.__name__)
    async with opened(settings(tmp_path)) as client:
        games = await asyncio.gather(*(opening(client) for _ in range(40)))
        await asyncio.gather(*(post(client, game, "resign", 0) for game in games[:20]))
        await asyncio.sleep(0.2)
        assert {entry["id"] for entry in await shown(client, "live")} == {
            game["gameId"] for game in games[20:]
        }
    assert "reading everything again" in caplog.text


# ---- past ----------------------------------------------------------------------------------------


async def test_pages_of_past_games_neither_skip_nor_repeat(own_client: httpx.AsyncClient) -> None:
    games = [(await finished(own_client, "Ada", str(n)))["gameId"] for n in range(5)]
    pages = [(await own_client.get(f"/api/games/past?page={page}&pageSize=2")).json() for page in range(1, 5)]
    assert [page["hasMore"] for page in pages] == [True, True, False, False]
    listed = [entry["gameId"] for page in pages for entry in page["games"]]
    assert sorted(listed) == sorted(games)
    starts = [entry["startedAt"] for page in pages for entry in page["games"]]
    assert starts == sorted(starts, reverse=True)


async def test_past_games_have_the_form_that_is_documented(own_client: httpx.AsyncClient) -> None:
    await finished(own_client, "Ada", "Bo", timeControl={"initialSeconds": 60, "preset": "bullet"})
    await finished(own_client, "Ada", "Bo")
    game = await opening(
        own_client, "hive", seats=[{"kind": "human", "name": "Cy"}, {"kind": "bot", "bot": "plyhouse:easy"}]
    )
    assert (await post(own_client, game, "resign", 0))[0] == 200
    for query in ("", "?ext=1", "?pageSize=1", "?page=2&pageSize=1&ext=1", "?rated=yes"):
        body = (await own_client.get(f"/api/games/past{query}")).text
        read = PastGames.model_validate_json(body, extra="forbid")
        assert read.model_dump_json(by_alias=True, exclude_unset=True) == body


async def test_a_cursor_leads_to_the_next_page_of_past_games(own_client: httpx.AsyncClient) -> None:
    games = [(await finished(own_client, "Ada", str(n)))["gameId"] for n in range(5)]
    for query in ("pageSize=2", "pageSize=2&player1=ada", "pageSize=2&ext=1&boardSize=small"):
        page = (await own_client.get(f"/api/games/past?{query}")).json()
        pages = [page]
        while page["hasMore"]:
            page = (await own_client.get(f"/api/games/past?{query}&cursor={page['cursor']}")).json()
            pages.append(page)
        assert sorted(entry["gameId"] for one in pages for entry in one["games"]) == sorted(games)
        assert [(one.get("page"), "cursor" in one) for one in pages] == [
            (1, True),
            (None, True),
            (None, False),
        ]


async def test_only_the_first_pages_of_past_games_have_numbers(own_client: httpx.AsyncClient) -> None:
    for query in ("page=10", "page=1000&pageSize=1", "page=500&pageSize=2&player1=Ada"):
        assert await shown(own_client, f"past?{query}") == []
    for query in ("page=11", "page=1001&pageSize=1", "page=501&pageSize=2&player1=Ada"):
        answer = await own_client.get(f"/api/games/past?{query}")
        assert (answer.status_code, answer.json()["field"]) == (400, "page")
        assert "the newest 1,000 games only" in answer.json()["error"]
        assert "?cursor=" in answer.json()["error"]


# ---- waiting and showcase ------------------------------------------------------------------------


async def test_a_game_whose_host_has_left_is_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting_list, "HOST_AWAY_MS", -1)
    async with opened(settings(tmp_path)) as client:
        game = await waiting_game(client)
        assert await shown(client, "matchmaking") == []
        async with asyncio.timeout(60), server_of(client).presence.present(game["gameId"], 1):
            while not (offered := await shown(client, "matchmaking")):  # noqa: ASYNC110 - there is no event
                await asyncio.sleep(0.01)
            assert [player["connected"] for player in offered[0]["players"]] == [False, True]
        async with asyncio.timeout(60):
            while await shown(client, "matchmaking"):  # noqa: ASYNC110 - there is no event
                await asyncio.sleep(0.01)


def server_of(client: httpx.AsyncClient) -> Services:
    transport = client._transport
    assert isinstance(transport, httpx.ASGITransport)
    assert isinstance(transport.app, FastAPI)
    services: Services = transport.app.state.services
    return services


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
