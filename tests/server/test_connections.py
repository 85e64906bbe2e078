"""Connections that send nothing, or something without end, do not keep others out."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from server.adapters import http_connection
from server.adapters.connection_limit import ConnectionLimit
from server.adapters.http_connection import HttpConnection
from server.adapters.web_socket import WebSocketConnection
from server.app import create_app
from server.commands.serve import listen
from server.domain.client_address import Network
from server.domain.errors import ApiError
from tests.server.house import settings
from tests.server.serving import ROOT

MOST = 3


async def application(scope: dict[str, object], receive: object, send: object) -> None:
    """Answers requests and accepts sockets, which it never closes."""
    assert callable(send)
    assert callable(receive)
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass
    elif scope["type"] == "http":
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


class CountsEverybody(ConnectionLimit):
    """This machine's connections count like any other's."""

    def open(self, peer: str | None) -> Callable[[], None]:
        return super().open(None if peer is None else "192.0.2.1")


@pytest.fixture
async def port(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    """A server whose connections have half a second for their requests, and three to an address."""
    monkeypatch.setattr(http_connection, "HEADER_SECONDS", 0.5)
    monkeypatch.setattr(http_connection, "BODY_SECONDS", 0.5)
    http: Any = partial(HttpConnection, limit=CountsEverybody(MOST))
    config = uvicorn.Config(
        application,
        http=http,
        ws=WebSocketConnection,
        port=0,
        log_config=None,
        lifespan="off",
    )
    config.load()
    server = uvicorn.Server(config)
    server.lifespan = config.lifespan_class(config)
    await server.startup()
    yield server.servers[0].sockets[0].getsockname()[1]
    await server.shutdown()


GET = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"
UPGRADE = b"GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n"


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HT",
        UPGRADE,
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf",
        GET + b"GET / HTTP/1.1\r\n",
    ],
)
async def test_an_unfinished_request_is_given_up(port: int, sent: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    try:
        async with asyncio.timeout(20):
            answer = await reader.read()
    except ConnectionResetError:
        answer = b""
    assert answer.count(b"200 OK") == sent.startswith(GET)
    writer.close()


async def test_an_address_has_so_many_connections_and_no_more(port: int) -> None:
    sockets = [await connect(f"ws://127.0.0.1:{port}/") for _ in range(MOST)]
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"ws://127.0.0.1:{port}/")
    assert refused.value.response.status_code == 429
    await sockets.pop().close()
    async with asyncio.timeout(20):
        while True:
            try:
                sockets.append(await connect(f"ws://127.0.0.1:{port}/"))
                break
            except InvalidStatus:  # the server has not seen the end of the other one yet
                await asyncio.sleep(0.01)
    for socket in sockets:
        await socket.close()


async def test_headers_without_end_are_cut_off(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 20_000)
    async with asyncio.timeout(20):
        with suppress(ConnectionError):
            assert await reader.read() == b""
    writer.close()


async def test_headers_are_counted_for_each_request_and_bodies_not_at_all(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(3):
        writer.write(
            b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 50000\r\n" + b"x: y\r\n" * 5000 + b"\r\n"
        )
        await writer.drain()
        writer.write(bytes(50_000))
        async with asyncio.timeout(20):
            assert (await reader.readuntil(b"\r\n\r\nok")).startswith(b"HTTP/1.1 200 OK")
    writer.close()


async def test_connections_over_uhp_count_as_well(tmp_path: Path) -> None:
    listener = listen("127.0.0.1", 0)
    app = create_app(settings(tmp_path), uhp_listener=listener, connection_limit=CountsEverybody(MOST))
    async with app.router.lifespan_context(app):
        address = listener.getsockname()
        peers = [await asyncio.open_connection(*address) for _ in range(MOST)]
        for _, writer in peers:
            writer.write(b"plyhouse/1 role=viewer\n")
        for reader, _ in peers:
            assert await reader.readline() == b"ok\n"
        reader, refused = await asyncio.open_connection(*address)
        peers.append((reader, refused))
        assert await reader.read() == b"err At most 3 connections at once from one address.\n"
        for _, writer in peers:
            writer.close()


def test_who_is_counted(caplog: pytest.LogCaptureFixture) -> None:
    from ipaddress import ip_network

    proxies: list[Network] = [ip_network("10.0.0.0/8"), ip_network("127.0.0.0/8")]
    limit = ConnectionLimit(1, proxies)
    for peer in ("10.0.0.1", "127.0.0.1", "::1", None):
        limit.open(peer)
        limit.open(peer)
    close = limit.open("192.0.2.1")
    for _ in range(3):
        with pytest.raises(ApiError):
            limit.open("192.0.2.1")
    assert len(caplog.records) == 1
    close()
    limit.open("192.0.2.1")()


def test_the_limit_on_open_files_is_raised(tmp_path: Path) -> None:
    program = (
        "import resource; from server.running import _open_many_files; "
        "_, hard = resource.getrlimit(resource.RLIMIT_NOFILE); "
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard)); _open_many_files(); "
        "print(resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard))"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert said.stdout == "True\n"
