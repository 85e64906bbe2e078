"""Clients of a running server's game socket, and their games."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.server.serving import Address

Json = dict[str, Any]
SMALL = {"boardWidth": 3, "boardHeight": 3}


class Peer:
    """A connected client that reads JSON frames."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, **message: Any) -> None:
        await self.connection.send(json.dumps(message))

    async def next(self) -> Json:
        async with asyncio.timeout(60):
            return dict(json.loads(await self.connection.recv()))

    async def until(self, kind: str) -> Json:
        while (frame := await self.next())["type"] != kind:
            pass
        return frame

    async def nothing(self) -> None:
        """Expects that nothing was sent, by checking that the next frame is the answer to a ping."""
        await self.send(type="ping")
        assert (await self.next())["type"] == "pong"

    async def opening(self) -> list[Json]:
        return [await self.next() for _ in range(3)]

    async def close_code(self) -> tuple[int | None, str]:
        async with asyncio.timeout(60):
            try:
                while True:
                    await self.connection.recv()
            except ConnectionClosed as closed:
                return (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (None, "")


@asynccontextmanager
async def joined(served: Address, game_id: str, query: str = "", **options: Any) -> AsyncIterator[Peer]:
    url = f"{served.socket_url}/ws/games/{game_id}{query}"
    async with connect(url, compression=None, ping_interval=None, **options) as connection:
        yield Peer(connection)


async def new_game(served: Address, game: str = "wallwars", **more: Any) -> tuple[str, list[str]]:
    body = {"game": game, "seats": [{"kind": "human"}, {"kind": "human"}], **more}
    async with httpx.AsyncClient(base_url=served.url, timeout=60) as client:
        answer = (await client.post("/api/games", json=body)).json()
    return answer["gameId"], [seat["token"] for seat in answer["seats"]]
