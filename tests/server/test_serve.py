"""``plyhouse serve`` as a process: it survives being killed, stops cleanly, and reports failures in one line."""

import asyncio
import signal
import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.server.bot_peers import reached
from tests.server.program import run_command
from tests.server.run_here import run_here
from tests.server.serving import Served

Json = dict[str, Any]
SEATS = [{"kind": "human"}, {"kind": "human"}]


async def new_game(client: httpx.AsyncClient, **more: Any) -> Json:
    return dict((await client.post("/api/games", json={"game": "wallwars", "seats": SEATS, **more})).json())


def bearer(game: Json, seat: int) -> dict[str, str]:
    return {"Authorization": f"Bearer {game['seats'][seat]['token']}"}


async def shuffle_on(client: httpx.AsyncClient, game: Json, acknowledged: dict[str, int]) -> None:
    """Plays passes until the server is gone; counts the acknowledged moves."""
    path = f"/api/games/{game['gameId']}/moves"
    ply = 0
    while True:
        body = {"move": "---", "expectedPly": ply, "clientMsgId": f"m{ply}"}
        try:
            answer = await client.post(path, json=body, headers=bearer(game, ply % 2))
        except httpx.TransportError:
            return
        assert answer.status_code == 200
        ply = acknowledged[game["gameId"]] = answer.json()["ply"]


async def test_no_acknowledged_move_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    acknowledged: dict[str, int] = {}
    with Served(tmp_path) as served:
        async with httpx.AsyncClient(base_url=served.url, timeout=60) as client:
            games = [await new_game(client) for _ in range(8)]
            players = [asyncio.create_task(shuffle_on(client, game, acknowledged)) for game in games]
            await _all_beyond(3, games, acknowledged)
            served.stop(signal.SIGKILL)
            await asyncio.gather(*players)
        served.start()
        async with httpx.AsyncClient(base_url=served.url, timeout=60) as client:
            for game in games:
                await _continues(client, game, acknowledged[game["gameId"]])


async def _all_beyond(ply: int, games: list[Json], acknowledged: dict[str, int]) -> None:
    for _ in range(1500):
        if all(acknowledged.get(game["gameId"], 0) > ply for game in games):
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"not all games have had {ply} moves: {acknowledged}")


async def _continues(client: httpx.AsyncClient, game: Json, acknowledged: int) -> None:
    """At most the one move in flight was added; the tokens and message ids still work."""
    path = f"/api/games/{game['gameId']}"
    ply = (await client.get(path)).json()["position"]["ply"]
    assert acknowledged <= ply <= acknowledged + 1
    known = {"move": "---", "expectedPly": acknowledged - 1, "clientMsgId": f"m{acknowledged - 1}"}
    again = await client.post(f"{path}/moves", json=known, headers=bearer(game, (acknowledged - 1) % 2))
    assert (again.status_code, again.json()["ply"]) == (200, acknowledged)
    moved = await client.post(f"{path}/moves", json={"move": "---"}, headers=bearer(game, ply % 2))
    assert (moved.status_code, moved.json()["ply"]) == (200, ply + 1)


def an_hour_passes(folder: Path) -> None:
    """Makes everything stored one hour older."""
    with closing(sqlite3.connect(folder / "plyhouse.sqlite3")) as database, database:
        database.execute("UPDATE events SET at_ms = at_ms - 3600000")
        database.execute(
            "UPDATE games SET created_at = created_at - 3600000, updated_at = updated_at - 3600000"
        )


async def test_an_outage_is_not_charged_and_the_clock_continues(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        async with httpx.AsyncClient(base_url=served.url, timeout=60) as client:
            game = await new_game(client, timeControl={"initialSeconds": 2})
            path = f"/api/games/{game['gameId']}"
            await client.post(f"{path}/moves", json={"move": "---"}, headers=bearer(game, 0))
        served.stop(signal.SIGKILL)
        an_hour_passes(tmp_path)
        served.start()
        async with httpx.AsyncClient(base_url=served.url, timeout=60) as client:
            position = (await client.get(path)).json()["position"]
            assert (position["status"], position["clocks"][0]) == ("playing", 2000)
            assert 0 < position["clocks"][1] <= 2000
            position = await reached(client, game["gameId"], status="finished")
            assert position["result"] == {"winners": [0], "reason": "timeout"}


async def test_stopping_asks_the_sockets_to_reconnect(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        async with httpx.AsyncClient(base_url=served.url, timeout=60) as client:
            game = await new_game(client)
        async with connect(f"{served.socket_url}/ws/games/{game['gameId']}", compression=None) as peer:
            await peer.recv()
            stopped = asyncio.create_task(asyncio.to_thread(served.stop, signal.SIGTERM))
            assert await _closed(peer) == (1001, "reconnect")
            await stopped
        assert "Traceback" not in served.log


async def test_stopping_ends_the_stream_of_an_analysis(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        async with httpx.AsyncClient(base_url=served.url, timeout=60) as client:
            wish = {"game": "wallwars", "moves": ["---"] * 200, "samples": 9_000}
            asked = (await client.post("/api/analysis", json=wish)).json()
            async with client.stream("GET", f"/api/analysis/{asked['analysisId']}/events") as stream:
                lines = stream.aiter_lines()
                assert "event: position" in [await anext(lines) for _ in range(3)]
                stopped = asyncio.create_task(asyncio.to_thread(served.stop, signal.SIGTERM))
                rest = [line async for line in lines]
            assert '"status":"cancelled"' in rest[-2]
            await stopped
        assert "Traceback" not in served.log


async def _closed(peer: ClientConnection) -> tuple[int, str] | None:
    try:
        while True:
            await peer.recv()
    except ConnectionClosed as closed:
        return (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else None


async def test_tokens_are_neither_stored_nor_logged(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        async with httpx.AsyncClient(base_url=served.url, timeout=60) as client:
            game = await new_game(client)
            token = game["seats"][0]["token"]
            await client.get(f"/api/games/{game['gameId']}", params={"token": token})
            await client.get(f"/game/{game['gameId']}", params={"token": token})
        query = f"?token={token}"
        async with connect(f"{served.socket_url}/ws/games/{game['gameId']}{query}", compression=None) as peer:
            await peer.recv()
        assert f"/api/games/{game['gameId']}" in served.log
        assert "WebSocket /ws/games" in served.log
        assert token not in served.log
        served.stop(signal.SIGTERM)
    with sqlite3.connect(tmp_path / "plyhouse.sqlite3") as database:
        assert token not in "\n".join(database.iterdump())
    database.close()


def fails(*options: str) -> str:
    """Expects exit status 1; returns the error message."""
    ended = run_command("serve", *options)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.count("\n") == 1, ended.stderr
    return ended.stderr


def test_a_port_in_use_is_reported_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = fails("--port", port, "--database", f"sqlite:///{tmp_path}/plyhouse.sqlite3")
    assert f"port {port}" in said


@pytest.mark.parametrize(
    ("database", "message"),
    [
        ("sqlite:////proc/plyhouse/plyhouse.sqlite3", "folder"),
        ("sqlite:////proc/plyhouse.sqlite3", "unable to open"),
        ("nonsense", "not a database URL"),
        ("oracle://host/name", "no driver"),
        ("nosuch://host/name", "no driver"),
        ("sqlite://", "memory"),
    ],
)
def test_an_unwritable_database_is_reported_in_one_line(database: str, message: str) -> None:
    assert message in fails("--port", "0", "--database", database)


# ---- settings --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "environment", "told"),
    [
        ((), {"PLYHOUSE_SESSIONS": "many"}, "PLYHOUSE_SESSIONS: "),
        ((), {"PLYHOUSE_PORT": "99999"}, "PLYHOUSE_PORT: "),
        (("--sessions", "0"), {}, "--sessions: "),
        (("--port", "70000"), {}, "--port: "),
        ((), {"PLYHOUSE_ALLOW_ORIGIN": "https://a.example"}, "PLYHOUSE_ALLOW_ORIGIN: write a list as JSON"),
        ((), {"PLYHOUSE_PUBLIC_URL": "zz"}, "PLYHOUSE_PUBLIC_URL: 'zz' is not an origin"),
        ((), {"PLYHOUSE_TRUST_PROXY": "zz"}, "PLYHOUSE_TRUST_PROXY: write a list as JSON"),
        ((), {"PLYHOUSE_RESERVED_FOR_BARS": "0.9"}, "PLYHOUSE_RESERVED_FOR_BOTS, _BARS and _ANALYSES"),
    ],
)
def test_a_malformed_setting_ends_the_server_with_status_2(
    options: tuple[str, ...], environment: dict[str, str], told: str, tmp_path: Path
) -> None:
    ended = run_here("serve", *options, folder=tmp_path, environment=environment)
    assert ended.returncode == 2, ended.stderr
    assert f"plyhouse serve: {told}" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_an_unknown_variable_is_reported_with_the_nearest_name(tmp_path: Path) -> None:
    unknown = {
        "PLYHOUSE_PROT": "9",
        "PLYHOUSE_OFFICIAL_BOT_TOKEN": "x",
        "PLYHOUSE_XYZZY": "1",
        "PLYHOUSE_SITE": ":80",
    }
    ended = run_here("serve", "--sessions", "0", folder=tmp_path, environment=unknown)
    assert "no setting PLYHOUSE_PROT: did you mean 'PLYHOUSE_PORT'?" in ended.stderr
    assert "no setting PLYHOUSE_OFFICIAL_BOT_TOKEN: did you mean 'OFFICIAL_BOT_TOKEN'?" in ended.stderr
    assert "no setting PLYHOUSE_XYZZY\n" in ended.stderr
    assert "PLYHOUSE_SITE" not in ended.stderr
