"""Limits of a running server: per client address, and when all sessions are in use."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect

from server.app import create_app
from server.domain.errors import ApiError, Code
from server.services.address_limit import AddressLimit
from server.services.games.records import Records
from tests.server.bot_peers import BOARD, Bot, Json, challenge, http, reached, submit
from tests.server.services import settings
from tests.server.serving import Served

SECRET = "open sesame"  # noqa: S105 - of the tests only
BEHIND_A_PROXY = ("--trust-proxy", "127.0.0.1")
ONE, OTHER = ({"X-Forwarded-For": f"203.0.113.{number}"} for number in (1, 2))
PEOPLE: Json = {"game": "wallwars", "seats": [{"kind": "human"}, {"kind": "open"}]}


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server behind a proxy, with very low limits."""
    environment = {
        "PLYHOUSE_GAMES_PER_ADDRESS": "3",
        "PLYHOUSE_BARS_PER_ADDRESS": "2",
        "PLYHOUSE_BOT_CLIENTS_PER_ADDRESS": "2",
        "PLYHOUSE_BOT_CLIENTS": "3",
        "PLYHOUSE_SAMPLES": "30",
        "OFFICIAL_BOT_TOKEN": SECRET,
    }
    with Served(tmp_path_factory.mktemp("limits"), *BEHIND_A_PROXY, **environment) as served:
        yield served


async def test_games_opened_per_address(services: Served) -> None:
    async with http(services) as client:
        play = {"botId": "plyhouse:easy", "config": BOARD}
        created = [
            await client.post(path, json=body, headers=ONE)
            for path, body in (("/api/games", PEOPLE), ("/api/games", PEOPLE), ("/api/bots/play", play))
        ]
        assert {answer.status_code for answer in created} == {201}
        for path, body in (("/api/games", PEOPLE), ("/api/bots/play", play)):
            refused = await client.post(path, json=body, headers=ONE)
            assert (refused.status_code, refused.json()["code"]) == (429, "too-many-requests")
            assert (refused.json()["limit"], refused.headers["Retry-After"]) == (3, "5")
        assert (await client.post("/api/games", json=PEOPLE, headers=OTHER)).status_code == 201
        assert (await client.post("/api/games", json={"game": "chess", "seats": []}, headers=OTHER)).is_error
        first = created[0].json()
        bearer = {"Authorization": f"Bearer {first['seats'][0]['token']}"}
        await client.post(f"/api/games/{first['gameId']}/abort", headers=bearer)
        assert (await client.post("/api/games", json=PEOPLE, headers=ONE)).status_code == 201


async def test_a_rematch_counts_as_a_game_that_its_player_opens(services: Served) -> None:
    player = {"X-Forwarded-For": "203.0.113.4"}
    play = {"botId": "plyhouse:easy", "config": BOARD}
    async with http(services) as client:
        game = (await client.post("/api/bots/play", json=play, headers=player)).json()
        own = {**player, "Authorization": f"Bearer {game['token']}"}
        address = f"/api/games/{game['gameId']}"
        assert (await client.post(f"{address}/resign", headers=own)).status_code == 200
        others = [(await client.post("/api/games", json=PEOPLE, headers=player)).json() for _ in range(3)]
        refused = await client.post(f"{address}/rematch", headers=own)
        assert (refused.status_code, refused.json()["limit"]) == (429, 3)

        url = f"{services.socket_url}/ws/games/{game['gameId']}?token={game['token']}"
        async with connect(url, additional_headers=player) as connection:
            seat = Bot(connection)
            await seat.send({"type": "rematch-offer"})
            assert (await seat.until("error"))["code"] == "too-many-requests"

        bearer = {"Authorization": f"Bearer {others[0]['seats'][0]['token']}"}
        await client.post(f"/api/games/{others[0]['gameId']}/abort", headers=bearer)
        assert (await client.post(f"{address}/rematch", headers=own)).status_code == 200
        assert (await client.post("/api/games", json=PEOPLE, headers=player)).status_code == 429


async def test_bars_per_address(services: Served) -> None:
    async with http(services) as client, AsyncExitStack() as stack:
        made = await client.post("/api/games", json=PEOPLE, headers={"X-Forwarded-For": "203.0.113.3"})
        game = made.json()

        async def bar(headers: dict[str, str]) -> Bot:
            url = f"{services.socket_url}/ws/eval/{game['gameId']}"
            viewer = Bot(await stack.enter_async_context(connect(url, additional_headers=headers)))
            shake = {"type": "eval-handshake", "gameId": game["gameId"], **game["config"]}
            await viewer.send({**shake, "variant": game["variant"]})
            assert (await viewer.next())["type"] == "eval-handshake-accepted"
            return viewer

        bars = [await bar(ONE) for _ in range(2)]
        for viewer in bars:
            await viewer.until("eval-history")
        refused = await (await bar(ONE)).next()
        assert (refused["type"], refused["retryAfterMs"]) == ("eval-error", 5000)
        await (await bar(OTHER)).until("eval-history")
        await bars[0].connection.close()
        await (await bar(ONE)).until("eval-history")


async def test_bot_clients_per_address_and_official_ones(services: Served) -> None:
    async with AsyncExitStack() as stack:

        async def attach(name: str, headers: dict[str, str], **bot: str) -> str | None:
            url = f"{services.socket_url}/ws/custom-bot"
            client = Bot(await stack.enter_async_context(connect(url, additional_headers=headers)))
            code: str | None = (await client.attach(name, bot)).get("code")
            return code

        assert [await attach(f"one{index}", ONE) for index in range(3)] == [None, None, "TOO_MANY_CLIENTS"]
        assert [await attach(f"other{index}", OTHER) for index in range(2)] == [None, "TOO_MANY_CLIENTS"]
        assert [await attach(f"judge{index}", ONE, officialToken=SECRET) for index in range(2)] == [
            None,
            None,
        ]


async def test_the_metrics_show_refusals(services: Served) -> None:
    async with http(services) as client:
        told = (await client.get("/metrics")).text
    refused = [line for line in told.splitlines() if line.startswith("plyhouse_address_limits_total")]
    assert refused[0].startswith('plyhouse_address_limits_total{of="bars"}')


async def test_programs_on_this_machine_have_no_limit(tmp_path: Path) -> None:
    with Served(tmp_path, PLYHOUSE_GAMES_PER_ADDRESS="1") as services:
        async with http(services) as client:
            for _ in range(3):
                await challenge(client, "plyhouse:easy")


async def test_games_against_an_attached_bot_take_nothing_from_the_pool(tmp_path: Path) -> None:
    environment = {"PLYHOUSE_SESSIONS_PER_BOT_CLIENT": "2", "PLYHOUSE_SESSIONS": "2"}
    with Served(tmp_path, **environment) as services:
        async with http(services) as client, connect(f"{services.socket_url}/ws/custom-bot") as connection:
            bot = Bot(connection)
            await bot.attach("held")
            for _ in range(2):
                game = await challenge(client, "held:b1")
                assert (await submit(client, game, "Ma2")).status_code == 200
                await bot.started()
                await bot.evaluated(0, "---")
                await bot.applied(0, "Ma2")
                await bot.evaluated(1, "---")
                await bot.applied(1, "---")
                await bot.evaluated(2, "---")
                await reached(client, game["gameId"], ply=2)
            refused = await client.post("/api/bots/play", json={"botId": "held:b1", "config": BOARD})
            assert (refused.status_code, refused.json()["error"]) == (503, "The engine is busy.")
            analysis = await client.post("/api/analysis?wait=1", json={"game": "wallwars", "samples": 10})
            assert analysis.status_code == 200
            own = await challenge(client, "plyhouse:easy")
            await submit(client, own, "Ma2")
            await reached(client, own["gameId"], ply=2)
            ready: httpx.Response = await client.get("/readyz")
            assert ready.json()["parts"]["engine"].startswith("busy: ")
            assert services.log.count("the engine is busy") == 1


async def test_games_over_uhp_count_as_well(services: Served) -> None:
    who = {"X-Forwarded-For": "203.0.113.9"}
    answers = []
    async with AsyncExitStack() as stack:
        for _ in range(4):
            url = f"{services.socket_url}/uhp?role=seat&vs=bot:easy&type=Base"
            peer = await stack.enter_async_context(connect(url, additional_headers=who))
            assert await peer.recv() == "ok"
            answers.append(str(await peer.recv()))
    assert [answer.startswith("err") for answer in answers] == [False, False, False, True], answers
    assert "unfinished games" in answers[3]


async def test_concurrent_imports_per_address(tmp_path: Path) -> None:
    wanted = settings(tmp_path, imports_per_address=1, trust_proxy=["127.0.0.1"])
    record = {"text": '[Board "3x3"]\n[Result "*"]\n\n1. Ma2 Cb2\n*\n'}
    app = create_app(wanted)
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


async def test_an_import_counts_until_its_game_is_stored(tmp_path: Path) -> None:
    app = create_app(settings(tmp_path))
    async with app.router.lifespan_context(app):
        limit = AddressLimit(1, "imports")
        records = Records(app.state.services.games, limit)
        text = '[Board "3x3"]\n[Result "*"]\n\n1. Ma2 Cb2\n*\n'
        first = asyncio.ensure_future(records.take_in("auto", text, "203.0.113.1"))
        await asyncio.sleep(0)
        with pytest.raises(ApiError) as refusal:
            await records.take_in("auto", text, "203.0.113.1")
        assert refusal.value.code is Code.TOO_MANY_REQUESTS
        await first
        await records.take_in("auto", text, "203.0.113.1")
        assert not limit.has("203.0.113.1")
