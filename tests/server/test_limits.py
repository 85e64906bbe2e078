"""Limits on concurrent imports per client address."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from server.domain.errors import ApiError, Code
from server.routes.middleware.overdrawn import HEAVY
from server.services.address_limit import AddressLimit
from server.services.games.records import Records
from server.services.heavy_work import HeavyWork
from tests.server.bot_peers import Json
from tests.server.services import app_with, settings

ONE, OTHER = ({"X-Forwarded-For": f"203.0.113.{number}"} for number in (1, 2))
PEOPLE: Json = {"game": "wallwars", "seats": [{"kind": "human"}, {"kind": "open"}]}


async def test_concurrent_imports_per_address(tmp_path: Path) -> None:
    wanted = settings(tmp_path, imports_per_address=1, trust_proxy=["127.0.0.1"])
    record = {"text": '[Board "3x3"]\n[Result "*"]\n\n1. Ma2 Cb2\n*\n'}
    app = app_with(wanted)
    transport = httpx.ASGITransport(app)
    async with app.router.lifespan_context(app), httpx.AsyncClient(transport=transport, timeout=60) as client:

        async def imported(headers: dict[str, str], body: Json = record) -> httpx.Response:
            return await client.post("http://services/api/games/import", json=body, headers=headers)

        with app.state.services.host.admission.imports.holding("203.0.113.1"):
            refused = await imported(ONE)
            assert (refused.status_code, refused.json()["code"]) == (429, "too-many-requests")
            assert (refused.json()["limit"], refused.json()["retryAfterMs"]) == (1, 5000)
            assert (await imported(OTHER)).status_code == 201
        assert (await imported(ONE, {"text": "no record"})).status_code == 422
        for _ in range(2):
            assert (await imported(ONE)).status_code == 201


@pytest.mark.parametrize("path", HEAVY)
async def test_a_client_without_time_left_is_refused_before_its_body_is_read(
    tmp_path: Path, path: str
) -> None:
    app = app_with(settings(tmp_path, trust_proxy=["127.0.0.1"]))
    transport = httpx.ASGITransport(app)
    read = list[str]()

    async def body() -> AsyncIterator[bytes]:
        read.append(path)
        yield b"{}"

    async with app.router.lifespan_context(app), httpx.AsyncClient(transport=transport, timeout=60) as client:
        app.state.services.host.admission.work.accounts.charge("203.0.113.1", 1000.0)
        refused = await client.post(f"http://services{path}", content=body(), headers=ONE)
        assert (refused.status_code, refused.json()["code"]) == (429, "too-many-requests")
        assert int(refused.headers["retry-after"]) > 0
        assert read == []
        accepted = await client.post(f"http://services{path}", content=body(), headers=OTHER)
        assert (accepted.status_code, read) == (400, [path])


async def test_an_import_counts_until_its_game_is_stored(tmp_path: Path) -> None:
    app = app_with(settings(tmp_path))
    async with app.router.lifespan_context(app):
        limit = AddressLimit(1, "imports")
        records = Records(app.state.services.games, limit, HeavyWork())
        text = '[Board "3x3"]\n[Result "*"]\n\n1. Ma2 Cb2\n*\n'
        first = asyncio.ensure_future(records.take_in("auto", text, "203.0.113.1"))
        await asyncio.sleep(0)
        with pytest.raises(ApiError) as refusal:
            await records.take_in("auto", text, "203.0.113.1")
        assert refusal.value.code is Code.TOO_MANY_REQUESTS
        await first
        await records.take_in("auto", text, "203.0.113.1")
        assert not limit.has("203.0.113.1")
