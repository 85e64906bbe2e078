"""Security headers over real connections, including responses of the web server itself."""

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.routing import Route

from server.domain.errors import ApiError, Code
from server.web.connection_limit import ConnectionLimit
from server.web.http_connection import HttpConnection
from server.web.web_socket import WebSocketConnection
from tests.server.services import app_with, settings

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}


class Refusing(ConnectionLimit):
    """A connection limit that refuses every connection once it is full."""

    is_full = False

    def open(self, peer: str | None) -> Callable[[], None]:
        if self.is_full:
            raise ApiError(Code.TOO_MANY_REQUESTS, "full")
        return super().open(peer)


@pytest.fixture
def limit() -> Refusing:
    return Refusing(0)


@pytest.fixture
async def port(tmp_path: Path, limit: Refusing) -> AsyncIterator[int]:
    """The application with a route that fails."""

    async def broken(_: object) -> None:
        raise RuntimeError("a defect")

    app = app_with(settings(tmp_path))
    app.router.routes.insert(0, Route("/broken", broken))
    http: Any = partial(HttpConnection, limit=limit)
    config = uvicorn.Config(app, http=http, ws=WebSocketConnection, port=0, log_config=None, lifespan="off")
    config.load()
    server = uvicorn.Server(config)
    server.lifespan = config.lifespan_class(config)
    async with app.router.lifespan_context(app):
        await server.startup()
        yield server.servers[0].sockets[0].getsockname()[1]
        await server.shutdown()


async def answer(port: int, sent: bytes) -> tuple[int, list[tuple[str, str]]]:
    """Sends bytes; returns the status and the headers of the response."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    async with asyncio.timeout(60):
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
    writer.close()
    headers = [line.partition(": ") for line in lines]
    return int(first.split()[1]), [(name.lower(), value) for name, _, value in headers]


UPGRADE = b"GET %s HTTP/1.1\r\nhost: %s\r\nconnection: upgrade\r\nupgrade: websocket\r\n%s\r\n"
KEY = b"sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n", 200),
        (b"GET /broken HTTP/1.1\r\nhost: localhost\r\n\r\n", 500),
        (b"no request\r\n\r\n", 400),
        (UPGRADE % (b"/ws/live-games", b"localhost", b""), 400),
        (UPGRADE % (b"/ws/live-games", b"localhost", b"origin: https://evil.example\r\n" + KEY), 403),
        (UPGRADE % (b"/ws/games/nothing", b"localhost", KEY), 404),
        (UPGRADE % (b"/ws/nothing", b"localhost", KEY), 404),
    ],
)
async def test_every_response_has_them_once(port: int, sent: bytes, status: int) -> None:
    found, headers = await answer(port, sent)
    assert found == status
    for name, value in HEADERS.items():
        assert [text for header, text in headers if header == name] == [value]


async def test_a_refused_connection_gets_them_too(port: int, limit: Refusing) -> None:
    limit.is_full = True
    status, headers = await answer(port, b"")
    assert status == 429
    assert HEADERS.items() <= dict(headers).items()
