"""Players over UHP at two servers on one database and one Redis: nobody is missed who is at the other one."""

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.serving import Served
from tests.server.uhp_clients import move_both, new_game, opened, shown, tcp
from tools.services.redis import RedisServer

LONGER_THAN_THE_GRACE = 4.5


@pytest.fixture
def houses(tmp_path: Path) -> Iterator[tuple[Served, Served]]:
    """Both wait three seconds for players of untimed games."""
    with RedisServer() as redis:
        options = ("--redis", redis.url, "--uhp-port", "0")
        with (
            Served(tmp_path, *options, PLYHOUSE_UHP_GRACE_SECONDS="3") as one,
            Served(tmp_path, *options, PLYHOUSE_UHP_GRACE_SECONDS="3") as other,
        ):
            yield one, other


async def test_a_server_that_starts_misses_nobody_who_is_at_another(houses: tuple[Served, Served]) -> None:
    one, other = houses
    game, tokens = await new_game(one, "Base")
    async with opened(tcp, one, f"role=seat token={tokens[1]}") as black:
        async with opened(tcp, one, f"role=seat token={tokens[0]}") as white, opened(tcp, one, "role=seat"):
            await move_both(white, black)
            other.stop(signal.SIGKILL)
            other.start()
            await asyncio.sleep(LONGER_THAN_THE_GRACE)
            assert (await shown(other, game))["status"] == "playing"
            async with httpx.AsyncClient(base_url=other.url, timeout=60) as client:
                assert len((await client.get("/api/games?status=open")).json()["games"]) == 1
        assert (await black.end())[-1] == "end BlackWins disconnect"


async def test_who_goes_on_at_another_server_is_not_missed_at_the_last_one(
    houses: tuple[Served, Served],
) -> None:
    one, other = houses
    game, tokens = await new_game(one, "Base")
    async with opened(tcp, one, f"role=seat token={tokens[1]}") as black:
        async with opened(tcp, one, f"role=seat token={tokens[0]}") as white:
            await move_both(white, black)
        async with opened(tcp, other, f"role=seat token={tokens[0]}"):
            await asyncio.sleep(LONGER_THAN_THE_GRACE)
            assert (await shown(one, game))["status"] == "playing"
        assert (await black.end())[-1] == "end BlackWins disconnect"


async def test_who_comes_back_nowhere_after_a_restart_has_lost(houses: tuple[Served, Served]) -> None:
    one, other = houses
    game, tokens = await new_game(one, "Base")
    async with (
        opened(tcp, one, f"role=seat token={tokens[0]}") as white,
        opened(tcp, one, f"role=seat token={tokens[1]}") as black,
    ):
        await move_both(white, black)
        one.stop(signal.SIGKILL)
    async with opened(tcp, other, f"role=seat resume={game}:{tokens[0]}") as white:
        await asyncio.to_thread(one.start)
        assert (await white.end())[-1] == "end WhiteWins disconnect"


async def test_the_lobby_hides_who_waits_over_uhp_at_another_server(houses: tuple[Served, Served]) -> None:
    one, other = houses
    async with httpx.AsyncClient(timeout=60) as client:
        criteria = {"game": "hive", "seats": [{"kind": "human"}, {"kind": "open"}], "listed": True}
        on_a_page = (await client.post(f"{one.url}/api/games", json=criteria)).json()["gameId"]

        async def listed(services: Served) -> list[str]:
            games = (await client.get(f"{services.url}/api/games/matchmaking?ext=1")).json()["games"]
            return [game["id"] for game in games]

        async def until(services: Served, count: int) -> list[str]:
            async with asyncio.timeout(60):
                while len(found := await listed(services)) != count:  # noqa: ASYNC110 - polls
                    await asyncio.sleep(0.05)  # The server tells only those who are connected.
            return found

        assert await until(other, 1) == [on_a_page]
        async with opened(tcp, one, "role=seat"):
            assert on_a_page in await until(one, 2)
            criteria["game"] = "wallwars"
            last = (await client.post(f"{one.url}/api/games", json=criteria)).json()["gameId"]
            assert await until(other, 2) == [on_a_page, last]
        assert await until(one, 2) == [on_a_page, last]
