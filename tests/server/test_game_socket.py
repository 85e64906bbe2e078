"""The game socket of a running server.

The site's messages for Wallwars, the common ones for every game, and limits.
"""

import asyncio
import json
import socket

import httpx
import pytest

from tests.server.game_peers import Json, joined, new_game
from tests.server.readers import SERVERS, Reader
from tests.server.services import opening, play
from tests.server.serving import Served


async def test_long_and_binary_messages_close_the_socket(served: Served) -> None:
    game, _ = await new_game(served)
    async with joined(served, game) as peer:
        await peer.connection.send("x" * 65_537)
        assert (await peer.close_code())[0] == 1009
    async with joined(served, game) as peer:
        await peer.connection.send(b"bytes")
        assert (await peer.close_code())[0] == 1008
    async with joined(served, game) as peer:
        await peer.connection.send(json.dumps({"type": "ping", "filler": "x" * 60_000}))
        assert (await peer.until("pong"))["timestamp"] > 0


async def test_a_slow_reader_is_asked_to_reconnect_without_affecting_others(served: Served) -> None:
    game, (first, second) = await new_game(served, config={"boardWidth": 20, "boardHeight": 20})
    slow_options: Json = {"max_queue": 1, "sock": _small_socket(served)}
    async with (
        joined(served, game, "?ext=1", **slow_options) as slow,
        joined(served, game, f"?token={first}") as one,
    ):
        async with joined(served, game, f"?token={second}") as two:
            for player in (one, two):
                await player.opening()
            ply = 0
            while "reads too slowly" not in served.log:
                await (one, two)[ply % 2].send(type="submit-move", move="---")
                for player in (one, two):
                    assert (await player.until("state"))["state"]["moveCount"] == ply + 1
                ply += 1
        assert await slow.close_code() == (1013, '{"retryAfterMs": 1000}')
    async with joined(served, game) as again:
        assert (await again.opening())[1]["state"]["moveCount"] == ply


def _small_socket(served: Served) -> socket.socket:
    """A connection with small buffers, so that a client that does not read is soon noticed."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    host, port = served.url.removeprefix("http://").split(":")
    connection.connect((host, int(port)))
    connection.setblocking(False)
    return connection


async def test_the_beginning_of_a_long_history_is_read_over_http(served: Served) -> None:
    moves = ["Cb8.Ca8", "Ch7.Ch8"] * 600
    record = {"game": "wallwars", "seats": [{"kind": "human"}] * 2, "moves": moves}
    async with httpx.AsyncClient(base_url=served.url, timeout=60) as client:
        answer = await client.post("/api/games/import", json={"text": json.dumps(record)})
        game_id = answer.json()["gameId"]
        async with joined(served, game_id, "?ext=1") as viewer:
            assert (await viewer.next())["type"] == "welcome"
            frame = await viewer.next()
        whole = (await client.get(f"/api/games/{game_id}")).json()["position"]["history"]
    window = frame["position"]
    assert (window["historyFrom"], window["history"]) == (700, whole[700:])
    assert len(whole) == 1200


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("query", ["", "?token={token}"])
async def test_a_client_that_stops_reading_gets_every_move_in_order(
    client: httpx.AsyncClient, server: str, query: str
) -> None:
    game = await opening(client, config={"boardWidth": 8, "boardHeight": 8})
    address = f"/ws/games/{game['gameId']}{query.format(token=game['seats'][0]['token'])}"
    slow, quick = Reader(client, address, server), Reader(client, address, server)
    for reader in (slow, quick):
        await reader.until("match-status")
    slow.reads.clear()
    for ply in range(100):
        assert (await play(client, game, ply % 2, "---"))[0] == 200
    slow.reads.set()
    for reader in (slow, quick):
        states = await reader.until("state", 101)
        assert [frame["state"]["moveCount"] for frame in states] == list(range(101))
        await reader.leave()


async def test_spectators_joining_at_any_time_get_everything_exactly_once(
    client: httpx.AsyncClient,
) -> None:
    game = await opening(client, config={"boardWidth": 8, "boardHeight": 8})
    readers = []
    for ply in range(30):
        readers += [Reader(client, f"/ws/games/{game['gameId']}{query}") for query in ("", "?ext=1")]
        assert (await play(client, game, ply % 2, "---"))[0] == 200
        if ply % 3 == 2:
            await readers.pop(0).leave()
    for reader in readers:
        async with asyncio.timeout(60):
            while (states := reader.of("state"))[-1]["state"]["moveCount"] < 30:
                await reader.until("state", len(states) + 1)
        plies = [frame["state"]["moveCount"] for frame in states]
        assert plies == list(range(plies[0], 31))
        await reader.leave()


async def test_the_answer_to_a_move_names_it(served: Served) -> None:
    game, (first, _) = await new_game(served)
    async with joined(served, game, f"?ext=1&token={first}") as player:
        await player.send(type="submit-move", move="Ca9", clientMsgId="m1")
        refused = await player.until("error")
        assert (refused["code"], refused["clientMsgId"]) == ("illegal-move", "m1")
        for _ in range(2):
            await player.send(type="submit-move", move="---", expectedPly=0, clientMsgId="m2")
            taken = await player.until("move-taken")
            assert (taken["ply"], taken["clientMsgId"]) == (1, "m2")


@pytest.mark.slow
async def test_a_player_who_pings_and_then_falls_silent_is_away(served: Served) -> None:
    game, (first, second) = await new_game(served, config={"boardWidth": 4, "boardHeight": 4})
    async with (
        joined(served, game, f"?token={first}") as one,
        joined(served, game, f"?token={second}") as two,
    ):
        await two.send(type="ping")
        await two.until("pong")
        two.connection.transport.pause_reading()
        for is_there in (True, False):
            while (await one.until("match-status"))["snapshot"]["players"][1]["connected"] is not is_there:
                pass
        two.connection.transport.abort()
