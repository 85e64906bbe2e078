"""What sockets keep in memory. The garbage of a busy server is rarely collected: reference counting must free them."""

import gc
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect

from protocols.play.events import GameUpdate, Opened
from protocols.play.game_session import GameSocket
from protocols.values import Table
from server.routes.sockets.socket_connection import Socket
from server.services.games.game_feeds import GameFeed
from server.web.http_connection import HttpConnection
from server.web.web_socket import WebSocketConnection
from tests.server.bot_peers import OFFER
from tests.server.services import opening
from tests.server.worker_servers import Server, serving, until

ATTACH = {
    "type": "attach",
    "protocolVersion": 3,
    "clientId": "t",
    "client": {"name": "t", "version": "1"},
    "bots": [{"botId": "b1", "name": "B", "username": None, "variants": {"standard": OFFER}}],
}
OF_SOCKETS = (HttpConnection, WebSocketConnection, Socket, GameFeed, GameSocket)
SPECTATORS = 5


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Without the garbage collector."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def existing(*kinds: type) -> list[str]:
    return [type(one).__name__ for one in gc.get_objects() if type(one) in kinds]


async def addresses(client: httpx.AsyncClient) -> dict[str, list[Any]]:
    """The path of each kind of socket, and the frames that a client sends."""
    table = await opening(client)
    game, token = table["gameId"], table["seats"][0]["token"]
    board = {"variant": "standard", "boardWidth": 8, "boardHeight": 8}
    return {
        "lobby": ["/ws/live-games?ext=1", {"type": "ping"}],
        "spectator": [f"/ws/games/{game}?ext=1", {"type": "ping"}],
        "player": [f"/ws/games/{game}?ext=1&token={token}", {"type": "ping"}],
        "bar": [f"/ws/eval/{game}", {"type": "eval-handshake", "gameId": game, **board}],
        "bot": ["/ws/custom-bot", ATTACH],
        "refused bot": ["/ws/custom-bot", {"type": "attach"}],
        "uhp": ["/uhp?role=viewer", "info"],
        "refused uhp": ["/uhp?role=watch", "info"],
    }


@asynccontextmanager
async def opened(server: Server, path: str, message: Any) -> AsyncIterator[ClientConnection]:
    """A socket that has answered a message."""
    async with connect(server.socket_url + path) as socket:
        await socket.send(message if isinstance(message, str) else json.dumps(message))
        await socket.recv()
        yield socket


@pytest.mark.usefixtures("uncollected")
@pytest.mark.slow
async def test_a_closed_socket_leaves_nothing_for_the_garbage_collector(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        async with httpx.AsyncClient(base_url=server.url) as client:
            sockets = await addresses(client)
        for path, message in sockets.values():
            for is_lost in (False, True) * 3:
                async with opened(server, path, message) as socket:
                    if is_lost:
                        socket.transport.abort()
            await until(lambda: not existing(*OF_SOCKETS))


@pytest.mark.usefixtures("uncollected")
@pytest.mark.slow
async def test_an_idle_socket_keeps_only_what_later_frames_need(tmp_path: Path) -> None:
    """A player a table; all spectators of a game one session, feed and table together."""
    async with (
        serving(tmp_path) as server,
        httpx.AsyncClient(base_url=server.url) as client,
        AsyncExitStack() as stack,
    ):
        paths = await addresses(client)
        before = len(existing(Table))
        for kind in ("player", *("spectator",) * SPECTATORS):
            await stack.enter_async_context(opened(server, *paths[kind]))
        await until(lambda: not existing(HttpConnection, GameUpdate, Opened))
        assert (len(existing(GameFeed)), len(existing(Table)) - before) == (2, 2)
        assert not [table for table in gc.get_objects() if type(table) is Table and "view" in vars(table)]
