"""Two server processes with one database, and their games when Redis or Postgres fails."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
from redis.asyncio import Redis
from redis.asyncio.client import PubSub

from server.bus.redis_medium import STREAM
from tests.server.databases import ON_SQLITE, template
from tests.server.game_peers import SMALL, Json, Peer, joined, new_game
from tests.server.serving import Served
from tools.services.postgres import PostgresServer
from tools.services.redis import RedisServer


@pytest.fixture
def servers(tmp_path: Path, redis_server: RedisServer, database: str) -> Iterator[tuple[Served, Served]]:
    options = ("--redis", redis_server.url, "--database", database)
    with Served(tmp_path, *options) as one, Served(tmp_path, *options) as other:
        for served in (one, other):
            # The address is printed before the server has connected to Redis, which tests stop at once.
            httpx.get(f"{served.url}/healthz", timeout=60)
        yield one, other


async def story(peer: Peer) -> list[Json]:
    """Returns the frames up to the end of the game, without presence, since each process knows only its own sockets."""
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


async def readiness(client: httpx.AsyncClient, services: Served, status: int, bus: str) -> Json:
    """Waits until ``/readyz`` has this status, and until what it says about the bus begins so; returns its body."""
    async with asyncio.timeout(60):
        while True:
            answer = await client.get(f"{services.url}/readyz")
            if answer.status_code == status and answer.json()["parts"]["bus"].startswith(bus):
                return dict(answer.json())
            await asyncio.sleep(0.05)  # The server sends no event for this.


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
async def test_an_ordinary_start_of_a_second_server_warns_of_nothing(
    tmp_path: Path, redis_server: RedisServer, database: str
) -> None:
    options = ("--redis", redis_server.url, "--database", database)
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        folder.mkdir()
    async with httpx.AsyncClient(timeout=60) as client:
        with Served(folders[0], *options) as one:
            await readiness(client, one, 200, "redis")
            with Served(folders[1], *options) as other:
                await readiness(client, other, 200, "redis")
                game, _ = await new_game(one, "hive")
                await listed(client, other, game)
                assert " WARNING " not in one.log + other.log


async def listed(client: httpx.AsyncClient, server: Served, game: str) -> None:
    """Waits until the server's list of games has this one."""
    async with asyncio.timeout(60):
        while game not in (await client.get(f"{server.url}/api/games")).text:  # noqa: ASYNC110 - polls
            await asyncio.sleep(0.05)  # Lists follow the changes at other servers a little later.


async def test_spectators_on_both_servers_see_the_same(
    servers: tuple[Served, Served], redis_server: RedisServer
) -> None:
    await play_on_both(*servers)
    await seal_on_both(*servers, redis_server)


async def seal_on_both(one: Served, other: Served, redis_server: RedisServer) -> None:
    """Sends the parts of a simultaneous move to two servers. Until both are in, Redis contains neither."""
    game, (first, second) = await new_game(one, "pyrat", variant="open")
    async with (
        joined(one, game, f"?token={first}") as player,
        joined(other, game, f"?token={second}") as rival,
        joined(other, game) as there,
        Redis.from_url(redis_server.url) as redis,
        redis.pubsub() as channels,
    ):
        await channels.psubscribe("plyhouse:*")
        for peer in (player, rival, there):
            await peer.until("state")
        await player.send(type="submit-move", move="RIGHT")
        for peer in (player, rival, there):
            state = (await peer.until("state"))["state"]
            assert (state["pending"], state["history"]) == ([1], [])
        await player.send(type="submit-move", move="UP")
        assert (await player.until("error"))["code"] == "already-moved"
        published = [message async for message in _published(channels)]
        sent = str((published, await redis.xrange(STREAM)))
        assert f"plyhouse:log:{game}" in sent
        assert "RIGHT" not in sent
        await rival.send(type="submit-move", move="LEFT")
        for peer in (player, rival, there):
            assert (await peer.until("state"))["state"]["history"] == ["RIGHT/LEFT"]


async def _published(channels: PubSub) -> AsyncIterator[object]:
    """What has been published until now."""
    while (message := await channels.get_message(timeout=0.5)) is not None:
        yield message


@pytest.mark.slow
async def test_servers_on_postgres_need_no_redis(tmp_path: Path, postgres: PostgresServer) -> None:
    options = ("--database", postgres.new_database(template(postgres)))
    with Served(tmp_path, *options) as one, Served(tmp_path, *options) as other:
        async with httpx.AsyncClient(timeout=60) as client:
            await play_on_both(one, other)
            assert (await readiness(client, one, 200, "postgres"))["parts"]["bus"] == "postgres"
            postgres.kill()
            try:
                await readiness(client, one, 503, "postgres: ")
            finally:
                postgres.start()
            for server in (one, other):
                await readiness(client, server, 200, "postgres")
        await play_on_both(other, one)


async def play_on_both(one: Served, other: Served) -> None:
    """Plays a game between players at two servers. Spectators at both see the same."""
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


@ON_SQLITE
async def test_a_seat_taken_on_one_server_can_be_played_on_the_other(servers: tuple[Served, Served]) -> None:
    one, other = servers
    async with httpx.AsyncClient(timeout=60) as client:
        seats = [{"kind": "human"}, {"kind": "open"}]
        body = {"game": "wallwars", "config": SMALL, "seats": seats}
        game = (await client.post(f"{one.url}/api/games", json=body)).json()["gameId"]
        guest = (await client.post(f"{other.url}/api/games/{game}/join", json={"name": "Bob"})).json()[
            "token"
        ]
        async with joined(one, game, f"?token={guest}") as peer:
            await peer.opening()


@ON_SQLITE
async def test_games_continue_without_redis(
    servers: tuple[Served, Served], redis_server: RedisServer
) -> None:
    one, other = servers
    game, (first, second) = await new_game(one, config=SMALL)
    async with (
        httpx.AsyncClient(timeout=60) as client,
        joined(one, game, f"?token={first}") as player,
        joined(other, game, f"?token={second}") as rival,
    ):
        await player.opening()
        await rival.opening()
        assert (await client.get(f"{one.url}/readyz")).status_code == 200
        redis_server.kill()
        refusal = await readiness(client, one, 503, "redis: ")
        assert (refusal["code"], refusal["ready"]) == ("unavailable", False)
        await player.send(type="submit-move", move="Cb2")
        assert (await player.until("state"))["state"]["history"]
        redis_server.start()
        assert (await rival.until("state"))["state"]["history"]
        for services in servers:
            await readiness(client, services, 200, "redis")
        await rival.send(type="submit-move", move="Cb2")
        assert (await player.until("state"))["state"]["turn"] == 1
    assert one.log.count("Redis is unavailable") == 2
    assert one.log.count("Redis is back") == 2


@ON_SQLITE
async def test_answers_are_current_while_redis_is_away(
    servers: tuple[Served, Served], redis_server: RedisServer
) -> None:
    one, other = servers
    game, tokens = await new_game(one, config=SMALL)
    async with httpx.AsyncClient(timeout=60) as client, joined(other, game) as spectator:
        await spectator.opening()
        redis_server.kill()
        for served in servers:
            await readiness(client, served, 503, "redis: ")
        for ply, token in enumerate(tokens, start=1):
            move = await client.post(
                f"{one.url}/api/games/{game}/moves",
                json={"move": "Cb2" if ply == 1 else "Cb3"},
                headers={"Authorization": f"Bearer {token}"},
            )
            assert move.status_code == 200, move.text
            read = (await client.get(f"{other.url}/api/games/{game}")).json()
            record = (await client.get(f"{other.url}/api/games/{game}/record")).json()
            assert (read["position"]["ply"], len(record["moves"])) == (ply, ply)
        redis_server.start()


@ON_SQLITE
async def test_messages_sent_before_stopping_reach_the_other(servers: tuple[Served, Served]) -> None:
    one, other = servers
    game, (first, _) = await new_game(one, config=SMALL)
    async with joined(other, game) as there, httpx.AsyncClient(base_url=one.url, timeout=60) as client:
        await there.opening()
        headers = {"Authorization": f"Bearer {first}"}
        move = {"move": "Cb2", "expectedPly": 0, "clientMsgId": "a"}
        assert (await client.post(f"/api/games/{game}/moves", json=move, headers=headers)).status_code == 200
        one.stop(signal.SIGTERM)
        assert (await there.until("state"))["state"]["history"]


async def test_the_same_message_to_both_is_one_move(
    servers: tuple[Served, Served], redis_server: RedisServer
) -> None:
    game, (first, second) = await new_game(servers[0], config=SMALL)
    redis_server.kill()
    async with httpx.AsyncClient(timeout=60) as client:

        async def moved(services: Served, token: str, move: str, ply: int) -> tuple[int, Json]:
            body = {"move": move, "expectedPly": ply, "clientMsgId": f"{ply}"}
            headers = {"Authorization": f"Bearer {token}"}
            answer = await client.post(f"{services.url}/api/games/{game}/moves", json=body, headers=headers)
            return answer.status_code, answer.json()

        for ply, (token, move) in enumerate([(first, "Cb2"), (second, "Cb2"), (first, "Cc1")]):
            copies = [moved(services, token, move, ply) for services in servers * 10]
            answers = await asyncio.gather(*copies)
            assert answers == [answers[0]] * 20
            assert (answers[0][0], answers[0][1]["ply"]) == (200, ply + 1)
        assert answers[0] == await moved(servers[1], first, "Cc1", 2)


@ON_SQLITE
async def test_a_game_of_another_server_is_listed_but_not_loaded(
    servers: tuple[Served, Served],
) -> None:
    one, other = servers
    game, tokens = await new_game(one, config=SMALL)
    async with httpx.AsyncClient(timeout=60) as client:
        for ply, move in enumerate(["Cb2", "Cb2"]):
            headers = {"Authorization": f"Bearer {tokens[ply]}"}
            await client.post(f"{one.url}/api/games/{game}/moves", json={"move": move}, headers=headers)

        async def listed() -> list[tuple[str, int]]:
            games = (await client.get(f"{other.url}/api/games/live")).json()["games"]
            return [(entry["id"], entry["moveCount"]) for entry in games]

        async with asyncio.timeout(60):
            while await listed() != [(game, 2)]:  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.05)  # The server sends events only to connected clients.
        assert "plyhouse_games_loaded 0.0" in (await client.get(f"{other.url}/metrics")).text


async def test_a_bot_learns_of_a_move_on_another_server_after_eviction(
    tmp_path: Path, redis_server: RedisServer
) -> None:
    options, few = ("--redis", redis_server.url), {"PLYHOUSE_LOADED_GAMES": "1"}
    with Served(tmp_path, *options, **few) as one, Served(tmp_path, *options) as other:
        async with httpx.AsyncClient(timeout=60) as client:
            wish = {"game": "wallwars", "config": SMALL, "seats": [{"kind": "human"}, {"kind": "bot"}]}
            game = (await client.post(f"{one.url}/api/games", json=wish)).json()
            await new_game(one, config=SMALL)
            path = f"{other.url}/api/games/{game['gameId']}"
            headers = {"Authorization": f"Bearer {game['seats'][0]['token']}"}
            assert (
                await client.post(f"{path}/moves", json={"move": "Cb2"}, headers=headers)
            ).status_code == 200
            async with asyncio.timeout(60):
                while (await client.get(path)).json()["position"]["ply"] < 2:  # noqa: ASYNC110 - polls
                    await asyncio.sleep(0.05)  # The server sends events only to connected clients.


async def connected(peer: Peer, *seats: bool) -> None:
    """Waits for a presence frame with these connections."""
    while True:
        snapshot = (await peer.until("match-status"))["snapshot"]
        if tuple(player["connected"] for player in snapshot["players"]) == seats:
            return


@ON_SQLITE
async def test_players_at_two_servers_see_and_hear_each_other(servers: tuple[Served, Served]) -> None:
    one, other = servers
    game, (first, second) = await new_game(one, config=SMALL)
    async with joined(one, game, f"?token={first}") as player:
        async with joined(other, game, f"?token={second}") as rival, joined(other, game) as spectator:
            await connected(player, True, True)
            await connected(rival, True, True)
            for sender, channel, listener in ((rival, "game", player), (player, "game", spectator)):
                await sender.send(type="chat-message", channel=channel, text="hello")
                heard = await listener.until("chat-message")
                assert (heard["text"], heard["channel"]) == ("hello", "game")
            async with httpx.AsyncClient(base_url=one.url, timeout=60) as client, asyncio.timeout(60):
                while (await client.get("/api/games/live")).json()["games"][0]["spectatorCount"] != 1:  # noqa: ASYNC110 - polls
                    await asyncio.sleep(0.05)  # The list is sent in batches.
        await connected(player, True, False)


@ON_SQLITE
async def test_the_presence_at_a_server_that_dies_ends(servers: tuple[Served, Served]) -> None:
    one, other = servers
    game, (first, second) = await new_game(one, config=SMALL)
    async with joined(one, game, f"?token={first}") as player, joined(other, game, f"?token={second}"):
        await connected(player, True, True)
        other.stop(signal.SIGKILL)
        await connected(player, True, False)


@ON_SQLITE
async def test_a_server_that_starts_learns_who_is_at_the_others(servers: tuple[Served, Served]) -> None:
    one, other = servers
    game, (first, second) = await new_game(one, config=SMALL)
    async with joined(one, game, f"?token={first}") as player:
        await player.opening()
        other.stop(signal.SIGKILL)
        await asyncio.to_thread(other.start)
        async with joined(other, game, f"?token={second}") as rival:
            await connected(rival, True, True)
