"""Connections that send nothing, or endless data, do not block others."""

import asyncio
import json
import resource
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from commands.serve import listen
from server import running
from server.domain.client_address import Network
from server.domain.errors import ApiError
from server.web import connection_limit, http_connection
from server.web.connection_limit import ConnectionLimit, connections_within
from server.web.http_connection import HttpConnection
from server.web.web_socket import WebSocketConnection
from tests.server.services import app_with, settings
from tests.server.serving import Served

MOST = 3


async def application(scope: dict[str, object], receive: object, send: object) -> None:
    """An application that answers requests, and accepts sockets but never closes them."""
    assert callable(send)
    assert callable(receive)
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass
    elif scope["path"] == "/refuse":
        await send({"type": "http.response.start", "status": 413, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"no"})
    elif scope["type"] == "http":
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


class CountsEverybody(ConnectionLimit):
    """A limit that also counts connections from this machine."""

    def open(self, peer: str | None) -> Callable[[], None]:
        return super().open(None if peer is None else "192.0.2.1")


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[uvicorn.Server]:
    """A server with half a second for requests and three connections per address."""
    monkeypatch.setattr(http_connection, "HEADER_SECONDS", 0.5)
    monkeypatch.setattr(http_connection, "GRACE_SECONDS", 0.5)
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
    yield server
    await server.shutdown()


@pytest.fixture
def port(server: uvicorn.Server) -> int:
    return int(server.servers[0].sockets[0].getsockname()[1])


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
async def test_an_unfinished_request_times_out(port: int, sent: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    try:
        async with asyncio.timeout(60):
            answer = await reader.read()
    except ConnectionResetError:
        answer = b""
    assert answer.count(b"200 OK") == sent.startswith(GET)
    writer.close()


async def test_connections_per_address_are_limited(port: int) -> None:
    sockets = [await connect(f"ws://127.0.0.1:{port}/") for _ in range(MOST)]
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"ws://127.0.0.1:{port}/")
    assert refused.value.response.status_code == 429
    await sockets.pop().close()
    async with asyncio.timeout(60):
        while True:
            try:
                sockets.append(await connect(f"ws://127.0.0.1:{port}/"))
                break
            except InvalidStatus:  # the server has not seen the end of the other one yet
                await asyncio.sleep(0.01)
    for socket in sockets:
        await socket.close()


async def test_endless_headers_are_cut_off(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 20_000)
    async with asyncio.timeout(60):
        with suppress(ConnectionError):
            assert await reader.read() == b""
    writer.close()


async def test_the_limit_applies_to_each_requests_headers_and_not_to_bodies(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(3):
        writer.write(
            b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 50000\r\n" + b"x: y\r\n" * 5000 + b"\r\n"
        )
        await writer.drain()
        writer.write(bytes(50_000))
        async with asyncio.timeout(60):
            assert (await reader.readuntil(b"\r\n\r\nok")).startswith(b"HTTP/1.1 200 OK")
    writer.close()


async def test_the_rest_of_a_refused_body_is_not_read(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST /refuse HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000000\r\n\r\n")
    sent = 0
    async with asyncio.timeout(60):
        answer = await reader.readuntil(b"\r\n\r\nno")
        with suppress(ConnectionError):
            while True:
                writer.write(bytes(100_000))
                await writer.drain()
                sent += 100_000
    assert answer.startswith(b"HTTP/1.1 413")
    assert sent < 100_000_000  # What the systems of both sides buffer.


async def test_an_answer_before_the_end_of_its_request_ends_the_connection(port: int) -> None:
    body = bytes(100)
    head = b"POST %s HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    async with asyncio.timeout(60):
        writer.write(head % b"/refuse" + body)  # The end has come before the answer begins.
        assert b"connection: close" not in await reader.readuntil(b"\r\n\r\nno")
        writer.write(head % b"/refuse")
        assert b"connection: close\r\n" in await reader.readuntil(b"\r\n\r\nno")
        writer.write(body + head % b"/" + body)  # Nobody can tell whether this was carried out.
        assert await reader.read() == b""
    writer.close()


async def test_a_request_that_arrives_while_the_server_stops_is_the_last(
    port: int, server: uvicorn.Server
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 8\r\n\r\nhalf")
    async with asyncio.timeout(60):
        while not server.server_state.tasks:  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.01)
        for connection in list(server.server_state.connections):
            connection.shutdown()
        writer.write(b"half")
        answer = await reader.read()
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"connection: close" in answer
    writer.close()


async def test_a_body_in_tiny_parts_is_refused(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 1000)
    async with asyncio.timeout(60):
        assert (await reader.read()).startswith(b"HTTP/1.1 400")
    writer.close()


async def test_a_body_in_a_few_parts_is_read(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n")
    writer.write(b"".join(b"400\r\n" + bytes(1024) + b"\r\n" for _ in range(500)) + b"0\r\n\r\n")
    async with asyncio.timeout(60):
        assert (await reader.readuntil(b"\r\n\r\nok")).startswith(b"HTTP/1.1 200")
    writer.close()


async def test_lines_that_are_too_long_end_a_uhp_connection(tmp_path: Path) -> None:
    listener = listen("127.0.0.1", 0)
    app = app_with(settings(tmp_path), uhp_listener=listener)
    async with app.router.lifespan_context(app):
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(b"plyhouse/1 role=viewer\n")
        assert await reader.readline() == b"ok\n"
        sent = 0
        async with asyncio.timeout(60):
            with suppress(ConnectionError):
                while True:
                    writer.write(bytes(100_000))
                    await writer.drain()
                    sent += 100_000
        assert sent < 100_000_000
        with suppress(ConnectionError):
            assert b"a line has at most 16384 bytes" in await reader.read()
        writer.close()


async def test_connections_over_uhp_count_as_well(tmp_path: Path) -> None:
    listener = listen("127.0.0.1", 0)
    app = app_with(settings(tmp_path), uhp_listener=listener, connection_limit=CountsEverybody(MOST))
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


def test_which_connections_are_counted(caplog: pytest.LogCaptureFixture) -> None:
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


def test_the_limit_on_open_files_is_raised() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
        running._open_many_files()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


# ---- all clients together ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("open_files", "connections"), [(-1, 0), (64, 32), (256, 128), (1024, 768), (1_048_576, 1_048_320)]
)
def test_the_limit_leaves_files_for_everything_else(open_files: int, connections: int) -> None:
    assert connections_within(open_files) == connections


def test_the_total_number_of_connections_is_limited(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", connection_limit.__name__)
    limit = ConnectionLimit(2, [ip_network("10.0.0.0/8")], total=3)
    closing = [limit.open(peer) for peer in ("192.0.2.1", "192.0.2.2", "10.0.0.1")]
    for peer in ("192.0.2.1", "192.0.2.3", "10.0.0.1"):
        with pytest.raises(ApiError) as refused:
            limit.open(peer)
        assert (refused.value.status, refused.value.limit) == (503, 3)
    limit.open("127.0.0.1")
    assert limit.open_for_checks("10.0.0.1") is None, "a quarter of 3 is none"
    assert caplog.messages == ["all 3 connections are in use: more are refused"]
    closing.pop()()
    assert caplog.messages[1:] == ["connections are accepted again"]
    closing.append(limit.open("192.0.2.1"))
    for close in closing:
        close()
    for peer in ("192.0.2.1", "192.0.2.1", "192.0.2.2"):
        limit.open(peer)


async def test_a_server_limits_its_connections(tmp_path: Path) -> None:
    with Served(
        tmp_path, "--trust-proxy", "127.0.0.1", "--uhp-port", "0", PLYHOUSE_CONNECTIONS="16"
    ) as served:
        address = urlsplit(served.url)
        peers = [await asyncio.open_connection(address.hostname, address.port) for _ in range(16)]
        for sent, answer in (
            (b"GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n", b"503 Service Unavailable"),
            (
                b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}",
                b"503 Service Unavailable",
            ),
            (UPGRADE + b"\r\n", b"503 Service Unavailable"),
            (b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n", b"200 OK"),
        ):
            reader, writer = await asyncio.open_connection(address.hostname, address.port)
            writer.write(sent)
            async with asyncio.timeout(60):
                head, _, body = (await reader.read()).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 " + answer)
            assert head.count(b"x-content-type-options: nosniff") == 1
            assert b"status" in body or b"retryAfterMs" in body
            writer.close()
        reader, writer = await asyncio.open_connection(*served.uhp)
        assert await reader.read() == b"err The server has as many connections as it can take.\n"
        for _, opened in (*peers, (reader, writer)):
            opened.close()
        assert served.log.count("all 16 connections are in use") == 1


def test_some_connections_of_proxies_are_reserved_for_health_checks() -> None:
    limit = ConnectionLimit(0, [ip_network("10.0.0.0/8")], total=8)
    closing = [limit.open_for_checks("10.0.0.1") for _ in range(2)]
    assert limit.open_for_checks("10.0.0.1") is None
    assert limit.open_for_checks("192.0.2.1") is None
    assert closing[0] is not None
    closing[0]()
    assert limit.open_for_checks("10.0.0.1") is not None


# ---- clients behind a proxy ----------------------------------------------------------------------


def test_sockets_of_unnamed_clients_have_only_the_total_limit(caplog: pytest.LogCaptureFixture) -> None:
    limit = ConnectionLimit(1, [ip_network("10.0.0.0/8")])
    for peer in ("10.0.0.1", "10.0.0.2") * 3:
        limit.open_socket(peer, [])
    assert [record.args for record in caplog.records] == [("10.0.0.1",), ("10.0.0.2",)]
    limit.open_socket("192.0.2.1", [])
    assert len(caplog.records) == 2


def test_open_connections_are_counted() -> None:
    limit = ConnectionLimit(0, total=8)
    close = limit.open("192.0.2.1")
    limit.open("192.0.2.1")
    limit.open("127.0.0.1")
    assert (limit.count, limit.total) == (2, 8)
    close()
    assert limit.count == 1


async def test_sockets_behind_a_proxy_count_for_the_client_it_names(tmp_path: Path) -> None:
    with Served(tmp_path, "--trust-proxy", "127.0.0.1", PLYHOUSE_CONNECTIONS_PER_ADDRESS=str(MOST)) as served:

        async def socket(client: str) -> ClientConnection:
            forwarded = {"X-Forwarded-For": f"203.0.113.9, {client}"}
            return await connect(f"{served.socket_url}/ws/live-games", additional_headers=forwarded)

        sockets = [await socket("192.0.2.1") for _ in range(MOST)]
        with pytest.raises(InvalidStatus) as refused:
            await socket("192.0.2.1")
        assert refused.value.response.status_code == 429
        assert json.loads(refused.value.response.body)["retryAfterMs"] > 0
        sockets.append(await socket("192.0.2.2"))
        await sockets.pop(0).close()
        async with asyncio.timeout(60):
            while True:
                try:
                    sockets.append(await socket("192.0.2.1"))
                    break
                except InvalidStatus:  # the server has not seen the end of the other one yet
                    await asyncio.sleep(0.01)
        for one in sockets:
            await one.close()
