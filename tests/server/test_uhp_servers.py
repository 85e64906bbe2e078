"""Players over UHP at two servers on one database and one Redis: nobody is missed who is at the other one."""

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.serving import Served
from tests.server.uhp_clients import Peer, move_both, new_game, opened, shown, tcp
from tools.services.redis import RedisServer

LONGER_THAN_THE_GRACE = 4.5


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[tuple[Served, Served]]:
    """Both wait three seconds for players of untimed games."""
    with RedisServer() as redis:
        options = ("--redis", redis.url, "--uhp-port", "0")
        with (
            Served(tmp_path, *options, PLYHOUSE_UHP_GRACE_SECONDS="3") as one,
            Served(tmp_path, *options, PLYHOUSE_UHP_GRACE_SECONDS="3") as other,
        ):
            yield one, other


@pytest.mark.slow
async def test_a_server_that_starts_misses_nobody_who_is_at_another(servers: tuple[Served, Served]) -> None:
    one, other = servers
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


@pytest.mark.slow
async def test_who_goes_on_at_another_server_is_not_missed_at_the_last_one(
    servers: tuple[Served, Served],
) -> None:
    one, other = servers
    game, tokens = await new_game(one, "Base")
    async with opened(tcp, one, f"role=seat token={tokens[1]}") as black:
        async with opened(tcp, one, f"role=seat token={tokens[0]}") as white:
            await move_both(white, black)
        async with opened(tcp, other, f"role=seat token={tokens[0]}"):
            await asyncio.sleep(LONGER_THAN_THE_GRACE)
            assert (await shown(one, game))["status"] == "playing"
        assert (await black.end())[-1] == "end BlackWins disconnect"


@pytest.mark.slow
async def test_who_comes_back_nowhere_after_a_restart_has_lost(servers: tuple[Served, Served]) -> None:
    one, other = servers
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


async def open_games(served: Served, count: int) -> list[str]:
    """The ids of the games in the lobby, once there are so many."""
    async with httpx.AsyncClient(base_url=served.url, timeout=60) as client, asyncio.timeout(60):
        while True:
            games = (await client.get("/api/games/matchmaking?ext=1")).json()["games"]
            if len(games) == count:
                return [game["id"] for game in games]
            await asyncio.sleep(0.05)  # The server tells only those who are connected.


async def ids(served: Served, status: str) -> list[str]:
    async with httpx.AsyncClient(base_url=served.url, timeout=60) as client:
        games = (await client.get(f"/api/games?status={status}")).json()["games"]
    return [game["gameId"] for game in games]


async def test_the_lobby_shows_who_waits_over_uhp_at_another_server(servers: tuple[Served, Served]) -> None:
    one, other = servers
    async with opened(tcp, one, "role=seat type=Base+P tc=-") as waiting:
        [game] = await open_games(other, 1)
        async with httpx.AsyncClient(base_url=other.url, timeout=60) as client:
            assert (await client.post(f"/api/games/{game}/join", json={"name": "Ada"})).status_code == 200
        assert (await waiting.line()).startswith("seat ")
        assert await open_games(other, 0) == []


CRITERIA = [("", ""), ("color=white", "color=black"), ("color=any", "color=white")]
CRITERIA += [("color=any", "color=any"), ("name=Ada vs=Bob", "name=Bob vs=Ada")]


@pytest.mark.parametrize("criteria", CRITERIA)
async def test_players_of_two_servers_meet(servers: tuple[Served, Served], criteria: tuple[str, str]) -> None:
    one, other = servers
    first, second = criteria
    async with opened(tcp, one, f"role=seat type=Base {first}") as ada:
        await asyncio.sleep(0.2)  # Usually the second player sees that the first one waits, but need not.
        async with opened(tcp, other, f"role=seat type=Base {second}") as bob:
            white, black = await by_colour(ada, bob)
            await white.send("wA1")
            assert (await black.line()).endswith(";wA1")


async def by_colour(ada: Peer, bob: Peer) -> tuple[Peer, Peer]:
    """White and Black, who have got seats in one game."""
    seats = [(await peer.lines(2))[0].split() for peer in (ada, bob)]
    assert seats[0][2] == seats[1][2]
    assert {seat[1] for seat in seats} == {"White", "Black"}
    return (ada, bob) if seats[0][1] == "White" else (bob, ada)


@pytest.mark.slow
async def test_players_who_come_to_two_servers_at_once_meet_in_one_game(
    servers: tuple[Served, Served],
) -> None:
    for _ in range(10):
        async with asyncio.TaskGroup() as group:
            ends = [group.create_task(_seek(served)) for served in servers]
        assert len({end.result() for end in ends}) == 1
    assert await ids(servers[0], "open") == []
    assert len(await ids(servers[0], "finished")) == 10


async def _seek(served: Served) -> str:
    """Gets a seat and forfeits it, unless the opponent has; returns the game."""
    async with opened(tcp, served, "role=seat type=Base tc=-") as peer:
        seat = (await peer.lines(2))[0]
        if " White " in seat:
            await peer.send("forfeit")
        assert (await peer.end())[-1].startswith("end BlackWins")
    return seat.split()[2]
