"""How many games a client may offer in the lobby without being connected to them."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect

from tests.server.services import SITE_BODY, Json, opened, settings
from tests.server.serving import Served

OFFER = {**SITE_BODY, "matchType": "matchmaking"}
LISTED = {"game": "hive", "seats": [{"kind": "human"}, {"kind": "open"}], "listed": True}
PROXY = "127.0.0.1/32"


def client_at(address: str) -> dict[str, str]:
    return {"X-Forwarded-For": address}


ADA, BOB = client_at("198.51.100.1"), client_at("198.51.100.2")


async def offer(client: httpx.AsyncClient, who: dict[str, str], body: Json = OFFER) -> httpx.Response:
    return await client.post("/api/games", json=body, headers=who)


async def waiting(client: httpx.AsyncClient, count: int) -> None:
    """Waits until the lobby lists this number of games."""
    async with asyncio.timeout(60):
        while True:
            if len((await client.get("/api/games/matchmaking")).json()["games"]) == count:
                return


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with opened(settings(tmp_path, trust_proxy=(PROXY,))) as client:
        yield client


async def test_the_fourth_game_of_an_absent_host_is_refused(client: httpx.AsyncClient) -> None:
    answers = [await offer(client, ADA, body) for body in (OFFER, LISTED, OFFER, LISTED)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
    assert answers[3].json() == {
        "error": "You already offer 3 games in the lobby without being connected to them. "
        "Open one of them, or abort it, before you offer another.",
        "code": "too-many-requests",
        "limit": 3,
        "retryAfterMs": 10_000,
    }
    assert len((await client.get("/api/games?status=open")).json()["games"]) == 3
    assert (await offer(client, BOB)).status_code == 201
    assert (await offer(client, ADA, {**LISTED, "listed": False})).status_code == 201


async def test_simultaneous_offers_are_counted(client: httpx.AsyncClient) -> None:
    answers = await asyncio.gather(*(offer(client, ADA) for _ in range(20)))
    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [429] * 17


async def test_a_game_that_was_joined_or_aborted_makes_room(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.services.lobby.lobby_quota.UNSEEN_MS", 0)
    games = [(await offer(client, ADA)).json() for _ in range(3)]
    await waiting(client, 3)
    assert (await offer(client, ADA)).status_code == 429
    await client.post(f"/api/games/{games[0]['gameId']}/join")
    await client.post(f"/api/games/{games[1]['gameId']}/abort", json={"token": games[1]["hostToken"]})
    for there in (1, 2):
        await waiting(client, there)
        assert (await offer(client, ADA)).status_code == 201
    await waiting(client, 3)
    assert (await offer(client, ADA)).status_code == 429


async def test_the_limit_is_a_setting(tmp_path: Path) -> None:
    async with opened(settings(tmp_path, trust_proxy=(PROXY,), lobby_games_per_client=0)) as client:
        assert {(await offer(client, ADA)).status_code for _ in range(10)} == {201}


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("quota"), "--trust-proxy", PROXY) as served:
        yield served


async def test_games_whose_host_is_connected_do_not_count(services: Served) -> None:
    async with httpx.AsyncClient(base_url=services.url, timeout=60) as client:
        games = [(await offer(client, ADA)).json() for _ in range(3)]
        address = f"{services.socket_url}/ws/games/{games[0]['gameId']}?token={games[0]['hostToken']}"
        async with connect(address) as socket:
            await socket.recv()
            assert (await offer(client, ADA)).status_code == 201
            assert (await offer(client, ADA)).status_code == 429
