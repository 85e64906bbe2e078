"""Whatever a client does to a socket, the server logs no error."""

import asyncio
import base64
import json
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.frames import Frame, Opcode

from tests.server.game_peers import new_game
from tests.server.serving import Served

PATHS = (
    "/ws/live-games",
    "/ws/games/{game}",
    "/ws/games/{game}?token={token}",
    "/ws/games/nobody",
    "/ws/eval/{game}",
    "/ws/custom-bot",
    "/uhp?role=viewer",
    "/uhp?role=engine",
    "/uhp?role=none",
    "/ws/nowhere",
)
SHAKE = {
    "type": "eval-handshake",
    "gameId": "{game}",
    "variant": "standard",
    "boardWidth": 3,
    "boardHeight": 3,
}


def text(data: bytes, *, fin: bool = True) -> bytes:
    return Frame(Opcode.TEXT, data, fin=fin).serialize(mask=True)


PING = text(b'{"type":"ping"}')
ATTACKS = {
    "nothing": b"",
    "pings": PING * 20,
    "a handshake and pings": text(json.dumps(SHAKE).encode()) + PING * 20,
    "no UTF-8": text(b"\xff\xfe{"),
    "no UTF-8 in two pieces": text(b"\xc3", fin=False) + Frame(Opcode.CONT, b"\x28").serialize(mask=True),
    "no mask": Frame(Opcode.TEXT, b"{}").serialize(mask=False),
    "reserved bits": b"\xf1" + PING[1:],
    "an unknown opcode": b"\x83" + PING[1:],
    "a piece of nothing": Frame(Opcode.CONT, b"x").serialize(mask=True),
    "a huge length": struct.pack("!BBQ", 0x81, 0xFF, 1 << 62) + bytes(64),
    "half a frame": PING[:5],
    "a long ping": b"\x89\xfe" + struct.pack("!H", 200) + bytes(204),
    "a bad close": Frame(Opcode.CLOSE, b"\x00\x01").serialize(mask=True),
    "a close and more": Frame(Opcode.CLOSE, struct.pack("!H", 1000)).serialize(mask=True) + PING * 50,
    "binary": Frame(Opcode.BINARY, b"\x00\x01").serialize(mask=True) * 3,
    "a deep list": text(b"[" * 60_000),
    "a lone surrogate": text(b'{"type":"\\ud800"}') * 3,
    "no JSON, often": text(b"{") * 120,
}


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("hostile"), "--uhp-port", "0") as served:
        yield served


def attack(served: Served, path: str, data: bytes, end: str) -> None:
    host, port = served.url.removeprefix("http://").split(":")
    key = base64.b64encode(os.urandom(16)).decode()
    head = (
        f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
    )
    with socket.create_connection((host, int(port)), timeout=5) as connection, suppress(OSError):
        connection.sendall(head.encode())
        if end != "reset at once":
            connection.recv(1 << 16)
            connection.sendall(data)
        if end == "close":
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(1 << 16):
                pass
        else:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def addresses(served: Served) -> list[str]:
    game, tokens = await new_game(served, config={"boardWidth": 3, "boardHeight": 3})
    return [path.format(game=game, token=tokens[0]) for path in PATHS]


def errors(log: str) -> list[str]:
    return [
        line for line in log.splitlines() if " ERROR " in line or " CRITICAL " in line or "Traceback" in line
    ]


@pytest.mark.parametrize("end", ["close", "reset", "reset at once"])
async def test_no_socket_client_causes_a_logged_error(services: Served, end: str) -> None:
    for path in await addresses(services):
        game = path.split("/")[3].partition("?")[0] if path.count("/") > 2 else ""
        for data in ATTACKS.values():
            shaken = data.replace(
                text(json.dumps(SHAKE).encode()), text(json.dumps({**SHAKE, "gameId": game}).encode())
            )
            await asyncio.to_thread(attack, services, path, shaken, end)
            assert errors(services.log) == [], (path, data[:40])


async def test_no_uhp_client_causes_a_logged_error(services: Served) -> None:
    for data in (
        b"",
        b"\xff\n" * 50,
        b"plyhouse/1 role=viewer\n\xff\xfe\nlicenses\n" * 20,
        b"plyhouse/1 role=engine\nok\nok\n",
        b"\n" * 5000,
    ):
        for linger in (False, True):
            with socket.create_connection(services.uhp, timeout=5) as connection, suppress(OSError):
                connection.sendall(data)
                await asyncio.sleep(0.02)
                if linger:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    await asyncio.sleep(0.1)
    assert errors(services.log) == []


async def test_stopping_with_sockets_in_every_state_logs_no_error(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        paths = await addresses(served)
        await asyncio.gather(
            *(asyncio.to_thread(attack, served, path, PING * 20, "reset") for path in paths * 5)
        )
        assert errors(served.log) == []


def test_little_is_read_after_the_close(served: Served) -> None:
    """Reading everything, only to drop it, would take time from all other clients."""
    host, port = served.url.removeprefix("http://").split(":")
    handshake = (
        f"GET /ws/custom-bot HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    bad = bytes([0x81, 0x82, 0, 0, 0, 0]) + b"{}"
    sent = 0
    with socket.create_connection((host, int(port)), timeout=60) as peer:
        peer.sendall(handshake.encode())
        peer.recv(4096)
        peer.settimeout(0.3)
        with suppress(OSError):
            while sent < 1 << 30:
                sent += peer.send(bad * 8192)
    assert sent < 64 << 20
