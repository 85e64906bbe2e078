"""The game socket of a running server.

The site's messages for Wallwars, the common ones for every game, and limits.
"""

import asyncio
import json
import socket

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.server.game_peers import SMALL, Json, Peer, joined, new_game
from tests.server.readers import SERVERS, Reader
from tests.server.services import opening, play
from tests.server.serving import Served


async def test_two_people_play_with_the_sites_messages(served: Served) -> None:
    game, (first, second) = await new_game(served, config=SMALL)
    async with (
        joined(served, game, f"?token={first}") as one,
        joined(served, game, f"?token={second}") as two,
    ):
        welcome, state, match = await one.opening()
        assert (set(welcome), welcome["type"]) == ({"type", "socketId"}, "welcome")
        assert (state["type"], state["state"]["status"], state["seq"]) == ("state", "playing", 1)
        assert set(state["state"]) == {
            "status", "turn", "moveCount", "timeLeft", "lastMoveTime", "pawns", "walls", "initialState",
            "history", "config",
        }  # fmt: skip
        assert (match["type"], match["snapshot"]["status"]) == ("match-status", "ready")
        await two.opening()
        is_there = [True, False]
        while is_there != [True, True]:  # Messages about arrivals may be put together or not.
            players = (await one.until("match-status"))["snapshot"]["players"]
            is_there = [player["connected"] for player in players]

        await one.send(type="submit-move", move={"actions": [{"type": "cat", "target": [1, 1]}]})
        for peer in (one, two):
            state = (await peer.until("state"))["state"]
            assert state["history"] == [{"index": 1, "notation": "Cb2"}]
        await two.send(type="submit-move", move="Cb2", expectedPly=1, clientMsgId="a")
        assert (await one.next())["state"]["turn"] == 1
        await one.send(type="submit-move", move="Cc1")
        over = await one.next()
        assert (over["state"]["status"], over["state"]["result"]) == ("finished", {"reason": "one-move-rule"})
        assert (await one.next())["snapshot"]["status"] == "completed"


async def test_walls_and_passes_are_actions_too(served: Served) -> None:
    game, (first, second) = await new_game(served, config=SMALL)
    async with (
        joined(served, game, f"?token={first}") as one,
        joined(served, game, f"?token={second}") as two,
    ):
        await one.opening()
        await two.opening()
        wall = {"type": "wall", "target": [1, 1], "wallOrientation": "vertical"}
        await one.send(type="submit-move", move={"actions": [{"type": "mouse", "target": [2, 1]}, wall]})
        assert (await two.until("state"))["state"]["history"][0]["notation"] == "Mb1.>b2"
        await two.send(type="submit-move", move={"actions": []})
        assert (await two.until("state"))["state"]["history"][1]["notation"] == "---"


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (
            {"type": "submit-move", "move": {"actions": [{"type": "dog", "target": [0, 0]}]}},
            "cat, mouse or wall",
        ),
        ({"type": "submit-move", "move": {"actions": [{"type": "cat", "target": "a1"}]}}, "[row, column]"),
        ({"type": "submit-move", "move": {"actions": 3}}, "list of actions"),
        ({"type": "submit-move"}, "an object"),
        ({"type": "submit-move", "move": "Cb2.>a3.>b3"}, ""),
        ({"type": "submit-move", "move": "Cz99"}, ""),
        ({"type": "submit-move", "move": "Cb2", "expectedPly": 4}, "ply 0"),
        ({"type": "submit-move", "move": "Cb2", "clientMsgId": 5}, "non-empty string"),
        ({"type": "dance"}, "dance"),
        ({"kind": "nothing"}, "type"),
    ],
)
async def test_refused_actions_are_errors_and_change_nothing(
    served: Served, message: Json, text: str
) -> None:
    game, (first, _) = await new_game(served, config=SMALL)
    async with joined(served, game, f"?token={first}") as peer:
        await peer.opening()
        await peer.send(**message)
        error = await peer.next()
        assert error["type"] == "error"
        assert text in error["message"]
        await peer.nothing()


async def test_a_spectator_sees_everything_and_cannot_act(served: Served) -> None:
    game, (first, _) = await new_game(served, config=SMALL)
    async with joined(served, game) as spectator, joined(served, game, f"?token={first}") as one:
        await spectator.opening()
        await one.opening()
        await spectator.send(type="resign")
        error = await spectator.until("error")
        assert error["message"] == "Spectators cannot send game messages"
        await one.send(type="resign")
        over = (await spectator.until("state"))["state"]
        assert over["result"] == {"winner": 2, "reason": "resignation"}


async def test_offers_go_to_the_other_player(served: Served) -> None:
    game, (first, second) = await new_game(served, config=SMALL)
    async with (
        joined(served, game, f"?token={first}") as one,
        joined(served, game, f"?token={second}") as two,
    ):
        await one.opening()
        await two.opening()
        await one.until("match-status")
        await one.send(type="submit-move", move="Cb3")
        await one.until("state")
        await two.until("state")
        await one.send(type="takeback-offer")
        offer = await two.next()
        assert {key: offer[key] for key in ("type", "playerId")} == {"type": "takeback-offer", "playerId": 1}
        async with joined(served, game, f"?token={second}") as late:
            assert (await late.opening())[1]["offer"] == {"kind": "takeback", "seat": 0, "toPly": 0}
        await two.send(type="takeback-reject")
        assert (await one.next())["type"] == "takeback-rejected"
        await one.send(type="takeback-offer")
        await two.until("takeback-offer")
        await two.send(type="takeback-accept")
        assert (await one.next())["state"]["moveCount"] == 0
        await two.until("state")
        await two.send(type="draw-accept")
        assert "draw" in (await two.next())["message"]
        await two.send(type="draw-offer")
        assert (await one.next())["type"] == "draw-offer"
        await one.send(type="draw-accept")
        assert (await two.next())["state"]["result"] == {"reason": "draw-agreement"}


async def test_other_games_send_positions_and_seal_simultaneous_moves(served: Served) -> None:
    game, (first, second) = await new_game(served, "toy-goofspiel")
    async with (
        joined(served, game, f"?token={first}&ext=1") as one,
        joined(served, game, f"?token={second}") as two,
    ):
        assert (await one.next())["type"] == "welcome"
        frame = await one.next()
        assert frame["state"] == frame["position"]
        assert frame["seats"] == [{"seat": 0, "kind": "human"}, {"seat": 1, "kind": "human"}]
        await two.next()
        await two.next()
        while not all(there := await attendance(one)):
            assert there[0]
        await one.send(type="submit-move", move="4", clientMsgId="a")
        taken = {(await one.next())["type"]: None, (await one.next())["type"]: None}
        assert set(taken) == {"state", "move-taken"}
        sealed = await two.next()
        assert (sealed["state"]["toAct"], sealed["state"]["history"]) == ([1], [])
        assert '"4/' not in json.dumps(sealed)
        await two.send(type="submit-move", move="2")
        assert (await two.next())["state"]["history"] == ["4/2"]


async def attendance(peer: Peer) -> list[bool]:
    """Returns the next presence frame's content."""
    players = (await peer.until("match-status"))["snapshot"]["players"]
    return [player["connected"] for player in players]


async def test_only_clients_with_extensions_get_positions_of_wallwars(served: Served) -> None:
    game, (first, _) = await new_game(served, config=SMALL)
    async with joined(served, game, f"?token={first}") as plain, joined(served, game, "?ext=1") as extended:
        assert "position" not in (await plain.opening())[1]
        frame = (await extended.opening())[1]
        assert (frame["position"]["legal"][0], frame["state"]["turn"]) == ("Cb3", 1)
        await plain.send(type="submit-move", move="Cb3", clientMsgId="a")
        assert (await plain.until("state"))["state"]["moveCount"] == 1
        assert (await extended.until("state"))["position"]["ply"] == 1
        await plain.send(type="submit-move", move="Cb3", clientMsgId="a")
        await plain.nothing()


@pytest.mark.parametrize(
    ("path", "options", "status"),
    [
        ("?token=nonsense", {}, 401),
        ("", {"origin": "https://replication.example"}, 403),
        ("", {"origin": "null"}, 403),
    ],
)
async def test_a_refused_handshake_gets_an_error_body(
    served: Served, path: str, options: Json, status: int
) -> None:
    game, _ = await new_game(served)
    with pytest.raises(InvalidStatus) as refused:
        async with joined(served, game, path, **options):
            pass
    assert refused.value.response.status_code == status
    assert json.loads(refused.value.response.body)["code"]


async def test_an_unknown_game_has_no_socket(served: Served) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with joined(served, "nobody"):
            pass
    assert refused.value.response.status_code == 404


async def test_an_unknown_address_has_no_socket(served: Served) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with connect(f"{served.socket_url}/ws/nope"):
            pass
    assert refused.value.response.status_code == 404
    assert json.loads(refused.value.response.body)["code"] == "not-found"


async def test_pages_of_localhost_and_of_the_server_may_open_sockets(served: Served) -> None:
    game, _ = await new_game(served)
    for origin in ("http://localhost:5173", served.url):
        async with joined(served, game, origin=origin) as peer:
            assert (await peer.next())["type"] == "welcome"


async def test_a_hundred_bad_messages_close_the_socket(served: Served) -> None:
    game, _ = await new_game(served)
    async with joined(served, game) as peer:
        for _ in range(100):
            await peer.connection.send("not json")
        assert await peer.close_code() == (1008, "Too many unexpected messages")


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
