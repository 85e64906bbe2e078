"""The other people during the attacks of ``benchmarks.attacks``: they play, and measure how late their moves count.

Each has an address of their own, behind the proxy that the server trusts.
"""

import asyncio
import json
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from benchmarks.live_games import NEW_GAME

GAMES = 8
PAUSE_SECONDS = 0.05
"""The pause of a game between a move's acknowledgement and the next move."""
PLIES = 40
"""After so many moves the two play another game, since the frames of long games are longer."""
PATIENCE_SECONDS = 20.0
"""How long a move is awaited. Its wait counts with this if it is not acknowledged."""


class Bystander:
    """A player with a game socket."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._taken: asyncio.Future[None] | None = None
        self._reading = asyncio.ensure_future(self._read())

    async def move(self, ply: int) -> float:
        """Passes; returns the seconds until the move was acknowledged, at most ``PATIENCE_SECONDS``."""
        self._taken = asyncio.get_running_loop().create_future()
        frame = {"type": "submit-move", "move": "---", "expectedPly": ply, "clientMsgId": str(ply)}
        began = time.monotonic()
        try:
            await self._socket.send(json.dumps(frame))
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._taken
        except (TimeoutError, ConnectionClosed):
            return PATIENCE_SECONDS
        return time.monotonic() - began

    async def close(self) -> None:
        """Closes the socket."""
        self._reading.cancel()
        await self._socket.close()

    async def _read(self) -> None:
        async for frame in self._socket:
            if '"move-taken"' in str(frame[:200]) and self._taken is not None and not self._taken.done():
                self._taken.set_result(None)


@dataclass(frozen=True, slots=True)
class Game:
    """One game of two bystanders."""

    id: str
    players: tuple[Bystander, Bystander]


class Table:
    """Two bystanders, with the games that they will play."""

    def __init__(self, games: Sequence[Game]) -> None:
        self.games = games
        self._plies = 0

    async def play(self, seconds: float) -> list[float]:
        """Plays on for so long; returns the wait for each move in seconds."""
        until, waits = time.monotonic() + seconds, list[float]()
        while time.monotonic() < until:
            number, ply = divmod(self._plies, PLIES)
            waits.append(await self.games[number].players[ply % 2].move(ply))
            self._plies += 1
            if waits[-1] == PATIENCE_SECONDS:
                break
            await asyncio.sleep(PAUSE_SECONDS)
        return waits


async def open_tables(
    url: str, addresses: Sequence[str], seconds: float, stack: AsyncExitStack
) -> list[Table]:
    """Opens a table for every two addresses, with games for so long, and the sockets of their players."""
    count = int(seconds / PAUSE_SECONDS / PLIES) + 1
    tables = list[Table]()
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        for pair in zip(addresses[::2], addresses[1::2], strict=True):
            tables.append(Table([await _open(client, pair, stack) for _ in range(count)]))
    return tables


async def _open(client: httpx.AsyncClient, pair: tuple[str, str], stack: AsyncExitStack) -> Game:
    answer = await client.post("/api/games", json=NEW_GAME, headers={"X-Forwarded-For": pair[0]})
    opened, url = answer.raise_for_status().json(), str(client.base_url).rstrip("/")
    players = [await _join(url, opened, seat, address, stack) for seat, address in enumerate(pair)]
    return Game(opened["gameId"], (players[0], players[1]))


async def _join(
    url: str, opened: dict[str, Any], seat: int, address: str, stack: AsyncExitStack
) -> Bystander:
    path = f"/ws/games/{opened['gameId']}?ext=1&token={opened['seats'][seat]['token']}"
    socket = await connect(
        url.replace("http", "ws", 1) + path,
        additional_headers={"X-Forwarded-For": address},
        compression=None,
        ping_interval=None,
        max_size=None,
    )
    player = Bystander(socket)
    stack.push_async_callback(player.close)
    return player


async def play(tables: Sequence[Table], seconds: float) -> list[float]:
    """Plays at all tables at once; returns the waits of all moves, sorted, in seconds."""
    waits = await asyncio.gather(*(table.play(seconds) for table in tables))
    return sorted(wait for moves in waits for wait in moves)
