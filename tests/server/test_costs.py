"""What the clients of one address may cost, over HTTP and sockets."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from server.routes.middleware import overdrawn
from tests.server.serving import Served
from tests.server.worker_servers import serving

BEHIND_PROXY = {"PLYHOUSE_TRUST_PROXY": '["127.0.0.0/8"]'}
ONE, OTHER = ({"x-forwarded-for": f"192.0.2.{number}"} for number in (1, 2))
RECORD = {"text": json.dumps({"game": "wallwars", "moves": ["---"] * 400})}
HUMANS = [{"kind": "human"}, {"kind": "human"}]
LARGE = {"game": "pyrat", "config": {"width": 64, "height": 64, "cheeseCount": 400}, "samples": 1, "toPly": 0}


@pytest.fixture(scope="module")
def little(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server on which each address may store little."""
    environment = {**BEHIND_PROXY, "PLYHOUSE_STORED_MEGABYTES_PER_DAY": "0.001"}
    with Served(tmp_path_factory.mktemp("little"), **environment) as served:
        yield served


async def test_what_one_address_stores_is_limited(little: Served) -> None:
    async with httpx.AsyncClient(base_url=little.url) as client:
        first = await client.post("/api/games/import", json=RECORD, headers=ONE)
        assert first.status_code == 201
        for path, body in (("/import", RECORD), ("", {"game": "wallwars", "seats": HUMANS})):
            refused = await client.post(f"/api/games{path}", json=body, headers=ONE)
            assert (refused.status_code, refused.json()["code"]) == (429, "too-many-requests")
            assert int(refused.headers["retry-after"]) > 60
        for more in ({}, OTHER):
            accepted = await client.post("/api/games/import", json=RECORD, headers=more)
            assert accepted.status_code == 201


async def test_a_rematch_is_stored_too(little: Served) -> None:
    address = {"x-forwarded-for": "192.0.2.5"}
    config = {"width": 21, "height": 15, "cheeseCount": 85}
    body = {"game": "pyrat", "config": config, "seats": HUMANS}
    async with httpx.AsyncClient(base_url=little.url) as client:
        game = (await client.post("/api/games", json=body, headers={"x-forwarded-for": "192.0.2.6"})).json()
        path, tokens = f"/api/games/{game['gameId']}", [seat["token"] for seat in game["seats"]]
        bearers = [{**address, "authorization": f"Bearer {token}"} for token in tokens]
        await client.post(f"{path}/resign", headers=bearers[0])
        for bearer in bearers:
            assert (await client.post(f"{path}/rematch", headers=bearer)).status_code in (200, 202)
        refused = await client.post("/api/games", json=body, headers=address)
        assert (refused.status_code, refused.json()["code"]) == (429, "too-many-requests")


def test_what_one_address_computes_is_limited(tmp_path_factory: pytest.TempPathFactory) -> None:
    environment = {**BEHIND_PROXY, "PLYHOUSE_WORK_SECONDS_PER_MINUTE": "0.01"}
    folder = tmp_path_factory.mktemp("slow")
    with Served(folder, **environment) as served, httpx.Client(base_url=served.url, timeout=60) as client:
        first = client.post("/api/analysis", json=LARGE, headers=ONE)
        assert first.status_code == 202
        refused = client.post("/api/positions", json={"game": "hive"}, headers=ONE)
        assert (refused.status_code, refused.json()["code"]) == (429, "too-many-requests")
        assert refused.json()["retryAfterMs"] > 0
        assert client.post("/api/positions", json={"game": "hive"}, headers=OTHER).status_code == 200


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_reading_large_games_is_limited_but_playing_is_not(
    encoding: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    environment = {**BEHIND_PROXY, "PLYHOUSE_WORK_SECONDS_PER_MINUTE": "0.01"}
    folder = tmp_path_factory.mktemp("read")
    with Served(folder, **environment) as served, httpx.Client(base_url=served.url, timeout=60) as client:
        body = {"game": "pyrat", "config": LARGE["config"], "seats": HUMANS}
        game = client.post("/api/games", json=body, headers=OTHER).json()
        path, token = f"/api/games/{game['gameId']}", game["seats"][0]["token"]
        reader = {**ONE, "accept-encoding": encoding}
        while (refused := client.get(path, headers=reader)).status_code == 200:
            assert refused.headers.get("content-encoding", "identity") == encoding
        assert (refused.status_code, refused.json()["code"]) == (429, "too-many-requests")
        moved = client.post(
            f"{path}/moves", json={"move": "STAY"}, headers={**ONE, "authorization": f"Bearer {token}"}
        )
        assert moved.status_code in (200, 202)
        assert client.get("/api/games/live", headers=reader).status_code == 200
        assert client.get(path, headers={"x-forwarded-for": "192.0.2.7"}).status_code == 200


@pytest.mark.parametrize("used_up", ["time", "bytes", "places"])
async def test_a_refused_client_waits_for_its_refusal(
    used_up: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting, released = asyncio.Event(), asyncio.Event()

    async def pause(_: float) -> None:
        waiting.set()
        await released.wait()

    monkeypatch.setattr(overdrawn, "asyncio", SimpleNamespace(sleep=pause))
    limits = {"work_seconds_per_minute": 1.0, "stored_megabytes_per_day": 0.001, "imports_per_address": 1}
    async with (
        serving(tmp_path, **limits, trust_proxy=("127.0.0.0/8",)) as server,
        httpx.AsyncClient(base_url=server.url, headers=ONE) as client,
    ):
        body: object = RECORD
        match used_up:
            case "time":
                server.services.work.accounts.charge("192.0.2.1", 10.0)
            case "bytes":
                assert (await client.post("/api/games/import", json=RECORD)).status_code == 201
                body = "refused before it is read"
            case "places":
                server.services.host.admission.imports.take("192.0.2.1")
        asking = asyncio.ensure_future(client.post("/api/games/import", json=body))
        await waiting.wait()
        assert not asking.done()
        released.set()
        assert (await asking).status_code == 429


async def test_the_fast_path_waits_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr(overdrawn, "asyncio", SimpleNamespace(sleep=pause))
    plain = {**ONE, "accept-encoding": "identity"}
    async with (
        serving(tmp_path, work_seconds_per_minute=1.0, trust_proxy=("127.0.0.0/8",)) as server,
        httpx.AsyncClient(base_url=server.url, headers=plain) as client,
    ):
        game = (await client.post("/api/games", json={"game": "wallwars", "seats": HUMANS})).json()
        server.services.work.accounts.charge("192.0.2.1", 10.0)
        for seen, request in enumerate(("GET", "POST"), start=1):
            path, body = (
                (f"/api/games/{game['gameId']}", None) if request == "GET" else ("/api/positions", RECORD)
            )
            refused = await client.request(request, path, json=body)
            assert (refused.status_code, len(pauses)) == (429, seen)


async def open_for_ever(path: str) -> None:
    while True:
        await (await connect(path, additional_headers=ONE)).close()


async def test_watching_large_games_is_limited_but_playing_is_not(tmp_path: Path) -> None:
    async with serving(tmp_path, work_seconds_per_minute=0.01, trust_proxy=("127.0.0.0/8",)) as server:
        async with httpx.AsyncClient(base_url=server.url) as client:
            game = (await client.post("/api/games", json={"game": "wallwars", "seats": HUMANS})).json()
        path = f"{server.socket_url}/ws/games/{game['gameId']}"
        with pytest.raises(InvalidStatus) as refused:
            await open_for_ever(path)
        assert refused.value.response.status_code == 429
        async with connect(f"{path}?token={game['seats'][0]['token']}", additional_headers=ONE) as player:
            assert json.loads(await player.recv())["type"] == "welcome"
        async with connect(path, additional_headers=OTHER) as spectator:
            assert json.loads(await spectator.recv())["type"] == "welcome"


def test_imports_leave_room_for_moves(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("full")
    with (
        Served(folder, PLYHOUSE_RESERVE_MEGABYTES="1000000000") as served,
        httpx.Client(base_url=served.url) as client,
    ):
        refused = client.post("/api/games/import", json=RECORD)
        assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
        assert client.post("/api/games", json={"game": "wallwars", "seats": HUMANS}).status_code == 201


async def test_the_sockets_of_one_address_share_its_messages(little: Served) -> None:
    async with httpx.AsyncClient(base_url=little.url) as client:
        body = {"game": "wallwars", "seats": HUMANS}
        game = (await client.post("/api/games", json=body, headers={"x-forwarded-for": "192.0.2.4"})).json()
    address = f"{little.socket_url}/ws/games/{game['gameId']}"
    said: list[str] = []
    for _ in range(4):
        async with connect(address, additional_headers=ONE) as socket:
            for text in ("one", "two"):
                await socket.send(json.dumps({"type": "chat-message", "channel": "audience", "text": text}))
                said.append(await answer(socket))
    assert said == ["chat-message"] * 5 + ["chat-error"] * 3
    async with connect(address, additional_headers=OTHER) as socket:
        await socket.send(json.dumps({"type": "chat-message", "channel": "audience", "text": "three"}))
        assert await answer(socket) == "chat-message"


async def answer(socket: ClientConnection) -> str:
    while True:
        frame = json.loads(await socket.recv())
        if str(frame["type"]).startswith("chat"):
            return str(frame["type"])


async def test_new_connections_of_one_address_are_limited(tmp_path_factory: pytest.TempPathFactory) -> None:
    environment = {**BEHIND_PROXY, "PLYHOUSE_CONNECTIONS_PER_SECOND": "0.1"}
    with Served(tmp_path_factory.mktemp("often"), **environment) as served:
        async with httpx.AsyncClient(base_url=served.url) as client:
            game = (await client.post("/api/games", json={"game": "wallwars", "seats": HUMANS})).json()
        address = f"{served.socket_url}/ws/games/{game['gameId']}"
        async with connect(address, additional_headers=OTHER):
            for _ in range(2):
                await (await connect(address, additional_headers=ONE)).close()
            with pytest.raises(InvalidStatus) as refused:
                await connect(address, additional_headers=ONE)
        assert refused.value.response.status_code == 429
