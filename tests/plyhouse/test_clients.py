"""The synchronous and the asynchronous client against a real server, which is killed and restarted."""

import asyncio
import json
import signal
import socket
import threading
from pathlib import Path

import pytest

import plyhouse
from plyhouse import wire
from tests.server.serving import Served

SMALL = {"boardWidth": 3, "boardHeight": 3}


def test_two_people_play(served: Served) -> None:
    with plyhouse.Client(served.url) as ada, plyhouse.Client(served.url) as bo:
        game = ada.create("wallwars", ["human", "open"], config=SMALL, time_control=(60, 1))
        assert (game.state.status, game.state.to_act) == ("open", ())
        first = game.seats[0].token
        assert first is not None
        joined = bo.join(game.game_id, name="Bo")
        assert (joined.seat, joined.state.to_act) == (1, (0,))
        with pytest.raises(plyhouse.ServerError, match="All seats are taken") as full:
            bo.join(game.game_id)
        assert full.value.code == "seat-taken"
        with pytest.raises(plyhouse.ServerError) as stale:
            ada.move(game.game_id, first, "Cb2", expected_ply=3)
        assert (stale.value.status, stale.value.code, stale.value.body["ply"]) == (409, "stale-ply", 0)
        moved = ada.move(game.game_id, first, "Cb2")
        assert moved.state is not None
        assert (moved.ply, moved.pending, moved.state.history) == (1, (), ("Cb2",))
        bo.resign(game.game_id, joined.token)
        state = ada.state(game.game_id)
        assert (state.is_over, state.winners, state.reason) == (True, (0,), "resignation")
        assert [one.ply for one in ada.analyse(game.game_id, samples=10).positions] == [0, 1]


def test_simultaneous_moves(served: Served) -> None:
    with plyhouse.Client(served.url) as client:
        game = client.create("toy-goofspiel", ["human", "human"])
        tokens = [seat.token or "" for seat in game.seats]
        assert game.state.legal[1] == ("1", "2", "3", "4")
        half = client.move(game.game_id, tokens[0], "2")
        assert (half.ply, half.pending) == (0, (1,))
        waiting = client.state(game.game_id, tokens[0])
        assert (waiting.to_act, waiting.pending, waiting.legal) == ((1,), (1,), {1: ("1", "2", "3", "4")})
        assert client.move(game.game_id, tokens[1], "3").ply == 1


async def test_the_asynchronous_client_follows_a_game_across_a_restart(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with Served(tmp_path, "--port", str(port)) as served:
        async with plyhouse.AsyncClient(served.url) as client:
            game = await client.create("wallwars", ["human", "human"], config=SMALL)
            tokens = [seat.token or "" for seat in game.seats]
            seen = []
            async for state in client.follow(game.game_id, tokens[0]):
                seen.append(state.ply)
                if state.is_over:
                    break
                if state.ply == 0:
                    await client.move(game.game_id, tokens[0], "Cb2")
                elif state.ply == 1:
                    served.stop(signal.SIGKILL)
                    threading.Timer(0.3, served.start).start()
                    # Sent until the server answers, and played once.
                    await client.move(game.game_id, tokens[1], "---")
                else:
                    await client.resign(game.game_id, tokens[0])
            assert seen == [0, 1, 2, 2]
            assert (await client.state(game.game_id)).history == ("Cb2", "---")


async def test_an_unknown_game(served: Served) -> None:
    async with plyhouse.AsyncClient(served.url) as client:
        with pytest.raises(plyhouse.ServerError) as missing:
            await client.state("nowhere")
        assert missing.value.code == "not-found"
        with pytest.raises(plyhouse.ServerError):
            async with asyncio.timeout(60):
                await anext(client.follow("nowhere"))


def test_following_a_long_game_yields_all_moves(served: Served) -> None:
    with plyhouse.Client(served.url) as client:
        game_id = client.import_record(json.dumps({"game": "wallwars", "moves": ["---"] * 600}))
        (state,) = client.follow(game_id)
        assert len(state.history) == 600


def test_following_gives_up_on_a_silent_server() -> None:
    following = wire.Following("http://localhost", "game", None)
    assert list(following.pauses()) == [0.0, *wire.PAUSES]


async def test_a_server_that_ends_during_the_handshake_counts_as_unreachable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wire, "PAUSES", (0.01, 0.01))

    async def disconnect(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async with await asyncio.start_server(disconnect, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        with plyhouse.Client(url) as blocking, pytest.raises(ConnectionError, match="is lost"):
            await asyncio.to_thread(list, blocking.follow("game"))
        async with plyhouse.AsyncClient(url) as client:
            with pytest.raises(ConnectionError, match="is lost"):
                await anext(client.follow("game"))


def test_attempts_are_counted_from_the_last_frame() -> None:
    following = wire.Following("http://localhost", "game", None)
    pauses = following.pauses()
    assert [next(pauses), next(pauses), next(pauses)] == [0.0, *wire.PAUSES[:2]]
    following.read('{"type": "pong"}')
    assert next(pauses) == wire.PAUSES[0]


@pytest.mark.parametrize(
    ("received", "sent", "soonest", "latest"),
    [
        (1001, 1001, 0, 2),
        (1012, 1012, 0, 2),
        (None, 1011, 0, 0),
        (None, None, 0.5, 0.5),
        (1011, 1011, 0.5, 0.5),
    ],
)
def test_when_a_follower_comes_back(
    received: int | None, sent: int | None, soonest: float, latest: float
) -> None:
    chosen: set[float] = set()
    for _ in range(50):
        following = wire.Following("http://localhost", "game", None)
        pauses = following.pauses()
        next(pauses)
        following.read('{"type": "pong"}')
        following.closed(received, sent)
        chosen.add(next(pauses))
        assert next(pauses) == wire.PAUSES[1]
    assert soonest <= min(chosen) <= max(chosen) <= latest
    assert (len(chosen) > 1) == (soonest < latest), "they are spread"


async def test_requests_are_repeated_while_a_proxy_reaches_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "PAUSES", (0.01, 0.01, 0.01))
    answers = iter(
        ("502 Bad Gateway", "504 Gateway Timeout", "200 OK") * 2 + ("503 Service Unavailable",) * 8
    )

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        status = "500 Wrong" if b"/moves" in head and b"bad" in head else next(answers)
        body = b'{"ply": 1}' if status == "200 OK" else b""
        length = f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        writer.write(f"HTTP/1.1 {status}\r\n{length}".encode() + body)
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        with plyhouse.Client(url) as blocking:
            assert (await asyncio.to_thread(blocking.move, "game", "token", "Cb2")).ply == 1
        async with plyhouse.AsyncClient(url) as client:
            assert (await client.move("game", "token", "Cb2")).ply == 1
            with pytest.raises(ConnectionError, match="is lost"):
                await anext(client.follow("game"))
            with pytest.raises(plyhouse.ServerError, match="503"):
                await client.move("game", "token", "Cb2")
            with pytest.raises(plyhouse.ServerError, match="500"):
                await client.move("bad", "token", "Cb2")
