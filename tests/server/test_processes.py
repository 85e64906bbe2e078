"""Two served processes on one database and one Redis, and what becomes of their games when Redis goes."""

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.game_peers import SMALL, Json, Peer, joined, new_game
from tests.server.redis_server import RedisServer
from tests.server.serving import Served


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    with RedisServer() as child:
        yield child


@pytest.fixture
def houses(tmp_path: Path, redis_server: RedisServer) -> Iterator[tuple[Served, Served]]:
    options = ("--redis", redis_server.url)
    with Served(tmp_path, *options) as one, Served(tmp_path, *options) as other:
        yield one, other


async def story(peer: Peer) -> list[Json]:
    """The frames to the end of the game, but for who is there: every process knows its own sockets only."""
    frames: list[Json] = []
    while not frames or frames[-1]["type"] != "match-status":
        frame = await peer.next()
        if frame["type"] != "match-status":
            frames.append(frame)
        elif frame["snapshot"]["status"] == "completed":
            for player in frame["snapshot"]["players"]:
                del player["connected"]
            frames.append(frame)
    return frames


async def readiness(client: httpx.AsyncClient, house: Served, status: int) -> Json:
    """What ``/readyz`` says, once it has this status."""
    async with asyncio.timeout(10):
        while (answer := await client.get(f"{house.url}/readyz")).status_code != status:  # noqa: ASYNC110
            await asyncio.sleep(0.05)  # The server tells nobody.
    return dict(answer.json())


async def test_a_spectator_elsewhere_sees_what_one_here_sees(houses: tuple[Served, Served]) -> None:
    one, other = houses
    game, (first, second) = await new_game(one, config=SMALL)
    async with (
        joined(one, game, f"?token={first}") as player,
        joined(other, game, f"?token={second}") as rival,
        joined(one, game) as here,
        joined(other, game) as there,
    ):
        for peer in (player, rival, here, there):
            await peer.opening()
        await player.send(type="submit-move", move="Cb2")
        await rival.until("state")
        await rival.send(type="draw-offer")
        await player.until("draw-offer")
        await player.send(type="draw-reject")
        await rival.until("draw-rejected")
        await rival.send(type="submit-move", move="Cb2")
        await player.until("state")
        await player.send(type="submit-move", move="Cc1")
        seen = [await story(peer) for peer in (here, there)]
        assert seen[0] == seen[1]
        assert len(seen[0]) == 4


async def test_a_seat_taken_elsewhere_can_be_played_here(houses: tuple[Served, Served]) -> None:
    one, other = houses
    async with httpx.AsyncClient() as client:
        seats = [{"kind": "human"}, {"kind": "open"}]
        body = {"game": "wallwars", "config": SMALL, "seats": seats}
        game = (await client.post(f"{one.url}/api/games", json=body)).json()["gameId"]
        guest = (await client.post(f"{other.url}/api/games/{game}/join", json={"name": "Bob"})).json()[
            "token"
        ]
        async with joined(one, game, f"?token={guest}") as peer:
            await peer.opening()


async def test_games_go_on_without_redis(houses: tuple[Served, Served], redis_server: RedisServer) -> None:
    one, other = houses
    game, (first, second) = await new_game(one, config=SMALL)
    async with (
        httpx.AsyncClient() as client,
        joined(one, game, f"?token={first}") as player,
        joined(other, game, f"?token={second}") as rival,
    ):
        await player.opening()
        await rival.opening()
        assert (await client.get(f"{one.url}/readyz")).status_code == 200
        redis_server.kill()
        refusal = await readiness(client, one, 503)
        assert (refusal["code"], refusal["ready"]) == ("unavailable", False)
        assert refusal["parts"]["bus"].startswith("redis: ")
        await player.send(type="submit-move", move="Cb2")
        assert (await player.until("state"))["state"]["history"]
        redis_server.start()
        assert (await rival.until("state"))["state"]["history"]
        for house in houses:
            await readiness(client, house, 200)
        await rival.send(type="submit-move", move="Cb2")
        assert (await player.until("state"))["state"]["turn"] == 1
    assert one.log.count("Redis is gone") == 2
    assert one.log.count("Redis is back") == 2


async def test_what_one_said_before_it_stopped_reaches_the_other(houses: tuple[Served, Served]) -> None:
    one, other = houses
    game, (first, _) = await new_game(one, config=SMALL)
    async with joined(other, game) as there, httpx.AsyncClient(base_url=one.url) as client:
        await there.opening()
        headers = {"Authorization": f"Bearer {first}"}
        move = {"move": "Cb2", "expectedPly": 0, "clientMsgId": "a"}
        assert (await client.post(f"/api/games/{game}/moves", json=move, headers=headers)).status_code == 200
        one.stop(signal.SIGTERM)
        assert (await there.until("state"))["state"]["history"]


async def test_the_same_message_to_both_is_one_move_with_one_answer(
    houses: tuple[Served, Served], redis_server: RedisServer
) -> None:
    game, (first, second) = await new_game(houses[0], config=SMALL)
    redis_server.kill()
    async with httpx.AsyncClient() as client:

        async def moved(house: Served, token: str, move: str, ply: int) -> tuple[int, Json]:
            body = {"move": move, "expectedPly": ply, "clientMsgId": f"{ply}"}
            headers = {"Authorization": f"Bearer {token}"}
            answer = await client.post(f"{house.url}/api/games/{game}/moves", json=body, headers=headers)
            return answer.status_code, answer.json()

        for ply, (token, move) in enumerate([(first, "Cb2"), (second, "Cb2"), (first, "Cc1")]):
            copies = [moved(house, token, move, ply) for house in houses * 10]
            answers = await asyncio.gather(*copies)
            assert answers == [answers[0]] * 20
            assert (answers[0][0], answers[0][1]["ply"]) == (200, ply + 1)
        assert answers[0] == await moved(houses[1], first, "Cc1", 2)


async def test_a_game_that_is_played_elsewhere_is_listed_and_not_loaded(
    houses: tuple[Served, Served],
) -> None:
    one, other = houses
    game, tokens = await new_game(one, config=SMALL)
    async with httpx.AsyncClient() as client:
        for ply, move in enumerate(["Cb2", "Cb2"]):
            headers = {"Authorization": f"Bearer {tokens[ply]}"}
            await client.post(f"{one.url}/api/games/{game}/moves", json={"move": move}, headers=headers)

        async def listed() -> list[tuple[str, int]]:
            games = (await client.get(f"{other.url}/api/games/live")).json()["games"]
            return [(entry["id"], entry["moveCount"]) for entry in games]

        async with asyncio.timeout(10):
            while await listed() != [(game, 2)]:  # noqa: ASYNC110
                await asyncio.sleep(0.05)  # The server tells only those who are connected.
        assert "plyhouse_games_loaded 0.0" in (await client.get(f"{other.url}/metrics")).text


async def test_a_bot_hears_of_a_move_elsewhere_when_its_game_has_left_memory(
    tmp_path: Path, redis_server: RedisServer
) -> None:
    options, few = ("--redis", redis_server.url), {"PLYHOUSE_LOADED_GAMES": "1"}
    with Served(tmp_path, *options, **few) as one, Served(tmp_path, *options) as other:
        async with httpx.AsyncClient() as client:
            wish = {"game": "wallwars", "config": SMALL, "seats": [{"kind": "human"}, {"kind": "bot"}]}
            game = (await client.post(f"{one.url}/api/games", json=wish)).json()
            await new_game(one, config=SMALL)
            path = f"{other.url}/api/games/{game['gameId']}"
            headers = {"Authorization": f"Bearer {game['seats'][0]['token']}"}
            assert (
                await client.post(f"{path}/moves", json={"move": "Cb2"}, headers=headers)
            ).status_code == 200
            async with asyncio.timeout(10):
                while (await client.get(path)).json()["position"]["ply"] < 2:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)  # The server tells only those who are connected.
