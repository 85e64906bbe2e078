"""Limits of a served house: what one client address may have at once, and what happens when all sessions are in use."""

from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect

from tests.server.bot_peers import BOARD, Bot, Json, challenge, http, reached, submit
from tests.server.serving import Served

SECRET = "open sesame"  # noqa: S105 - of the tests only
BEHIND_A_PROXY = ("--trust-proxy", "127.0.0.1")
ONE, OTHER = ({"X-Forwarded-For": f"203.0.113.{number}"} for number in (1, 2))
PEOPLE: Json = {"game": "wallwars", "seats": [{"kind": "human"}, {"kind": "open"}]}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A house behind a proxy that allows everybody very little."""
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


async def test_games_that_one_address_opens(house: Served) -> None:
    async with http(house) as client:
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


async def test_a_rematch_counts_as_a_game_that_its_player_opens(house: Served) -> None:
    player = {"X-Forwarded-For": "203.0.113.4"}
    play = {"botId": "plyhouse:easy", "config": BOARD}
    async with http(house) as client:
        game = (await client.post("/api/bots/play", json=play, headers=player)).json()
        own = {**player, "Authorization": f"Bearer {game['token']}"}
        address = f"/api/games/{game['gameId']}"
        assert (await client.post(f"{address}/resign", headers=own)).status_code == 200
        others = [(await client.post("/api/games", json=PEOPLE, headers=player)).json() for _ in range(3)]
        refused = await client.post(f"{address}/rematch", headers=own)
        assert (refused.status_code, refused.json()["limit"]) == (429, 3)

        url = f"{house.socket_url}/ws/games/{game['gameId']}?token={game['token']}"
        async with connect(url, additional_headers=player) as connection:
            seat = Bot(connection)
            await seat.send({"type": "rematch-offer"})
            assert (await seat.until("error"))["code"] == "too-many-requests"

        bearer = {"Authorization": f"Bearer {others[0]['seats'][0]['token']}"}
        await client.post(f"/api/games/{others[0]['gameId']}/abort", headers=bearer)
        assert (await client.post(f"{address}/rematch", headers=own)).status_code == 200
        assert (await client.post("/api/games", json=PEOPLE, headers=player)).status_code == 429


async def test_bars_of_one_address(house: Served) -> None:
    async with http(house) as client, AsyncExitStack() as stack:
        made = await client.post("/api/games", json=PEOPLE, headers={"X-Forwarded-For": "203.0.113.3"})
        game = made.json()

        async def bar(headers: dict[str, str]) -> Bot:
            url = f"{house.socket_url}/ws/eval/{game['gameId']}"
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


async def test_bot_clients_of_one_address_and_official_ones_beside_them(house: Served) -> None:
    async with AsyncExitStack() as stack:

        async def attach(name: str, headers: dict[str, str], **bot: str) -> str | None:
            url = f"{house.socket_url}/ws/custom-bot"
            client = Bot(await stack.enter_async_context(connect(url, additional_headers=headers)))
            code: str | None = (await client.attach(name, bot)).get("code")
            return code

        assert [await attach(f"one{index}", ONE) for index in range(3)] == [None, None, "TOO_MANY_CLIENTS"]
        assert [await attach(f"other{index}", OTHER) for index in range(2)] == [None, "TOO_MANY_CLIENTS"]
        assert [await attach(f"judge{index}", ONE, officialToken=SECRET) for index in range(2)] == [
            None,
            None,
        ]


async def test_the_figures_show_refusals(house: Served) -> None:
    async with http(house) as client:
        told = (await client.get("/metrics")).text
    refused = [line for line in told.splitlines() if line.startswith("plyhouse_address_limits_total")]
    assert refused[0].startswith('plyhouse_address_limits_total{of="bars"}')


async def test_programs_on_this_machine_have_no_limit(tmp_path: Path) -> None:
    with Served(tmp_path, PLYHOUSE_GAMES_PER_ADDRESS="1") as house:
        async with http(house) as client:
            for _ in range(3):
                await challenge(client, "plyhouse:easy")


async def test_games_against_an_attached_bot_take_nothing_from_the_pool(tmp_path: Path) -> None:
    environment = {"PLYHOUSE_SESSIONS_PER_BOT_CLIENT": "2", "PLYHOUSE_SESSIONS": "2"}
    with Served(tmp_path, **environment) as house:
        async with http(house) as client, connect(f"{house.socket_url}/ws/custom-bot") as connection:
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
            assert house.log.count("the engine is busy") == 1


async def test_games_over_uhp_count_as_well(house: Served) -> None:
    who = {"X-Forwarded-For": "203.0.113.9"}
    answers = []
    async with AsyncExitStack() as stack:
        for _ in range(4):
            url = f"{house.socket_url}/uhp?role=seat&vs=bot:easy&type=Base"
            peer = await stack.enter_async_context(connect(url, additional_headers=who))
            assert await peer.recv() == "ok"
            answers.append(str(await peer.recv()))
    assert [answer.startswith("err") for answer in answers] == [False, False, False, True], answers
    assert "unfinished games" in answers[3]
