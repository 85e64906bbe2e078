"""The lag of connections as measured by the system, and as sockets of the server get it."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
import uvicorn
from websockets.asyncio.client import connect

from commands.serve import listen
from server.web.tcp_lag import lag_ms
from server.web.web_socket import TRANSPORT, WebSocketConnection
from tests.server.readers import Reader


def test_a_local_connection_has_little_lag() -> None:
    with listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()) as connection:
        connection.sendall(b"x")
        assert 0 <= lag_ms(connection) < 100


def test_a_closed_connection_has_no_lag() -> None:
    with socket.socket() as connection:
        pass
    assert lag_ms(connection) == 0
    assert lag_ms(None) == 0


async def connected_to(app: Callable[[Any, Any, Any], Awaitable[None]], pings: float | None) -> None:
    """Serves a client until the application closes its socket, with so many seconds between pings."""
    config = uvicorn.Config(
        app, ws=WebSocketConnection, ws_ping_interval=pings, lifespan="off", log_level="error"
    )
    listener, server = listen("127.0.0.1", 0), uvicorn.Server(config)
    running = asyncio.ensure_future(server.serve([listener]))
    async with connect(f"ws://127.0.0.1:{listener.getsockname()[1]}/") as connection:
        await connection.wait_closed()
    server.should_exit = True
    await running


async def test_every_socket_knows_its_lag() -> None:
    told: list[Callable[[], int]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        told.append(scope["extensions"][TRANSPORT].lag_ms)
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": 1000})

    await connected_to(app, None)
    assert [0 <= lag() < 100 for lag in told] == [True]


async def after_the_first_ping(connection: Any) -> None:
    """Waits until the first ping of a socket of the server has been answered."""
    while connection.last_ping_rtt == 0:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0.01)


async def test_the_line_behind_a_proxy_is_measured_long_before_the_next_ping_is_due() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await after_the_first_ping(scope["extensions"][TRANSPORT])
        await send({"type": "websocket.close", "code": 1000})

    async with asyncio.timeout(60):
        await connected_to(app, 600.0)


async def test_sockets_that_were_opened_together_are_not_pinged_together() -> None:
    due: list[float] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        connection = scope["extensions"][TRANSPORT]
        await after_the_first_ping(connection)
        due.append(connection.ping_timer.when())
        await send({"type": "websocket.close", "code": 1000})

    async with asyncio.timeout(60):
        await asyncio.gather(*(connected_to(app, 600.0) for _ in range(5)))
    assert max(due) - min(due) > 1


@pytest.mark.parametrize(("path", "patience"), [("/uhp", 40.0), ("/ws/live-games", 20.0)])
async def test_peers_that_speak_uhp_may_take_longer_to_answer_a_ping(
    client: httpx.AsyncClient, path: str, patience: float
) -> None:
    reader = Reader(client, path)
    await reader.accepted.wait()
    await reader.leave()
    assert reader.ping_timeout == patience
