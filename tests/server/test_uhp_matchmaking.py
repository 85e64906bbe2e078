"""Who meets whom over UHP: by type, clock and colour, first come, first served; also people in the lobby, and bots."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from tests.server.game_peers import joined
from tests.server.serving import Served
from tests.server.uhp_clients import opened, raw_tcp, tcp


async def lobby(services: Served) -> list[dict[str, Any]]:
    """The open games of Hive that anybody can join."""
    async with httpx.AsyncClient(base_url=services.url, timeout=60) as client:
        games = (await client.get("/api/games", params={"status": "open", "game": "hive"})).json()["games"]
    return list(games)


async def join(services: Served, game: str, **more: object) -> dict[str, Any]:
    async with httpx.AsyncClient(base_url=services.url, timeout=60) as client:
        answer = await client.post(f"/api/games/{game}/join", json=more)
    assert answer.is_success, answer.text
    return dict(answer.json())


async def until_open(services: Served, count: int) -> list[dict[str, Any]]:
    for _ in range(200):
        games = await lobby(services)
        if len(games) == count:
            return games
        await asyncio.sleep(0.02)
    raise AssertionError(games)


@asynccontextmanager
async def a_seat(services: Served, criteria: str) -> AsyncIterator[Any]:
    async with opened(tcp, services, f"role=seat {criteria}") as peer:
        yield peer


async def colour(peer: Any) -> str:
    """What the seat line says, whose game string comes with it."""
    seat, _ = await peer.lines(2)
    return str(seat.split()[1])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("tc=301+0", "type=Base+M tc=301+0"),
        ("tc=302+0", "tc=302+1"),
        ("tc=303+0", "tc=-"),
        ("tc=304+0 color=white", "tc=304+0 color=white"),
        ("tc=305+0 name=ada vs=bo", "tc=305+0 name=cy"),
        ("tc=306+0", "tc=306+0 vs=ada"),
    ],
)
async def test_who_does_not_suit_waits(uhp_server: Served, first: str, second: str) -> None:
    async with a_seat(uhp_server, first) as one, a_seat(uhp_server, second) as other:
        for peer in (one, other):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.15):
                    await peer.line()


async def test_any_colour_will_do_for_both(uhp_server: Served) -> None:
    async with a_seat(uhp_server, "") as one, a_seat(uhp_server, "") as other:
        assert sorted([await colour(one), await colour(other)]) == ["Black", "White"]


@pytest.mark.parametrize("criteria", ["color=white", "color=any"])
async def test_who_waits_stands_in_the_lobby_and_may_be_joined_there(
    uhp_server: Served, criteria: str
) -> None:
    async with a_seat(uhp_server, f"type=Base+P tc=- name=engine {criteria}") as one:
        [game] = await until_open(uhp_server, 1)
        assert (game["game"], game["variant"]) == ("hive", "Base+P")
        joined = await join(uhp_server, game["gameId"], name="Ada")
        seat, shown = await one.lines(2)
        mine = 1 - joined["seatIndex"]
        assert seat == f"seat {('White', 'Black')[mine]} game={game['gameId']} tc=-"
        assert shown == "Base+P;NotStarted;White[1]"
    assert await until_open(uhp_server, 0) == []


async def test_an_open_game_of_the_lobby_is_taken(uhp_server: Served) -> None:
    body = {
        "game": "hive",
        "variant": "Base+L",
        "seats": [{"kind": "human", "name": "Ada"}, {"kind": "open"}],
        "timeControl": {"initialSeconds": 120, "incrementSeconds": 1},
        "listed": True,
    }
    async with httpx.AsyncClient(base_url=uhp_server.url, timeout=60) as client:
        created = (await client.post("/api/games", json=body)).json()
    game, token = created["gameId"], created["seats"][0]["token"]
    async with joined(uhp_server, game, f"?token={token}&ext=1") as page:
        await page.until("state")
        async with a_seat(uhp_server, "type=Base+L tc=120+1") as one:
            assert await one.line() == f"seat Black game={game} tc=120+1"
            await page.send(type="submit-move", move="wA1")
            assert (await one.lines(2))[1] == "Base+L;InProgress;Black[1];wA1"
            await one.send("bA1 -wA1")
            while (await page.until("state"))["position"]["history"] != ["wA1", "bA1 -wA1"]:
                pass


async def test_nobody_is_matched_with_a_host_who_is_not_there(uhp_server: Served) -> None:
    body = {
        "game": "hive",
        "variant": "Base+M",
        "seats": [{"kind": "human"}, {"kind": "open"}],
        "listed": True,
    }
    async with httpx.AsyncClient(base_url=uhp_server.url, timeout=60) as client:
        created = (await client.post("/api/games", json=body)).json()
        async with a_seat(uhp_server, "type=Base+M tc=-") as one:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.15):
                    await one.line()
        token = {"token": created["seats"][0]["token"]}
        await client.post(f"/api/games/{created['gameId']}/abort", json=token)


async def test_who_goes_is_waited_for_no_more(uhp_server: Served) -> None:
    async with a_seat(uhp_server, "tc=77+0 color=white"):
        await until_open(uhp_server, 1)
    await until_open(uhp_server, 0)
    async with a_seat(uhp_server, "tc=77+0 color=black") as one:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.15):
                await one.line()


async def test_a_waiting_player_is_refused_after_a_while(tmp_path: Any) -> None:
    with Served(tmp_path, "--uhp-port", "0", PLYHOUSE_UHP_PATIENCE_SECONDS="0.2") as services:
        async with (
            opened(tcp, services, "role=viewer") as viewer,
            opened(tcp, services, "role=seat tc=-") as seat,
        ):
            await viewer.answer()
            await viewer.send("newgame remote")
            assert await viewer.answer() == ["err no opponent"]
            assert await seat.end() == ["err no opponent"]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "hello",
        "plyhouse/2 role=seat",
        "plyhouse/1",
        "plyhouse/1 role=king",
        "plyhouse/1 role=seat tc=fast",
        "plyhouse/1 role=seat tc=0+0",
        "plyhouse/1 role=seat tc=1+9999",
        "plyhouse/1 role=seat vs=bot:nobody",
        "plyhouse/1 role=seat type=Chess",
        "plyhouse/1 role=seat color=green",
        "plyhouse/1 role=seat colour=white",
        "plyhouse/1 role=seat tc=- tc=-",
        "plyhouse/1 role=seat token=nonsense",
        "plyhouse/1 role=seat game=nowhere token=nonsense",
        "plyhouse/1 role=seat game=nowhere",
        "plyhouse/1 role=seat resume=nowhere",
        "plyhouse/1 role=seat resume=nowhere:nonsense",
        "plyhouse/1 role=watch",
        "plyhouse/1 role=watch game=nowhere",
        "GET / HTTP/1.1",
        "\x00\xff\xfe",
        "x" * 20_000,
    ],
)
async def test_a_bad_handshake_is_answered_and_ends_the_connection(uhp_server: Served, line: str) -> None:
    async with raw_tcp(uhp_server) as peer:
        await peer.send(line)
        (refusal,) = await peer.end()
        assert refusal.startswith("err ")


async def test_the_token_of_another_game_opens_none(uhp_server: Served) -> None:
    async with httpx.AsyncClient(base_url=uhp_server.url, timeout=60) as client:
        body = {"game": "wallwars", "seats": [{"kind": "human"}, {"kind": "human"}]}
        game = (await client.post("/api/games", json=body)).json()
    async with raw_tcp(uhp_server) as peer:
        await peer.send(f"plyhouse/1 role=seat token={game['seats'][0]['token']}")
        assert await peer.end() == [f"err game {game['gameId']} is not Hive"]
